// The contract of engines as a test, and the playthrough that is kept beside an engine. Plain
// functions, any thread.
#pragma once

#include "engines/contract/contract.hpp"
#include "engines/contract/playthrough.hpp"
#include "engines/registry.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

using engines::contract::playthrough;

// GAMEHUB_SEED from the environment, else 1.
std::uint64_t seed_of_this_run();

// As engines::contract::violations, with the seed of this run where none is given.
std::vector<std::string> violations(const engines::engine& rules,
                                    engines::contract::settings with = {});

inline void check_engine_contract(const engines::engine& rules,
                                  const engines::contract::settings& with = {}) {
  for (const auto& found : tests::violations(rules, with)) FAIL_CHECK(found);
  SUCCEED();
}

// An engine that was compiled in. Throws std::out_of_range if there is none of that id.
engines::engine built_in(std::string_view id);

// How many games there are of no move, of one, and so on; one that ended sooner is not counted.
std::vector<std::uint64_t> games_of_each_length(const engines::engine&, int moves_max,
                                                const engines::contract::set_up& with = {});

// The text that is kept in a file. With GAMEHUB_PLAYTHROUGH=write in the environment, writes the
// current one there first.
std::string kept_playthrough(const std::string& path, std::string_view current);

}  // namespace gamehub::tests
