// The engine opponent for games without an engine player: Monte Carlo tree search, which uses
// only the rules of the game. This file has the search of games without secrets, whose nodes of
// chance have the expectation of their draws; it plays a win and prevents a loss that is one move
// away, and proves results where possible. secret_search.hpp has that of hidden information and
// simultaneous turns. Pure functions without clock and threads: the same match, style and number of
// playouts give the same action. Any thread; they work on copies of the match.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace gamehub::engines::host {

struct played_game;

// The end of a search that has not proved the result before: a number of playouts, or time_is_up.
// The search polls it before each playout and, while it examines all first moves and the replies to
// them (8 ms on an empty board of 15 × 15), before each first move.
struct search_bounds {
  std::uint64_t playouts_max = 5'000;
  std::function<bool()> time_is_up{};  // empty: never
};

// Playouts of the level medium, and the actions of one. A longer playout counts as a draw.
inline constexpr std::uint64_t medium_playouts_max = 100;
inline constexpr int playout_plies_max = 4096;

// The most actions of a game with secrets that is searched: each replay applies all of them, and a
// table keeps them, in 64 KiB.
inline constexpr std::uint64_t played_plies_max = 4096;

// True if a seat may not know all of the state: hidden information, or simultaneous turns.
bool has_secrets(const engine& rules);

// True if a search can play this game: all games but long ones with secrets.
bool can_search(const engine& rules);

// True if choose_action() needs the game from its start, because the search replays it.
bool needs_played_game(const engine& rules);

// Returns the number of playouts at this level.
std::uint64_t playouts_of(level, const search_bounds&);

// Returns a legal action for the seat to move of a game without secrets. The level limits the
// search; style.budget is ignored in favour of time_is_up. The match is not over. Throws
// engine_failure if the engine fails.
action search(const match& from, const play_style& style, const search_bounds& bounds);

// Returns the levels at which an engine opponent plays games of this engine, the weakest first.
// Random is always one of them; the others need the engine's own player or the search.
std::span<const level> levels_of(const engine&);

// Returns a legal action for a seat that is to move. The search polls `time_is_up` (none: never);
// the engine's own player uses style.budget. An engine without the level plays at random, and so
// does one that needs the played game if that is null. Throws engine_failure if the engine fails.
action choose_action(const engine&, const match&, int seat, const play_style&,
                     const std::function<bool()>& time_is_up = {}, const played_game* = nullptr);

// Returns a random legal action, uniformly distributed.
action random_action(const match&, int seat, std::uint64_t seed);

}  // namespace gamehub::engines::host
