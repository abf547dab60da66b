// Replays a log through its engine. A plain function; any thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/journal/record.hpp"

#include <optional>
#include <span>
#include <string>
#include <variant>

namespace gamehub::actors::table {

// The first record on which the log and the engine differ; zero: the game could not be created.
struct replay_fault {
  journal::record_number at = 0;
  std::string what;
  // If the engine failed.
  std::optional<engines::host::engine_failure> failure = {};
};

// Returns the match after the last record, or where and how the log and the engine differ. The
// engine is the one that the header names, in that version.
std::variant<engines::host::match, replay_fault> replay(const engines::host::engine&,
                                                        const journal::game_header&,
                                                        std::span<const journal::record>);

}  // namespace gamehub::actors::table
