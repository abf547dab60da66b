// Replays a log through its engine, whole or up to a takeback. Plain functions; any thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/journal/record.hpp"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::actors::table {

// The first record on which the log and the engine differ; zero: the game could not be created.
struct replay_fault {
  journal::record_number at = 0;
  std::string what;
  // If the engine failed.
  std::optional<engines::host::engine_failure> failure = {};
};

// True if the player of the record's seat caused it.
bool shows_player(const journal::record&);

// Returns the records `moved` and `drawn` of the log that are not taken back, the oldest first.
std::vector<const journal::record*> actions_of(std::span<const journal::record>);

// Returns the number of the latest of them that the seat moved; zero: it has no move to take back.
journal::record_number latest_move_of(std::span<const journal::record>, seat_index);

// Returns a new match with those of them whose numbers are below `before`. Throws engine_failure if
// the engine fails or refuses one. The records are those of the log so far.
engines::host::match match_before(const engines::host::engine&, const std::string& options,
                                  std::span<const journal::record>, journal::record_number before);

// Returns the match after the last record, or where and how the log and the engine differ. The
// engine is the one that the header names, in that version.
std::variant<engines::host::match, replay_fault> replay(const engines::host::engine&,
                                                        const journal::game_header&,
                                                        std::span<const journal::record>);

}  // namespace gamehub::actors::table
