#include "tools/engine/strength.hpp"

#include "engines/host/registry.hpp"
#include "engines/host/search.hpp"
#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

namespace gamehub::tools::engine {
namespace {

using engines::level;

using tests::sanitized;

const engines::host::registry& built_in() {
  static const auto all = engines::host::registry::built_in();
  return all;
}

engines::host::engine built_in_rules(std::string_view id) { return *built_in().find(id); }

// Few games of the same playouts each time. The least margin is what was measured, less a part.
struct expected_strength {
  std::string_view id;
  int games;
  double medium, perfect;
  std::string options = {};
};

TEST_CASE("strength: each engine plays as well as it did, and better than random play") {
  const std::vector<expected_strength> table{
      {"backgammon", 6, 0, 0},
      {"battleship", 20, 1.9, 1.9},
      {"checkers", 6, 1.9, 1.9},
      {"connect-four", 20, 1.7, 1.9},
      {"dots-and-boxes", 20, 0.5, 0.5},
      {"gomoku", 10, 1.5, 1.5, R"({"rows":7,"columns":7,"in_a_row":4})"},
      {"hex", 4, 1.4, 1.4},
      {"kuhn-poker", 2'000, 0.1, 0.3},
      {"nim", 40, 1.2, 1.8},
      {"oh-hell", 100, 1, 8},
      {"othello", 8, 1.4, 1.4},
      {"tictactoe", 60, 1.2, 1.6},
  };
  // No play of rock, paper, scissors is better than random play against it.
  CHECK(table.size() + 1 == built_in().all().size());
  for (const auto& each : table) {
    strength_request asked;
    asked.games = sanitized ? std::max(1, each.games / 10) : each.games;
    asked.playouts = sanitized ? 20 : 100;
    asked.options = each.options;
    for (const auto skill : {level::medium, level::perfect}) {
      const auto row = measure_strength(built_in_rules(each.id), asked, skill);
      INFO(each.id << ' ' << engines::to_string(skill) << ' ' << row.margin << " ± " << row.error);
      CHECK(row.games == asked.games);
      if (sanitized) continue;
      CHECK(row.margin >= (skill == level::medium ? each.medium : each.perfect));
      CHECK(row.better_than_random());
    }
  }
}

// A built-in engine without its player, which the search plays in its place.
engines::host::engine without_player(const std::string& id) {
  return tests::spoiled_engine(id, id + "-alone", [](gamehub_engine_abi& abi) {
    abi.extension = [](const char*) -> const void* { return nullptr; };
  });
}

TEST_CASE("strength: the search plays games with secrets better than random play") {
  const std::vector<std::tuple<std::string, int, double>> table{{"kuhn-poker", 400, 0.2},
                                                                {"oh-hell", 10, 5.0}};
  for (const auto& [id, games, least] : table) {
    strength_request asked;
    asked.games = sanitized ? std::max(1, games / 10) : games;
    asked.playouts = 40;
    const auto row = measure_strength(without_player(id), asked, level::perfect);
    INFO(id << ' ' << row.margin << " ± " << row.error);
    if (!sanitized) CHECK(row.margin > least);
  }
}

TEST_CASE("strength: engines/README.md has each engine") {
  std::ifstream in{GAMEHUB_ENGINES_DIR "/README.md", std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  const auto from = text.find("\n### Strength\n");
  REQUIRE(from != std::string::npos);
  const auto section = text.substr(from, text.find("\n### ", from + 1) - from);
  for (const auto& rules : built_in().all()) {
    CAPTURE(rules.id());
    const auto row = "\n| `" + std::string{rules.id()} + "` | ";
    CHECK(section.find(row) != std::string::npos);
  }
}

TEST_CASE("strength: random play is as good as random play") {
  for (const auto* id : {"tictactoe", "oh-hell", "kuhn-poker"}) {
    strength_request asked;
    asked.games = 400;
    const auto row = measure_strength(built_in_rules(id), asked, level::random);
    INFO(id << ' ' << row.margin << " ± " << row.error);
    CHECK(std::abs(row.margin) < 2 * row.error);
    CHECK(row.won + row.drawn() + row.lost == 400);
  }
}

TEST_CASE("strength: the same playouts and seed give the same result") {
  strength_request asked;
  asked.games = 10;
  asked.playouts = 40;
  const auto rules = built_in_rules("dots-and-boxes");
  const auto one = measure_strength(rules, asked, level::perfect);
  CHECK(one.margin == measure_strength(rules, asked, level::perfect).margin);
  asked.seed = 77;
  CHECK(one.margin != measure_strength(rules, asked, level::perfect).margin);
}

TEST_CASE("strength: the table has a line for each level, and says what is weak") {
  strength_request asked;
  asked.games = 30;
  const auto said = strength_table(built_in_rules("tictactoe"), asked);
  CHECK(said.starts_with("tictactoe 1.0.0 against random play\n\n  level "));
  CHECK(said.find("\n  medium          30 ") != std::string::npos);
  CHECK(said.find("\n  perfect         30 ") != std::string::npos);
  CHECK(said.find("not better") == std::string::npos);
  asked.games = 10;
  CHECK(strength_table(built_in_rules("kuhn-poker"), asked)
            .find("\n\n  the level medium is not better than random play\n") != std::string::npos);
  const auto is_long = tests::spoiled_engine("rock-paper-scissors", "long-secrets", [](auto& abi) {
    abi.plies_max = engines::host::played_plies_max + 1;
  });
  CHECK(strength_table(is_long, asked).find(" at random only: ") != std::string::npos);
}

TEST_CASE("strength: options that the engine refuses are a mistake in a sentence") {
  strength_request asked;
  asked.players = 7;
  CHECK_THROWS_AS(measure_strength(built_in_rules("nim"), asked, level::perfect),
                  base::usage_error);
}

}  // namespace
}  // namespace gamehub::tools::engine
