#include "hub/server/engine_catalog.hpp"

#include "engines/contract/move_examples.hpp"
#include "gateways/http/player_symbols.hpp"
#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::server {
namespace {

using tests::spoiled_engine;
using tests::tictactoe_of_version;

// All wires, with TicTacToe on the ports that have one engine.
engine_catalog everything() {
  config::settings s;
  for (const auto* p : gateways::protocols()) {
    auto& wire = s.wires[std::string{p->name}];
    wire.port = 0;
    wire.engine = "tictactoe";
  }
  return make_engine_catalog(engines::host::registry::built_in(), s);
}

std::string refusal_of(engine_catalog& to, const engines::host::engine& late) {
  const auto taken = add_engine(to, late);
  const auto* why = std::get_if<std::string>(&taken);
  return why == nullptr ? "" : *why;
}

// TicTacToe's rules under the shape of another game, as its next version.
engines::host::engine like(const char* other) {
  return tests::spoiled_engine(other, "tictactoe",
                               [](gamehub_engine_abi& abi) { abi.version_major = 7; });
}

TEST_CASE("engine_catalog: adds an engine while the hub runs, and another version of a known one") {
  auto o = everything();
  const auto before = o.catalog.engines.size();
  const auto other = tests::spoiled_engine("tictactoe", "other", [](auto&) {});
  CHECK(refusal_of(o, other).empty());
  CHECK(refusal_of(o, tests::tictactoe_of_version(1, 1)).empty());
  CHECK(o.catalog.engines.size() == before + 2);
  CHECK(o.catalog.engines[*o.catalog.find_engine("tictactoe")].rules.version_text() == "1.1.0");
}

TEST_CASE("engine_catalog: a clock of an unknown engine is refused, unless plugins may bring it") {
  config::settings s;
  s.clocks.by_engine["nim"] = s.clocks.by_engine["chess"] = per_move_clock(std::chrono::seconds{9});
  const auto& all = engines::host::registry::built_in();
  try {
    make_engine_catalog(all, s);
    FAIL("it is not refused");
  } catch (const base::usage_error& e) {
    const std::string why = e.what();
    CHECK(why.starts_with("--engine-clock: there is no engine \"chess\"; choose one of "));
    CHECK(why.find("nim") != why.npos);
  }
  s.plugins = "somewhere";
  CHECK_NOTHROW(make_engine_catalog(all, s));
  s.plugins.clear(), s.clocks.by_engine.erase("chess");
  CHECK_NOTHROW(make_engine_catalog(all, s));
}

TEST_CASE("engine_catalog: each engine has examples of its moves from the time when it was added") {
  auto o = everything();
  for (const auto& each : o.catalog.engines) {
    CAPTURE(each.traits.id);
    CHECK(each.examples.starts_with(R"([{"player":")"));
  }
  const auto& cards = o.catalog.engines[*o.catalog.find_engine("oh-hell")].examples;
  for (const auto* player : {"X", "O", "3", "chance"})
    CHECK(cards.find(R"("player":")" + std::string{player} + '"') != std::string::npos);
  // A plugin brings those that its probe has found.
  CHECK(std::holds_alternative<std::uint16_t>(
      add_engine(o, tests::tictactoe_of_version(1, 1), "[1]")));
  CHECK(o.catalog.engines[*o.catalog.find_engine("tictactoe")].examples == "[1]");
}

TEST_CASE("engine_catalog: examples name the players as HTTP does") {
  for (int seat = 0; seat < GAMEHUB_SEATS_MAX; ++seat)
    CHECK(engines::contract::player_name(seat) == gateways::http::mark_of(seat).text());
}

TEST_CASE("engine_catalog: examples of a plugin are not made in this process") {
  auto engines = engines::host::registry::built_in();
  const auto crashes = spoiled_engine("tictactoe", "crashes", [](gamehub_engine_abi& abi) {
    abi.action_to_json = [](const gamehub_match*, std::int64_t, char*, std::size_t) -> std::size_t {
      throw std::runtime_error{"no JSON today"};
    };
  });
  REQUIRE_FALSE(engines.add(crashes));
  const std::vector<plugins::plugin> files{{"crashes.so", crashes, {}, "[2]"}};
  const auto with = make_engine_catalog(engines, {}, files);
  CHECK(with.catalog.engines[*with.catalog.find_engine("crashes")].examples == "[2]");
  // An engine that fails has none.
  const auto without = make_engine_catalog(engines, {});
  CHECK(without.catalog.engines[*without.catalog.find_engine("crashes")].examples.empty());
}

TEST_CASE("engine_catalog: refuses a version that it has") {
  auto o = everything();
  CHECK(refusal_of(o, tests::tictactoe_of_version(1, 0)) ==
        "engine tictactoe is already there in version 1.0.0");
}

TEST_CASE("engine_catalog: refuses a new version whose traits differ for clients") {
  auto o = everything();
  CHECK(refusal_of(o, like("gomoku")) ==
        "it is for 2 players on 15 x 15 cells as XO, and version 1.0.0, which is played here, is "
        "for 2 players on 3 x 3 cells as XO: restart the hub to load it");
  CHECK(refusal_of(o, like("nim")).find("it is for 2 players, and version 1.0.0") == 0);
  const auto at_once = tests::spoiled_engine("tictactoe", "tictactoe", [](gamehub_engine_abi& abi) {
    abi.version_major = 7;
    abi.flags |= GAMEHUB_SIMULTANEOUS;
  });
  CHECK(refusal_of(o, at_once)
            .find("it can't be played over opcodes, whose engine it is: it lets "
                  "its players move at the same time") == 0);
}

TEST_CASE("engine_catalog: adds an older version of any shape, because logs need it") {
  auto o = everything();
  const auto old = tests::spoiled_engine("gomoku", "tictactoe",
                                         [](gamehub_engine_abi& abi) { abi.version_major = 0; });
  CHECK(refusal_of(o, old).empty());
  CHECK(o.catalog.engines[*o.catalog.find_engine("tictactoe")].rules.version_text() == "1.0.0");
}

TEST_CASE("engine_catalog: refuses an engine that fails when its board is read") {
  auto o = everything();
  static gamehub_cells huge;
  const auto late = tests::spoiled_engine("tictactoe", "huge", [](gamehub_engine_abi& abi) {
    abi.extension = [](const char* id) -> const void* {
      if (std::string_view{id} != GAMEHUB_CELLS) return nullptr;
      huge = *static_cast<const gamehub_cells*>(
          tests::healthy_engine("tictactoe").extension(GAMEHUB_CELLS));
      huge.size = [](const gamehub_match*, std::int32_t* rows, std::int32_t* columns) {
        *rows = *columns = 1 << 20;
      };
      return &huge;
    };
  });
  CHECK(refusal_of(o, late) == "the engine's board has an impossible size");
}

TEST_CASE(
    "engine_catalog: an engine that throws at the start is left out, and the others are there") {
  auto registry = engines::host::registry::built_in();
  const auto all = registry.all().size();
  registry.add(tests::spoiled_engine("tictactoe", "throws", [](gamehub_engine_abi& abi) {
    abi.create = [](const char*, std::size_t, std::int32_t, gamehub_reason*) -> gamehub_match* {
      throw std::runtime_error{"a test"};
    };
  }));
  const auto made = make_engine_catalog(registry, {});
  CHECK(made.catalog.engines.size() == all);
  CHECK_FALSE(made.catalog.find_engine("throws"));
}

TEST_CASE("engine_catalog: refuses engines beyond the limit") {
  auto o = everything();
  for (std::uint32_t i = 1; o.catalog.engines.size() < limits::engines_max; ++i)
    REQUIRE(refusal_of(o, tests::tictactoe_of_version(2, i)).empty());
  CHECK(refusal_of(o, tests::tictactoe_of_version(3, 0)).find("there are 128 engines already") ==
        0);
}

}  // namespace
}  // namespace gamehub::server
