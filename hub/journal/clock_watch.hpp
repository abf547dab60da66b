// Compares the wall clock with the steady clock, so that a wall clock that jumps does not make
// ended games look old. A plain value, used by the writer thread alone.
#pragma once

#include "hub/base/time.hpp"

#include <chrono>
#include <optional>

namespace gamehub::journal {

class clock_watch {
 public:
  // Ended games are not deleted by age for this time after a jump. The operator reads of it in the
  // log and can correct the clock.
  static constexpr std::chrono::hours pause_after_jump{24};
  // A smaller difference is a correction of the clock, or the time between two readings.
  static constexpr std::chrono::minutes jump_min{1};
  // The hub may have been off for this long. A longer time cannot be told from a wrong clock.
  static constexpr std::chrono::hours off_max{24};

  // `last` is the time of the latest record; zero: no record.
  explicit clock_watch(base::wall_time last) : wall_(last) {}

  // Compares both clocks with the previous call. Returns by how much the wall clock jumped, or
  // nothing.
  std::optional<std::chrono::milliseconds> check(base::wall_time wall, base::instant steady) {
    using std::chrono::milliseconds;
    const auto passed =
        started_ ? std::chrono::duration_cast<milliseconds>(steady - steady_) : milliseconds{0};
    const auto jump = wall - wall_ - passed;
    const auto known = started_ || wall_ != base::wall_time{};
    const auto jumped =
        known &&
        (jump < -jump_min || jump > (started_ ? milliseconds{jump_min} : milliseconds{off_max}));
    started_ = true;
    wall_ = wall;
    steady_ = steady;
    if (!jumped) return std::nullopt;
    trusted_from_ = steady + pause_after_jump;
    return jump;
  }

  // True if the wall clock has not jumped lately, at the time of the latest check().
  bool trusted() const { return !trusted_from_ || steady_ >= *trusted_from_; }

 private:
  base::wall_time wall_;
  base::instant steady_{};
  std::optional<base::instant> trusted_from_;
  bool started_ = false;
};

}  // namespace gamehub::journal
