// What the hub says to bots: the bodies of its calls, each one JSON object on one line. Strict bots
// refuse a parameter too many, so that each call has exactly those of the protocol. Plain
// functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hub/core/ids.hpp"

namespace gamehub::gateways::bots {

// What a bot did wrong, by the numbers that it is told.
enum class bot_fault_code : std::uint16_t {
  occupied = 1548,       // what it plays can't be played there
  out_of_bounds = 1549,  // the board has no such place
  unparsable = 1550,     // its answer names no place
  timeout = 1551,        // it took too long
  transport = 1552,      // it could not be reached, or did not answer as HTTP servers do
};
// As metrics and logs have it.
std::string_view to_string(bot_fault_code);

// A game as one bot is told of it.
struct board_view {
  game_id game;
  char mark = ' ';
  std::string_view cells;          // one glyph a cell, row by row, '-' is blank
  std::string_view opponent = {};  // who sits opposite; empty: the bot is not told
};

// `number` is the id of the call.
std::string ping_call(std::uint64_t number);
std::string next_move_call(std::string_view prefix, const board_view&, std::uint64_t number);
std::string complete_call(std::string_view prefix, const board_view&, bool winner,
                          std::uint64_t number);
std::string error_call(std::string_view prefix, game_id, bot_fault_code, std::string_view message,
                       std::uint64_t number);

}  // namespace gamehub::gateways::jsonrpc
