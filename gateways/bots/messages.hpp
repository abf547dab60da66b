// The bodies of the hub's calls, each one JSON object on one line. Strict bots refuse unknown
// parameters, so each call has exactly those of the protocol (README.md, "Calls"). Plain functions,
// any thread.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::bots {

// A game for two with a board and without hidden information, as one bot sees it.
struct board_view {
  game_id game;
  char mark = ' ';
  std::string_view cells;          // one character per cell, row by row; '-' is blank
  std::string_view opponent = {};  // name of the opponent; empty: not sent
};

// Any other game as one bot sees it: of three seats or more, without a board, or with hidden
// information. Its calls have the members of a board_view, and more. By seat: marks and names.
struct table_view {
  game_id game;
  seat_index seat = 0;  // of the bot
  std::vector<std::string> marks = {}, players = {};
  std::string cells = {};     // as in board_view; empty: the engine has none
  std::string document = {};  // of an engine without cells: the bot's view, a JSON object
  std::string options = {};   // JSON; empty: the defaults
  bool hidden = false, simultaneous = false;
  seat_set substituted = 0;  // the seats that an engine plays on
  // The bot's legal actions, as JSON; empty: not its turn.
  std::string actions = {};
  bool more_actions = false;  // the list is cut
  // Of a game with another clock than the hub's time for each turn: its text, and what is left to
  // each seat when the bot was prompted.
  std::string clock_rule = {};
  std::vector<std::chrono::milliseconds> left = {};
  std::vector<std::uint32_t> periods = {};
};

// Returns the marks of the seats: those of the engine, or in a game without marks X, O, 3, 4, …
std::vector<std::string> marks_of(std::string_view engine_marks, std::size_t seats);

// Return the body of a call. `number` is its id.
std::string ping_call(std::uint64_t number);
std::string next_move_call(std::string_view prefix, const board_view&, std::uint64_t number);
std::string next_move_call(std::string_view prefix, const table_view&, std::uint64_t number);
std::string complete_call(std::string_view prefix, const board_view&, bool winner,
                          std::uint64_t number);
std::string complete_call(std::string_view prefix, const table_view&, const outcome&,
                          std::uint64_t number);
std::string error_call(std::string_view prefix, const bot_error&, std::uint64_t number);

}  // namespace gamehub::gateways::bots
