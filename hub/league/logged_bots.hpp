// What the journal says of games that bots play against each other. Plain functions, any thread.
#pragma once

#include <optional>
#include <string_view>

#include "hub/arena/fixture.hpp"
#include "hub/journal/record.hpp"

namespace gamehub::app {

// The wire by which bots come, as the journal has it.
inline constexpr std::string_view bot_wire = "jsonrpc";

arena::match_outcome outcome_of(const journal::game_log&);

// Nothing: not both players are bots.
std::optional<arena::journal_game> game_of_bots(const journal::game_log&);

}  // namespace gamehub::app
