#include "actors/table/engine_opponent.hpp"

#include "actors/session/player_registry.hpp"
#include "engines/dice.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <set>

using namespace gamehub;
using engines::level;
namespace engine_level = actors::table::engine_opponent;

namespace {

engines::host::engine rules_of(std::string_view id) {
  return *engines::host::registry::built_in().find(id);
}

engines::host::match match_of(const engines::host::engine& e) {
  return std::get<engines::host::match>(e.create({}));
}

// A game with secrets that is too long for the search, so that it has the level random alone.
engines::host::engine long_secrets() {
  return tests::spoiled_engine("rock-paper-scissors", "long-secrets", [](auto& abi) {
    abi.plies_max = engines::host::played_plies_max + 1;
  });
}

constexpr level levels[] = {level::random, level::medium, level::perfect};

}  // namespace

TEST_CASE("engine_opponent: every built-in engine is played at all levels") {
  const auto all = engines::host::registry::built_in();
  for (const auto& rules : all.all()) {
    INFO(rules.id());
    CHECK(engine_level::levels_of(rules).size() == 3);
    CHECK(engine_level::levels_of(rules).front() == level::random);
    CHECK_FALSE(engine_level::unsupported_reason(rules, "random").has_value());
    for (const auto l : levels) CHECK(engine_level::level_or_strongest(rules, l) == l);
  }
}

TEST_CASE("engine_opponent: a level that an engine lacks is refused with those that it has") {
  CHECK(engine_level::unsupported_reason(rules_of("tictactoe"), "godlike") ==
        "plays itself as random, medium or perfect");
  CHECK(engine_level::unsupported_reason(long_secrets(), "perfect") ==
        "plays itself as random only");
  CHECK(engine_level::level_or_strongest(long_secrets(), level::perfect) == level::random);
}

TEST_CASE("engine_opponent: plays every engine at random to its end") {
  const auto all = engines::host::registry::built_in();
  for (const auto& rules : all.all()) {
    INFO(rules.id());
    auto m = match_of(rules);
    engines::rng seeds{7};
    std::vector<engines::action> draws;
    std::vector<std::uint32_t> weights;
    while (!m.over()) {
      if (m.at_chance()) {
        m.chance_outcomes(draws, weights);
        REQUIRE(m.apply(engines::chance, seeds.one_of(draws)) == nullptr);
        continue;
      }
      for (seat_index seat = 0; seat < m.players(); ++seat)
        if (engines::holds(m.to_move(), seat))
          REQUIRE(m.apply(seat, engine_level::choose_action(
                                    rules, m, seat, {level::random, seeds.next(), {}})) == nullptr);
    }
  }
}

TEST_CASE("engine_opponent: plays at once what costs no more than a move") {
  for (const auto l : levels) {
    CHECK(engine_level::is_immediate(rules_of("tictactoe"), l));
    CHECK(engine_level::is_immediate(rules_of("connect-four"), l) == (l == level::random));
    CHECK(engine_level::is_immediate(rules_of("kuhn-poker"), l));
    CHECK(engine_level::is_immediate(rules_of("rock-paper-scissors"), l) == (l == level::random));
    CHECK(engine_level::is_immediate(long_secrets(), l));
  }
}

TEST_CASE("engine_opponent: a seat says in its log how well it is played") {
  for (const auto l : levels)
    CHECK(engine_level::level_of_wire(engine_level::log_wire_name(l)) == l);
  CHECK(engine_level::log_wire_name(level::medium) == "engine:medium");
  for (const auto* other : {"", "engine", "engine:", "engine:best", "turns", "xengine:random"})
    CHECK_FALSE(engine_level::level_of_wire(other).has_value());
}

TEST_CASE("engine_opponent: no player has its name") {
  actors::session::player_registry names;
  for (const auto l : levels) {
    const auto name = engine_level::name_of(l);
    CHECK(engine_level::is_engine_player_name(name));
    const auto given = names.enter(player_id{1}, name, {});
    CHECK(given == "client-1");
    CHECK_FALSE(engine_level::is_engine_player_name(given));
    names.leave(player_id{1});
  }
  CHECK(names.enter(player_id{1}, "engineer", {}) == "engineer");
}

TEST_CASE("engine_opponent: chooses what the rules allow, the same for the same seed") {
  for (const auto* id : {"tictactoe", "connect-four", "nim"}) {
    const auto rules = rules_of(id);
    for (const auto l : levels)
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        auto m = match_of(rules);
        const auto never_long = [looks = 0]() mutable { return ++looks > 10; };
        const auto chosen = engine_level::choose_action(rules, m, 0, {l, seed, {}}, never_long);
        CHECK(chosen == engine_level::choose_action(rules, m, 0, {l, seed, {}}, never_long));
        CHECK(m.apply(0, chosen) == nullptr);
      }
  }
}

TEST_CASE("engine_opponent: at random it chooses among all that is legal") {
  const auto rules = rules_of("kuhn-poker");
  auto m = match_of(rules);
  while (m.at_chance()) {
    std::vector<engines::action> draws;
    std::vector<std::uint32_t> weights;
    m.chance_outcomes(draws, weights);
    REQUIRE(m.apply(engines::chance, draws.front()) == nullptr);
  }
  std::set<engines::action> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    seen.insert(engine_level::random_action(m, 0, seed));
  std::vector<engines::action> legal;
  m.legal_actions(0, legal);
  CHECK(seen == std::set<engines::action>(legal.begin(), legal.end()));
  // Not its turn: there is nothing to choose from.
  CHECK_THROWS_AS(engine_level::random_action(m, 1, 1), engines::host::engine_failure);
}

TEST_CASE("engine_opponent: an engine that fails to choose has failed") {
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
  CHECK_THROWS_AS(engine_level::choose_action(broken, m, 0, {}), engines::host::engine_failure);
}
