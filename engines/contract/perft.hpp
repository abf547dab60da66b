// Counts the sequences of actions up to a depth (perft), to compare implementations of rules. Plain
// functions, any thread.
#pragma once

#include "engines/contract/violation.hpp"
#include "engines/host/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

struct perft_row {
  int depth = 0;
  std::uint64_t nodes = 0;  // Sequences of this length; each chance draw counts.
  std::uint64_t ended = 0;  // Those in which the game is over.
};

// Returns why this game can't be counted, or nothing. It needs sequential turns and perfect
// information.
std::optional<std::string> uncountable(const host::engine&);

// Returns the counts for depths 0 to `depth`. uncountable() is empty, and the engine accepts the
// setup.
std::vector<perft_row> perft(const host::engine&, const game_setup&, int depth);

}  // namespace gamehub::engines::contract
