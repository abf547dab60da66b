// How long an engine's process that ended stays down: a moment, and twice as long each time that it
// did not live for a while, so that one that dies at once does not keep the machine busy. A plain
// value.
#pragma once

#include <algorithm>
#include <chrono>

namespace gamehub::app::process {

class restart_backoff {
 public:
  static constexpr std::chrono::milliseconds shortest{100};
  static constexpr std::chrono::milliseconds longest{60'000};
  // Who lived for so long is believed to be well again.
  static constexpr std::chrono::seconds long_life{60};

  std::chrono::milliseconds after(std::chrono::steady_clock::duration lived) {
    if (lived >= long_life) next_ = shortest;
    const auto now = next_;
    next_ = std::min(longest, next_ * 2);
    return now;
  }

 private:
  std::chrono::milliseconds next_ = shortest;
};

}  // namespace gamehub::app::isolation
