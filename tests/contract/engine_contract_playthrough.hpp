// One game of an engine as a text that a person can read, to be kept beside the engine and
// compared. Plain functions, any thread.
#pragma once

#include "engines/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::tests {

// Plays at random, the same for the same seed.
std::string playthrough(const engines::engine& rules, std::uint64_t seed,
                        std::string_view options_json = {});

// The text that is kept in a file. With GAMEHUB_PLAYTHROUGH=write in the environment, writes the
// current one there first.
std::string kept_playthrough(const std::string& path, std::string_view current);

}  // namespace gamehub::tests
