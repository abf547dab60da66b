// Parsing of a bot's reply: returns the move, or an error text for its author. Only result.position
// is required: jsonrpc and id are ignored, and so is an error beside a position. Plain functions,
// any thread.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/intent.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::bots {

// Returns result.position; the game checks whether the board has it.
std::variant<std::int64_t, bot_error> read_position(std::string_view body);

// Returns the move of an answer in a game of three seats or more: result.move, in the engine's own
// notation, or else result.position.
std::variant<gamehub::move, bot_error> read_table_move(std::string_view body);

// What a bot says with a move of the offers that it accepts until its next move: result.accepts, a
// list of "draw" and "takeback". By default it accepts none.
struct accepted_offers {
  bool draw = false, takeback = false;
};
accepted_offers read_accepted(std::string_view body);

// Returns a short excerpt of a bot's text on one line, for messages.
std::string quoted(std::string_view text);

}  // namespace gamehub::gateways::bots
