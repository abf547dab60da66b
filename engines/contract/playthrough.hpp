// Prints one game of an engine as readable text. Plain functions, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::engines::contract {

// Returns the text of a random game, which the seed determines. The engine accepts these options
// and players.
std::string playthrough(const host::engine& rules, std::uint64_t seed,
                        std::string_view options_json = {}, int players = 0);

}  // namespace gamehub::engines::contract
