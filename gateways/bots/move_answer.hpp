// Parsing of a bot's reply: returns the move, or an error text for its author. Only result.position
// is required: jsonrpc and id are ignored, and so is an error beside a position. Plain functions,
// any thread.
#pragma once

#include "gateways/bots/messages.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::bots {

struct bot_error {
  bot_fault_code code = bot_fault_code::unparsable;
  std::string text;  // a sentence for the bot's author
};

// Returns result.position; the game checks whether the board has it.
std::variant<std::int64_t, bot_error> read_position(std::string_view body);

// Returns a short excerpt of a bot's text on one line, for messages.
std::string quoted(std::string_view text);

}  // namespace gamehub::gateways::bots
