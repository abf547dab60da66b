// Games with options: who meets whom, what is refused and why, and that a game comes back as it
// was.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

intent seek_with(std::vector<std::string> engines, std::vector<std::string> options) {
  seek s;
  s.engines = std::move(engines);
  s.options = std::move(options);
  s.seat_at_once = true;
  return s;
}
intent seek_gomoku(std::string options) { return seek_with({"gomoku"}, {std::move(options)}); }

std::optional<std::string> more_than_256_cells(const engine_traits& t) {
  if (t.cells() <= 256) return std::nullopt;
  return "has " + std::to_string(t.cells()) + " cells";
}

}  // namespace

TEST_CASE("runtime: players who want the same options meet, however they spell them") {
  late_journal log{false};
  test_hub hub{{.log = &log}};
  const auto a = hub.connect(test_hub::cells_wire), b = hub.connect(test_hub::cells_wire),
             c = hub.connect(test_hub::cells_wire);
  a->submit(seek_gomoku(R"({"rows":7,"columns":7})"));
  hub.settle();
  b->submit(seek_gomoku(R"({"rows":7})"));
  hub.settle();
  CHECK(hub.games_started() == 0);
  c->submit(seek_gomoku(R"( {"columns" : 7,"rows":7, "in_a_row":5} )"));
  hub.settle();
  CHECK(hub.games_started() == 1);
  REQUIRE(c->last_position() != nullptr);
  CHECK(c->last_position()->rows == 7);
  CHECK(c->last_position()->cells.size() == 49);
  CHECK(b->last_position() == nullptr);
  // The log has the one spelling.
  CHECK(log.headers().front().options == R"({"rows":7,"columns":7})");
}

TEST_CASE("runtime: options that spell out the defaults are the defaults") {
  test_hub hub;
  const auto a = hub.connect(test_hub::cells_wire), b = hub.connect(test_hub::cells_wire);
  a->submit(seek_gomoku(""));
  b->submit(seek_gomoku(R"({"rows":15,"columns":15})"));
  hub.settle();
  CHECK(hub.games_started() == 1);
}

TEST_CASE("runtime: wrong options are refused with their name, and none of the games is begun") {
  test_hub hub;
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(seek_with({"tictactoe", "gomoku"}, {"", R"({"rows":99})"}));
  hub.settle();
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::bad_options);
  CHECK(c->last<refused>()->detail ==
        "gomoku: option \"rows\" must be an integer from 3 to 19, not 99");
  CHECK(hub.cells(0)
            .wires[test_hub::documents_wire]
            .refusals[static_cast<std::size_t>(refusal::bad_options)]
            .value() == 1);
  CHECK(hub.cells(0).engines[hub.engine("tictactoe")].players_waiting.value() == 0);
  // It may ask again, for something better.
  c->submit(seek_with({"tictactoe", "gomoku"}, {"", R"({"rows":9})"}));
  hub.settle();
  CHECK(c->last<placed>() != nullptr);
  CHECK(hub.cells(0).engines[hub.engine("gomoku")].players_waiting.value() == 1);
}

TEST_CASE("runtime: whether an engine fits a wire is asked for the options of the game") {
  test_hub hub{{.unsupported_reason = more_than_256_cells}};
  const auto c = hub.connect(test_hub::cells_wire), d = hub.connect(test_hub::documents_wire);
  for (const auto& each : {c, d}) each->submit(seek_gomoku(R"({"rows":19,"columns":19})"));
  hub.settle();
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::unfit_engine);
  CHECK(c->last<refused>()->detail == "has 361 cells");
  CHECK(d->last<placed>() != nullptr);
  c->submit(seek_gomoku(R"({"rows":16,"columns":16})"));
  hub.settle();
  CHECK(c->last<placed>() != nullptr);
}

TEST_CASE(
    "runtime: the engine player plays with options, and a game with them comes back after a kill") {
  late_journal log{false};
  const test_hub_options on{.settings = {0s, 0s, 0s, 100, 100, 60s}, .log = &log};
  test_hub hub{on};
  log.be_durable();
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(sign_in{"ann", {}});
  auto wish = seek_gomoku(R"({"rows":3,"columns":3,"in_a_row":3})");
  std::get<seek>(wish).against_engine = true;
  c->submit(wish);
  hub.settle();
  const auto game = c->events.back().game;
  c->submit(gamehub::play{game, {move::form::cell, 4, {}}});
  hub.settle();
  const auto left = log.left_behind();
  auto again = on;
  again.log = left.get();
  test_hub next{again};
  struct deaf final : actors::system::recovery_listener {
    void on_progress(std::size_t, std::size_t) override {}
    void on_quarantined(game_id, const std::string& why) override { FAIL_CHECK(why); }
  } events;
  CHECK(next.runtime().recover(events).restored == 1);
  const auto back = next.connect(test_hub::documents_wire);
  back->submit(sign_in{"", c->last<signed_in>()->secret});
  next.settle();
  REQUIRE(back->last_position() != nullptr);
  CHECK(back->last_position()->document == c->last_position()->document);
  CHECK(back->last_position()->to_move == only(0));
}
