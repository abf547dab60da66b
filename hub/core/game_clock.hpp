// The clocks of a game's players as they stood at one moment, and what is left on them later. A
// plain value that is sent with the state of a game and never stored; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gamehub {

struct game_clock {
  base::instant at{};                           // when it was read
  std::vector<std::chrono::milliseconds> left;  // by seat; empty: the game has no clock
  seat_set running = 0;                         // the seats whose clock runs

  explicit operator bool() const { return !left.empty(); }
  // Returns what is left for a seat at that moment. Requires: the clock has the seat.
  std::chrono::milliseconds left_at(seat_index seat, base::instant now) const {
    const auto had = left[static_cast<std::size_t>(seat)];
    if (!holds(running, seat)) return had;
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(now - at);
    return std::clamp(had - spent, std::chrono::milliseconds{0}, had);
  }
};

// Returns true if a reader of one of them knows the other, too: the same clocks run, and they show
// the same at any later moment, except for the rounding.
inline bool shows_same(const game_clock& a, const game_clock& b) {
  constexpr std::chrono::milliseconds rounding{5};
  if (a.running != b.running || a.left.size() != b.left.size()) return false;
  const auto now = std::max(a.at, b.at);
  for (std::size_t i = 0; i < a.left.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (std::chrono::abs(a.left_at(seat, now) - b.left_at(seat, now)) > rounding) return false;
  }
  return true;
}

}  // namespace gamehub
