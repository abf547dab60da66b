// The clocks of a game's players as they stood at one moment, and what is left on them later. A
// plain value that is sent with the state of a game and never stored; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub {

struct game_clock {
  base::instant at{};                           // when it was read
  std::vector<std::chrono::milliseconds> left;  // by seat; empty: the game has no clock
  seat_set running = 0;                         // the seats whose clock runs
  // Of byo-yomi, by seat: the periods that follow what is left. Empty: another clock.
  std::vector<std::uint32_t> periods = {};
  std::chrono::milliseconds period{0};  // of byo-yomi

  explicit operator bool() const { return !left.empty(); }

  // What a seat has at one moment.
  struct reading {
    std::chrono::milliseconds left{0};
    std::uint32_t periods = 0;  // that follow
  };
  // Requires: the clock has the seat.
  reading at_seat(seat_index seat, base::instant now) const {
    const auto i = static_cast<std::size_t>(seat);
    reading out{left[i], i < periods.size() ? periods[i] : 0};
    if (!holds(running, seat) || now <= at) return out;
    out.left -= std::chrono::duration_cast<std::chrono::milliseconds>(now - at);
    if (out.left.count() <= 0 && out.periods > 0 && period.count() > 0) {
      const auto begun = std::min<std::int64_t>(1 - out.left / period, out.periods);
      out.left += begun * period;
      out.periods -= static_cast<std::uint32_t>(begun);
    }
    out.left = std::max(out.left, std::chrono::milliseconds{0});
    return out;
  }
  // Returns what is left for a seat at that moment: in byo-yomi, of its period. Requires: the clock
  // has the seat.
  std::chrono::milliseconds left_at(seat_index seat, base::instant now) const {
    return at_seat(seat, now).left;
  }
};

// Returns true if a reader of one of them knows the other, too: the same clocks run, and they show
// the same at any later moment, except for the rounding.
inline bool shows_same(const game_clock& a, const game_clock& b) {
  constexpr std::chrono::milliseconds rounding{5};
  if (a.running != b.running || a.left.size() != b.left.size() ||
      a.periods.size() != b.periods.size())
    return false;
  const auto now = std::max(a.at, b.at);
  for (std::size_t i = 0; i < a.left.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    const auto one = a.at_seat(seat, now), other = b.at_seat(seat, now);
    if (one.periods != other.periods || std::chrono::abs(one.left - other.left) > rounding)
      return false;
  }
  return true;
}

}  // namespace gamehub
