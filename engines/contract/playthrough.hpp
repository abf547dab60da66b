// One game of an engine as a text that a person can read. Plain functions, any thread.
#pragma once

#include "engines/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::engines::contract {

// Plays at random, the same for the same seed.
// Requires: the engine creates a match with these options and players.
std::string playthrough(const engine& rules, std::uint64_t seed, std::string_view options_json = {},
                        int players = 0);

}  // namespace gamehub::engines::contract
