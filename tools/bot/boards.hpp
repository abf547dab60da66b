// Boards for calls of NextMove: early ones, some of the middle, and one with a single legal move.
// They come from random play with a seed. Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tools::bot {

struct asked_board {
  engines::host::match at;
  int seat = 0;       // the seat to move
  std::string cells;  // one glyph a cell, row by row
  int moves = 0;      // moves made so far
};

// Throws engine_failure. Requires: the engine has cells, for two players who move in turn.
std::vector<asked_board> boards_of(const engines::host::engine&, std::uint64_t seed);

// Why the cell is not a legal move, in the words of a call to a bot; empty: it is legal.
std::string why_no_move(const asked_board&, std::int64_t cell);

}  // namespace gamehub::tools::bot
