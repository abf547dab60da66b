// Replays a log through its engine: the match as it was, or where and how the log and the engine
// disagree. A plain function; any thread.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "engines/engine.hpp"
#include "hub/journal/record.hpp"

namespace gamehub::actors {

// The first record that a replay can't account for; zero: the game could not even begin.
struct replay_fault {
  journal::record_number at = 0;
  std::string what;
};

// Requires: the engine is the one that the header names, in that version.
std::variant<engines::match, replay_fault> replay(const engines::engine&,
                                                  const journal::game_header&,
                                                  std::span<const journal::record>);

}  // namespace gamehub::actors
