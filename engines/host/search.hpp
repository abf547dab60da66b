// The engine opponent for games without an engine player: Monte Carlo tree search, which uses
// only the rules of the game. Nodes of chance have the expectation of their draws. It plays a win
// and prevents a loss that is one move away, and proves results where possible. A pure function
// without clock and threads: the same match, style and number of playouts give the same action. Any
// thread; it works on copies of the match.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <functional>
#include <span>

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

// Returns the levels at which an engine opponent plays games of this engine, the weakest first.
// Random is always one of them; the others need the engine's own player or the search.
std::span<const level> levels_of(const engine&);

// Returns a legal action for a seat that is to move. The search polls `time_is_up` (none: never);
// the engine's own player uses style.budget. An engine without the level plays at random. Throws
// engine_failure if the engine fails.
action choose_action(const engine&, const match&, int seat, const play_style&,
                     const std::function<bool()>& time_is_up = {});

// Returns a random legal action, uniformly distributed.
action random_action(const match&, int seat, std::uint64_t seed);

}  // namespace gamehub::engines::host
