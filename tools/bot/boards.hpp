// Boards for calls of NextMove: early ones, some of the middle, and one with a single legal move.
// They come from random play with a seed. Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/intent.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tools::bot {

struct asked_board {
  engines::host::match at;
  int seat = 0;       // the seat to move
  std::string cells;  // one glyph a cell, row by row
  int moves = 0;      // moves of players so far
  // Of an engine without cells: the view of the seat.
  std::string document = {};
};

// Boards of games for that number of players; 0: the default. Throws engine_failure. Requires:
// the engine has games for that number.
std::vector<asked_board> boards_of(const engines::host::engine&, std::uint64_t seed,
                                   int players = 0);

// Returns the legal actions of the seat as a JSON array.
std::string actions_of(const asked_board&);

// Why the move is not legal, in the words of a call to a bot; empty: it is legal.
std::string why_no_move(const asked_board&, std::int64_t cell);
std::string why_no_move(const asked_board&, const gamehub::move&);

}  // namespace gamehub::tools::bot
