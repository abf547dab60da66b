// The pause before an engine's process is restarted. It doubles after each process that ended
// early, so that one that crashes at once does not load the machine. A plain value.
#pragma once

#include <algorithm>
#include <chrono>

namespace gamehub::server {

class restart_backoff {
 public:
  static constexpr std::chrono::milliseconds shortest{100};
  static constexpr std::chrono::milliseconds longest{60'000};
  // A process that ran this long resets the pause.
  static constexpr std::chrono::seconds long_life{60};

  // Returns the pause after a process that ran for `lived`.
  std::chrono::milliseconds after(std::chrono::steady_clock::duration lived) {
    if (lived >= long_life) next_ = shortest;
    const auto now = next_;
    next_ = std::min(longest, next_ * 2);
    return now;
  }

 private:
  std::chrono::milliseconds next_ = shortest;
};

}  // namespace gamehub::server
