// The engine opponent for games with hidden information and with simultaneous turns, by their rules
// alone: information set Monte Carlo tree search. Each playout begins in a match of the sampler
// (observation.hpp), so that the search knows no more than the seat. A node is what one seat sees.
// Where one seat moves, the best bound is tried, and the most visited action is the choice. Where
// several do, each takes an action of a mixed strategy by regret matching, and the choice is drawn
// from the average strategy. A pure function without clock and threads, which depends on the
// observation, the style and the number of playouts. Any thread.
#pragma once

#include "engines/host/observation.hpp"
#include "engines/host/search.hpp"

namespace gamehub::engines::host {

// Returns a legal action of the seat. style.budget is ignored in favour of the bounds: a playout
// counts with the replays before it, at most `replayed_plies` actions or one replay, and counts if
// they found no match. Without any match the action is a random one. Throws engine_failure if the
// engine fails, or the seat has no legal action.
action search_secrets(const observation&, const play_style&, const search_bounds&);

// Actions of replays for one playout, which take as long as a playout of a game of cards.
inline constexpr std::size_t replayed_plies = 256;

}  // namespace gamehub::engines::host
