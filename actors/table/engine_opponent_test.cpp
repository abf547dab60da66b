#include "actors/house.hpp"

#include <set>

#include "actors/name_book.hpp"
#include "engines/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

using namespace gamehub;
using engines::level;
namespace house = actors::house;

namespace {

engines::engine rules_of(std::string_view id) { return *engines::registry::built_in().find(id); }

engines::match match_of(const engines::engine& e) { return std::get<engines::match>(e.create({})); }

constexpr level levels[] = {level::random, level::medium, level::perfect};

}  // namespace

TEST_CASE("house: plays with an engine's own player, or with a search where all is open") {
  for (const auto* id : {"tictactoe", "connect-four", "gomoku", "othello", "nim"})
    CHECK_FALSE(house::unsupported_reason(rules_of(id)).has_value());
  const auto why = house::unsupported_reason(rules_of("rock-paper-scissors"));
  CHECK(why ==
        "has no player of its own, and the hub's can't play games of moves at the same time");
  CHECK(house::unsupported_reason(rules_of("kuhn-poker")) ==
        "has no player of its own, and the hub's can't play games of chance");
}

TEST_CASE("house: plays at once what costs no more than a move") {
  for (const auto l : levels) {
    CHECK(house::is_immediate(rules_of("tictactoe"), l));
    CHECK(house::is_immediate(rules_of("connect-four"), l) == (l == level::random));
  }
}

TEST_CASE("house: a seat says in its log how well it is played") {
  for (const auto l : levels) CHECK(house::level_of_wire(house::wire_of(l)) == l);
  CHECK(house::wire_of(level::medium) == "engine:medium");
  for (const auto* other : {"", "engine", "engine:", "engine:best", "turns", "xengine:random"})
    CHECK_FALSE(house::level_of_wire(other).has_value());
}

TEST_CASE("house: no player has its name") {
  actors::player_registry names;
  for (const auto l : levels) {
    const auto name = house::name_of(l);
    CHECK(house::is_name(name));
    const auto given = names.enter(player_id{1}, name, {});
    CHECK(given == name + "-1");
    CHECK_FALSE(house::is_name(given));
    names.leave(player_id{1});
  }
  CHECK(names.enter(player_id{1}, "engine", {}) == "engine");
}

TEST_CASE("house: chooses what the rules allow, the same for the same seed") {
  for (const auto* id : {"tictactoe", "connect-four", "nim"}) {
    const auto rules = rules_of(id);
    for (const auto l : levels)
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        auto m = match_of(rules);
        const auto never_long = [looks = 0]() mutable { return ++looks > 10; };
        const auto chosen = house::choose(rules, m, 0, {l, seed, {}}, never_long);
        CHECK(chosen == house::choose(rules, m, 0, {l, seed, {}}, never_long));
        CHECK(m.apply(0, chosen) == nullptr);
      }
  }
}

TEST_CASE("house: at random it chooses among all that is legal") {
  const auto rules = rules_of("kuhn-poker");
  auto m = match_of(rules);
  while (m.at_chance()) {
    std::vector<engines::action> draws;
    std::vector<std::uint32_t> weights;
    m.chance_outcomes(draws, weights);
    REQUIRE(m.apply(engines::chance, draws.front()) == nullptr);
  }
  std::set<engines::action> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) seen.insert(house::random_action(m, 0, seed));
  std::vector<engines::action> legal;
  m.legal_actions(0, legal);
  CHECK(seen == std::set<engines::action>(legal.begin(), legal.end()));
  // Not its turn: there is nothing to choose from.
  CHECK_THROWS_AS(house::random_action(m, 1, 1), engines::engine_failure);
}

TEST_CASE("house: an engine that fails to choose has failed") {
  const auto broken = tests::spoiled_engine("tictactoe", "chooses-nothing", [](auto& abi) {
    abi.extension = [](const char* id) -> const void* {
      static const gamehub_player player = [] {
        const void* own = tests::healthy_engine("tictactoe").extension(GAMEHUB_PLAYER);
        auto p = *static_cast<const gamehub_player*>(own);
        p.choose_in_style = [](const gamehub_match*, std::int32_t, const gamehub_play_style*,
                               std::int64_t*) -> gamehub_reason { return "engine-failure"; };
        return p;
      }();
      if (std::string_view{id} == GAMEHUB_PLAYER) return &player;
      return tests::healthy_engine("tictactoe").extension(id);
    };
  });
  auto m = match_of(broken);
  CHECK_THROWS_AS(house::choose(broken, m, 0, {}), engines::engine_failure);
}
