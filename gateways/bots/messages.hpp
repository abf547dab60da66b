// The bodies of the hub's calls, each one JSON object on one line. Strict bots refuse unknown
// parameters, so each call has exactly those of the protocol (README.md, "Calls"). Plain functions,
// any thread.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::gateways::bots {

// A game as one bot sees it.
struct board_view {
  game_id game;
  char mark = ' ';
  std::string_view cells;          // one character per cell, row by row; '-' is blank
  std::string_view opponent = {};  // name of the opponent; empty: not sent
};

// Return the body of a call. `number` is its id.
std::string ping_call(std::uint64_t number);
std::string next_move_call(std::string_view prefix, const board_view&, std::uint64_t number);
std::string complete_call(std::string_view prefix, const board_view&, bool winner,
                          std::uint64_t number);
std::string error_call(std::string_view prefix, const bot_error&, std::uint64_t number);

}  // namespace gamehub::gateways::bots
