// The engine opponent: a seat without session whose moves come from the engine's own player or from
// the hub's search. Plain functions, any thread. The caller owns the match for the duration of a
// call.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/host/search.hpp"
#include "hub/core/ids.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::actors::table::engine_opponent {

using engines::host::choose_action;
using engines::host::levels_of;
using engines::host::random_action;

// Returns the requested level if the engine has it, otherwise its strongest one.
engines::level level_or_strongest(const engines::host::engine&, engines::level);

// Returns why a client can't request this level, as the end of the sentence "the hub can't play X:
// it …", or nothing if it can.
std::optional<std::string> unsupported_reason(const engines::host::engine&, std::string_view level);

// True if choosing costs about as much as a move, so that it happens on the loop of the game.
// Otherwise the search pool chooses.
bool is_immediate(const engines::host::engine&, engines::level);

// Returns the name of the seat. The player registry gives such a name to no player.
std::string name_of(engines::level);
bool is_engine_player_name(std::string_view);

// Convert the level to the protocol name in the log, and back.
std::string log_wire_name(engines::level);
std::optional<engines::level> level_of_wire(std::string_view);

}  // namespace gamehub::actors::table::engine_opponent
