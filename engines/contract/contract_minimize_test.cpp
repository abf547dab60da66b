#include "engines/contract/contract.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

namespace gamehub::engines::contract {
namespace {

using namespace std::chrono_literals;

// Spells actions as no JSON object as soon as cells 0 and 8 are both taken.
host::engine spoiled_by_two_corners() {
  return tests::spoiled_engine("tictactoe", "two-corners", [](gamehub_engine_abi& abi) {
    abi.action_to_json = [](const gamehub_match* m, std::int64_t a, char* out,
                            std::size_t capacity) -> std::size_t {
      const auto& whole = tests::healthy_engine("tictactoe");
      const auto* cells = static_cast<const gamehub_cells*>(whole.extension(GAMEHUB_CELLS));
      char board[9];
      cells->glyphs(m, GAMEHUB_SPECTATOR, board, sizeof board);
      if (board[0] == GAMEHUB_BLANK || board[8] == GAMEHUB_BLANK)
        return whole.action_to_json(m, a, out, capacity);
      if (capacity >= 4) std::memcpy(out, "null", 4);
      return 4;
    };
  });
}

violation first_of(const host::engine& rules, std::uint64_t seed) {
  const auto found = inspect(rules, {.playouts = 200, .seed = seed}).found;
  REQUIRE_FALSE(found.empty());
  return found.front();
}

TEST_CASE("minimize: leaves the turns that it takes and no others") {
  const auto rules = spoiled_by_two_corners();
  std::size_t longest = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto found = first_of(rules, seed);
    CHECK(found.promise == "an action's JSON is no object");
    longest = std::max(longest, found.where.turns.size());
    const auto less = minimize(rules, found, 10s);
    CHECK(less.promise == found.promise);
    CHECK(less.where.seed == found.where.seed);
    REQUIRE(less.where.turns.size() == 2);
    CHECK(less.where.turns[0].value + less.where.turns[1].value == 8);
    CHECK(less.where.turns[0].seat == 0);
    CHECK(less.where.turns[1].seat == 1);
    CHECK(less.where.state != found.where.state);
  }
  CHECK(longest > 2);
}

TEST_CASE("minimize: leaves a violation unchanged if its state alone does not show it") {
  const auto rules = tests::spoiled_engine("tictactoe", "too-long",
                                           [](gamehub_engine_abi& abi) { abi.plies_max = 6; });
  const auto found = first_of(rules, 1);
  CHECK(found.promise == "a match is longer than plies_max");
  CHECK(describe(minimize(rules, found, 10s)) == describe(found));
}

TEST_CASE("minimize: stops when its time is over") {
  const auto rules = spoiled_by_two_corners();
  const auto found = first_of(rules, 3);
  CHECK(minimize(rules, found, 0s).where.turns.size() <= found.where.turns.size());
}

}  // namespace
}  // namespace gamehub::engines::contract
