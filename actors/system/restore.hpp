// Makes a game actor from the log of an open game, for a recovery and for games that wake. Plain
// functions; restore_game() runs on the loop of the game, or before the loops run.
#pragma once

#include "actors/game/game.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/replay.hpp"
#include "hub/journal/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::actors::system {

// Where games run. Outlives its users.
struct game_places {
  const table::engine_directory& directory;
  const std::vector<actors::runtime::loop*>& loops;         // of clients and games
  const std::vector<actors::runtime::loop*>& engine_loops;  // by the number of an engine's host
  std::vector<game::game_setup>& games;                     // by loop, those of engines last

  // Returns the loop that owns a game of the journal.
  actors::runtime::loop& loop_of(game_id, const engines::host::engine&) const;
};

// What a restored game has beside its log.
struct restored_from {
  base::wall_time down_since{};  // a restart: the hub lived until then at least
  bool proven = false;           // as of restored_game_state, as the next
  std::optional<base::instant> slept_until = {};
};

// Replays the log and spawns the game, which waits for begin_game. The engine is the one that the
// header names. Throws what only a bug can cause.
std::variant<actors::runtime::game_actor, table::replay_fault> restore_game(
    const game_places&, std::uint16_t engine, const journal::game_header&,
    std::span<const journal::record>, const restored_from&);

// When the latest turn of a log began.
base::wall_time began_turn(std::span<const journal::record>);

// Returns the seats whose players can come back. Their sessions are to run on loop `home`.
std::vector<actors::runtime::restored_game::seat> returning_seats(const table::engine_directory&,
                                                                  std::span<const journal::record>,
                                                                  std::size_t home);

// Returns a game that only the journal's file has, without its actor; nothing: it has no
// such game, can't read it, or the engine is missing. The sessions of its players are to run on one
// of `homes` loops.
std::optional<actors::runtime::restored_game> sleeping_game(const table::engine_directory&,
                                                            const journal::journal&, game_id,
                                                            std::size_t homes);

// The same of a game that was read already. Nothing: the engine is missing.
std::optional<actors::runtime::restored_game> sleeping_game(const table::engine_directory&,
                                                            const journal::sleeping_game&,
                                                            std::size_t homes);

// A sentence about the record on which log and engine differ, for the quarantine of the game.
std::string sentence_of(const table::replay_fault&);

}  // namespace gamehub::actors::system
