// Parsing of a bot's reply: returns the move, or an error text for its author. Only
// result.position or result.move is required: jsonrpc and id are ignored, and so is an error beside
// a move. Plain functions, any thread.
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

// Return the move of an answer, as a position or in the engine's JSON (result.move). If it
// has both, the position counts in a game whose calls are board_views, and else result.move.
std::variant<gamehub::move, bot_error> read_board_move(std::string_view body);
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
