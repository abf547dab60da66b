// Finds calls into engines from which a loop does not come back: looked at again and again, a loop
// that is still in the same call is in a long one. A plain value, told what the loops say and the
// time.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace gamehub::app {

class watchdog {
 public:
  using instant = std::chrono::steady_clock::time_point;
  using duration = std::chrono::steady_clock::duration;

  // What a loop says: see metrics::loop_cells.
  struct sample {
    std::int64_t calls = 0;
    std::int64_t inside = 0;
  };

  // A call that has lasted for too long, or one of which that was said and that is over.
  struct finding {
    std::size_t loop = 0;
    std::uint16_t engine = 0;
    duration lasted{};  // at least
    bool over = false;
  };

  explicit watchdog(duration slow_after) : slow_after_(slow_after) {}

  // The loops, always in the same order. Each call is found once and, when it is over, once more.
  std::vector<finding> look(std::span<const sample>, instant now);

  // Of the calls that were not over at the latest look, the longest so far.
  duration longest() const { return longest_; }

 private:
  struct watched {
    sample last;
    instant since{};
    bool told = false;
  };

  duration slow_after_;
  duration longest_{};
  std::vector<watched> loops_;
};

}  // namespace gamehub::app
