// Detects engine calls that block a loop for too long: a loop that is in the same call in
// successive samples is in a long one. A plain value; samples and time are parameters.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace gamehub::server {

class watchdog {
 public:
  using instant = std::chrono::steady_clock::time_point;
  using duration = std::chrono::steady_clock::duration;

  // The counters of one loop: see metrics::loop_cells.
  struct sample {
    std::int64_t calls = 0;
    std::int64_t inside = 0;
  };

  // A call that takes too long, or a reported one that has ended.
  struct stall {
    std::size_t loop = 0;
    std::uint16_t engine = 0;
    duration lasted{};  // at least
    bool over = false;
  };

  explicit watchdog(duration slow_after) : slow_after_(slow_after) {}

  // Evaluates one sample of the loops, always in the same order. Reports each long call once, and
  // once more when it has ended.
  std::vector<stall> check(std::span<const sample>, instant now);

  // Returns the duration of the longest call that still ran at the latest check().
  duration longest() const { return longest_; }

 private:
  struct watched {
    sample last;
    instant since{};
    bool reported = false;
  };

  duration slow_after_;
  duration longest_{};
  std::vector<watched> loops_;
};

}  // namespace gamehub::server
