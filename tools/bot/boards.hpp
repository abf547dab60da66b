// Boards on which a bot is asked for its move: the first ones, some of the middle, and one that
// leaves a single move. Made by playing at random from a seed. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace gamehub::app::bots {

struct asked_board {
  engines::match at;
  int seat = 0;       // who is to move
  std::string cells;  // one glyph a cell, row by row
  int moves = 0;      // made so far
};

// Throws engine_failure. Requires: the engine has cells, for two players who move in turn.
std::vector<asked_board> boards_of(const engines::engine&, std::uint64_t seed);

// Why that cell is no move there, as it is told to bots; empty: it is one.
std::string why_no_move(const asked_board&, std::int64_t cell);

}  // namespace gamehub::app::bots
