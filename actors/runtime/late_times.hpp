// The latest times in which a loop was late: one of its iterations took so long that messages of
// clients, and those to them, waited. Such time is no player's. The loop adds to them, and any
// thread may ask.
#pragma once

#include "hub/base/time.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>

namespace gamehub::actors::runtime {

class late_times {
 public:
  // An iteration is late from this time on: a loop with much work has shorter ones.
  static constexpr std::chrono::milliseconds late_from{5};
  // A loop with timers waits no longer than this at once, so that a stop of the process within a
  // wait is late but for this time.
  static constexpr std::chrono::milliseconds wait_max{10};
  // Two late times with no more than this between them are one: the loop made up for it.
  static constexpr std::chrono::milliseconds gap_max{1};
  static constexpr std::size_t kept_max = 128;

  // Adds the time of an iteration, if it was late. Called with later and later times.
  void add(base::instant from, base::instant to) {
    if (to - from >= late_from) keep(from, to);
  }

  // An iteration begins at that moment, or a wait is to end then; max(): at a message. The time
  // since then is late if there is no further call for `late_from`.
  void begin(base::instant when) {
    since_.store(when.time_since_epoch().count(), std::memory_order_release);
  }

  // Returns how much of the time between the two moments the loop was late. What it does at the
  // second one counts.
  std::chrono::microseconds between(base::instant from, base::instant to) const {
    const base::instant since{base::duration{since_.load(std::memory_order_acquire)}};
    const bool is_late = to - since >= late_from;
    if (!is_late && from.time_since_epoch().count() >= latest_.load(std::memory_order_acquire))
      return {};
    const std::lock_guard lock{mutex_};
    const auto overlap = [&](base::instant begun, base::instant ended) {
      return std::max(std::min(ended, to) - std::max(begun, from), base::duration{0});
    };
    base::duration sum{0};
    for (auto each = kept_.rbegin(); each != kept_.rend() && each->to > from; ++each)
      sum += overlap(each->from, each->to);
    // The loop may have added it meanwhile.
    if (is_late) sum += overlap(kept_.empty() ? since : std::max(since, kept_.back().to), to);
    return std::chrono::duration_cast<std::chrono::microseconds>(sum);
  }

 private:
  struct span {
    base::instant from, to;
  };

  void keep(base::instant from, base::instant to) {
    const std::lock_guard lock{mutex_};
    if (!kept_.empty() && from - kept_.back().to <= gap_max) {
      kept_.back().to = std::max(kept_.back().to, to);
    } else {
      if (kept_.size() == kept_max) kept_.pop_front();
      kept_.push_back({from, to});
    }
    latest_.store(kept_.back().to.time_since_epoch().count(), std::memory_order_release);
  }

  mutable std::mutex mutex_;
  std::deque<span> kept_;
  std::atomic<base::instant::rep> latest_{base::instant::min().time_since_epoch().count()};
  std::atomic<base::instant::rep> since_{base::instant::max().time_since_epoch().count()};
};

}  // namespace gamehub::actors::runtime
