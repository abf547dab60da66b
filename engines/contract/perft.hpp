// How many ways there are to play so many turns: a number that rules can be compared by. Plain
// functions, any thread.
#pragma once

#include "engines/contract/finding.hpp"
#include "engines/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

struct perft_row {
  int depth = 0;
  std::uint64_t nodes = 0;  // Ways to play so many turns; each draw of chance is one.
  std::uint64_t ended = 0;  // Of these, games that are over.
};

// Why nodes of this game can't be counted, or nothing: turns must be taken one after the other, and
// everyone must see the state.
std::optional<std::string> uncountable(const engine&);

// From no turn to so many. Requires: not uncountable(), and the engine creates such a match.
std::vector<perft_row> perft(const engine&, const set_up&, int depth);

}  // namespace gamehub::engines::contract
