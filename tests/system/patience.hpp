// How long a system test waits for what must come. Every wait ends with the event itself; the
// deadline only says that it never came. Sanitizers slow everything down by one factor. A plain
// value, any thread.
#pragma once

#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <chrono>

namespace gamehub::tests::system {

inline constexpr int slowness = sanitized ? 6 : 1;
inline constexpr std::chrono::milliseconds patience{10'000 * slowness};

class deadline {
 public:
  using clock = std::chrono::steady_clock;

  explicit deadline(std::chrono::milliseconds time = patience) : at_(clock::now() + time) {}

  bool over() const { return clock::now() >= at_; }
  // What is left, as poll(2) takes it.
  int poll_milliseconds() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - clock::now()).count();
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(0, left));
  }

 private:
  clock::time_point at_;
};

}  // namespace gamehub::tests::system
