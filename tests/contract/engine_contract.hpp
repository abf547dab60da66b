// What every engine must keep, asked of it by random play. The findings are sentences, so that a
// test of the contract itself can look at them; tests of engines call check_engine_contract().
// Plain functions, any thread.
#pragma once

#include "engines/engine.hpp"
#include "engines/registry.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

// GAMEHUB_SEED from the environment, else 1.
std::uint64_t seed_of_this_run();

struct engine_contract_options {
  std::string options_json{};  // For create.
  int players = 0;
  int playouts = 60;
  std::uint64_t seed = seed_of_this_run();
  // Some public action shows what was secret while the match goes on (a showdown between two
  // hands). What views say is then compared only up to the next public action.
  bool reveals_midway = false;
};

// Every promise that the engine broke, once each, with where it was first seen; empty if it kept
// all.
std::vector<std::string> violations(const engines::engine& rules,
                                    const engine_contract_options& options = {});

inline void check_engine_contract(const engines::engine& rules,
                                  const engine_contract_options& options = {}) {
  for (const auto& found : violations(rules, options)) FAIL_CHECK(found);
  SUCCEED();
}

// An engine that was compiled in. Throws std::out_of_range if there is none of that id.
engines::engine built_in(std::string_view id);

}  // namespace gamehub::tests
