// The conformance suite as a test, and the playthrough in the folder of an engine. Plain functions,
// any thread.
#pragma once

#include "engines/contract/contract.hpp"
#include "engines/contract/playthrough.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

using engines::contract::playthrough;

// The value of GAMEHUB_SEED in the environment, else 1.
std::uint64_t seed_of_this_run();

// As engines::contract::violations, with the seed of this run by default.
std::vector<std::string> violations(const engines::host::engine& rules,
                                    engines::contract::settings with = {});

// As violations(); with a sanitizer by fewer playouts.
inline void check_engine_contract(const engines::host::engine& rules,
                                  engines::contract::settings with = {}) {
  if (sanitized) with.playouts = std::max(1, with.playouts / 4);
  for (const auto& found : tests::violations(rules, with)) FAIL_CHECK(found);
  SUCCEED();
}

// A built-in engine. Throws std::out_of_range for an unknown id.
engines::host::engine built_in(std::string_view id);

// The number of games after no move, after one, and so on; a game that ended earlier is not
// counted.
std::vector<std::uint64_t> games_of_each_length(const engines::host::engine&, int moves_max,
                                                const engines::contract::game_setup& with = {});

// The text in a file. With GAMEHUB_PLAYTHROUGH=write in the environment, writes the current text to
// the file first.
std::string kept_playthrough(const std::string& path, std::string_view current);

}  // namespace gamehub::tests
