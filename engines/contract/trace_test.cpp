#include "engines/contract/trace.hpp"

#include "engines/contract/random_game.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <set>
#include <string>
#include <vector>

namespace gamehub::engines::contract {
namespace {

std::vector<std::string> games_of(const host::engine& rules, const settings& with) {
  std::vector<std::string> out;
  trace(rules, with, [&](const game_position& where, const std::vector<aspect>& what) {
    out.push_back(describe(where));
    for (const auto& each : what) out.back() += '\n' + each.name + ": " + each.value;
    return true;
  });
  return out;
}

TEST_CASE("trace: is of the games that the contract plays") {
  for (const auto* id : {"tictactoe", "kuhn-poker", "nim"}) {
    const auto rules = tests::built_in(id);
    std::vector<std::string> inspected;
    settings with{.playouts = 12, .seed = 5};
    std::size_t turns = 1000;
    with.at = [&](const game_position& where) {
      // A position is reported when it is reached, again with its state, and again when the
      // game is repeated.
      if (!where.in_game || where.turns.size() == turns) return;
      turns = where.turns.size();
      inspected.push_back(describe(where));
    };
    CHECK(inspect(rules, with).found.empty());
    with.at = nullptr;
    std::vector<std::string> traced;
    trace(rules, with, [&](const game_position& where, const std::vector<aspect>&) {
      traced.push_back(describe(where));
      return true;
    });
    CHECK(traced == inspected);
  }
}

TEST_CASE("trace: says everything of a state, and the same each time") {
  const auto rules = tests::built_in("kuhn-poker");
  const auto once = games_of(rules, {.playouts = 20});
  CHECK(once == games_of(rules, {.playouts = 20}));
  for (const auto* name : {"what a spectator sees: ", "what seat 0 sees: ", "what seat 1 sees: ",
                           "the saved bytes: ", "the hash: "})
    CHECK(once.front().find(name) != std::string::npos);
  CHECK(once != games_of(rules, {.playouts = 20, .seed = 2}));
}

TEST_CASE("trace: ends where it is told to") {
  int states = 0;
  trace(tests::built_in("tictactoe"), {},
        [&](const game_position&, const std::vector<aspect>&) { return ++states < 3; });
  CHECK(states == 3);
}

TEST_CASE(
    "random_setup: now and then other options than the defaults, the same for the same seed") {
  const auto rules = tests::built_in("gomoku");
  std::set<std::string> drawn;
  int plain = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto with = random_setup(rules, {}, seed);
    CHECK(with.options_json == random_setup(rules, {}, seed).options_json);
    CHECK(std::holds_alternative<host::match>(rules.create(with.options_json, with.players)));
    if (with.options_json.empty())
      ++plain;
    else
      drawn.insert(with.options_json);
  }
  CHECK(plain > 100);
  CHECK(drawn.size() > 30);
}

TEST_CASE("random_setup: what was asked for is what is played") {
  const auto rules = tests::built_in("gomoku");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto with = random_setup(rules, {R"({"rows":7})", 2}, seed);
    CHECK(with.options_json == R"({"rows":7})");
    CHECK(with.players == 2);
  }
}

}  // namespace
}  // namespace gamehub::engines::contract
