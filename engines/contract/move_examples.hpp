// Examples of an engine's moves, for authors of clients: positions of a random game with some of
// their legal moves. Plain functions, any thread.
#pragma once

#include "engines/contract/violation.hpp"
#include "engines/host/engine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

struct move_example {
  std::string text;
  std::string json;
  std::int64_t cell = -1;  // that it marks; -1: none
};

struct example_position {
  int seat = 0;           // the one to move, or `chance`
  std::string view;       // of this seat; of chance that of spectators
  std::size_t legal = 0;  // number of all legal moves
  std::vector<move_example> moves;
};

struct example_bounds {
  std::size_t positions = 16;      // of all seats
  std::size_t seat_positions = 4;  // of one seat
  std::size_t moves = 6;           // of one position
  std::size_t candidates = 32;     // legal moves that are looked at in one position
  std::size_t bytes = 16 * 1024;   // of all views, texts and JSON
  int plies = 300;
  std::chrono::nanoseconds time{0};  // after which no further move is looked at; zero: no bound
};

// Returns the positions of the random game of this seed in which a seat has moves of a new form:
// other members, or a text with other words and signs. The same arguments give the same result
// unless the time is up. Texts that clients could not read are left out. Empty if the engine
// refuses the setup. Throws engine_failure.
std::vector<example_position> move_examples(const host::engine&, std::uint64_t seed,
                                            const game_setup& = {}, const example_bounds& = {});

// Returns the name of a seat for clients: X, O, then 3, 4 and so on; chance.
std::string player_name(int seat);

// Returns the positions as a JSON array.
std::string examples_json(const std::vector<example_position>&);

}  // namespace gamehub::engines::contract
