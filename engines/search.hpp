// An opponent for games that bring none: looks ahead by playing many games from here on (Monte
// Carlo tree search), knowing nothing of a game but its rules. It takes a win and stops a loss that
// is one move away, and proves what it can. A pure function: no clock, no threads, and the same
// answer for the same match, style and number of playouts. Any thread; it works on copies.
#pragma once

#include "engines/engine.hpp"

#include <cstdint>
#include <functional>

namespace gamehub::engines {

// When a search ends, if it has not proved the result before: after so many playouts, or once it is
// told that the time is up. It asks before each playout, and in its look at all first moves and the
// answers to them (8 ms on an empty board of 15 × 15) before each of the first moves.
struct search_bounds {
  std::uint64_t playouts_max = 5'000;
  std::function<bool()> time_is_up{};  // Nothing: never.
};

// Whether the search can play this game: turns one after the other, without secrets or chance.
bool can_search(const engine& rules);

// A legal action for whoever is to move. The level bounds how far it looks; style.budget is not
// looked at, time_is_up is. Throws engine_failure where the engine fails.
// Requires: can_search of the match's engine, and the match is not over.
action search(const match& from, const play_style& style, const search_bounds& bounds);

}  // namespace gamehub::engines
