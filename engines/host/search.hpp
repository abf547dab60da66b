// The engine opponent for games without an engine player: Monte Carlo tree search, which uses
// only the rules of the game. Nodes of chance have the expectation of their draws. It plays a win
// and prevents a loss that is one move away, and proves results where possible. A pure function
// without clock and threads: the same match, style and number of playouts give the same action. Any
// thread; it works on copies of the match.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <functional>

namespace gamehub::engines::host {

// The end of a search that has not proved the result before: a number of playouts, or time_is_up.
// The search polls it before each playout and, while it examines all first moves and the replies to
// them (8 ms on an empty board of 15 × 15), before each first move.
struct search_bounds {
  std::uint64_t playouts_max = 5'000;
  std::function<bool()> time_is_up{};  // empty: never
};

// True if the search can play this game: sequential turns and perfect information, also with
// chance.
bool can_search(const engine& rules);

// Returns a legal action for the seat to move. The level limits the search; style.budget is ignored
// in favour of time_is_up. can_search() holds for the engine, and the match is not over. Throws
// engine_failure if the engine fails.
action search(const match& from, const play_style& style, const search_bounds& bounds);

}  // namespace gamehub::engines::host
