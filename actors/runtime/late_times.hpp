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
  // Two late times with no more than this between them are one: the loop made up for it.
  static constexpr std::chrono::milliseconds gap_max{1};
  static constexpr std::size_t kept_max = 128;

  // Adds the time of an iteration, if it was late. Called with later and later times.
  void add(base::instant from, base::instant to) {
    if (to - from >= late_from) keep(from, to);
  }

  // Returns how much of the time between the two moments the loop was late.
  std::chrono::microseconds between(base::instant from, base::instant to) const {
    if (from.time_since_epoch().count() >= latest_.load(std::memory_order_acquire)) return {};
    const std::lock_guard lock{mutex_};
    base::duration sum{0};
    for (auto each = kept_.rbegin(); each != kept_.rend() && each->to > from; ++each)
      sum += std::max(std::min(each->to, to) - std::max(each->from, from), base::duration{0});
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
};

}  // namespace gamehub::actors::runtime
