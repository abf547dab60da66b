// Engines and versions that come while a hub runs.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;

namespace {

std::shared_ptr<test_client> waiting(test_hub& hub, const std::string& engine) {
  auto c = hub.connect(test_hub::cells_wire);
  c->submit(seek_once(engine)), hub.settle();
  return c;
}

}  // namespace

TEST_CASE("runtime: an engine that comes while the hub runs can be asked for from then on") {
  test_hub hub{{.loops = 2}};
  const auto early = waiting(hub, "late-ttt");
  REQUIRE(early->last<refused>() != nullptr);
  CHECK(early->last<refused>()->why == refusal::unknown_engine);
  const auto number = hub.add_engine(spoiled_engine("tictactoe", "late-ttt", [](auto&) {}));
  const auto x = waiting(hub, "late-ttt");
  REQUIRE(x->last<placed>() != nullptr);
  const auto kind = hub.directory().engines[number].kind;
  CHECK(hub.cells(0).engines[kind].players_waiting.value() == 1);
  const auto o = waiting(hub, "late-ttt");
  REQUIRE(o->last<started>() != nullptr);
  CHECK(o->last<started>()->engine == "late-ttt");
  x->submit(play_cell(4)), hub.settle();
  CHECK(hub.cells(0).wires[test_hub::cells_wire].moves[kind].accepted.value() == 1);
}

TEST_CASE("runtime: a new version takes new games, and those who wait already") {
  late_journal log{false};
  test_hub hub{{.log = &log}};
  const auto a = waiting(hub, "tictactoe");
  const auto b = waiting(hub, "tictactoe");
  const auto c = waiting(hub, "tictactoe");
  const auto kind = hub.directory().engines[hub.engine("tictactoe")].kind;
  hub.add_engine(tictactoe_of_version(1, 1));
  hub.add_engine(tictactoe_of_version(0, 9));
  const auto d = waiting(hub, "tictactoe");
  REQUIRE(c->last<started>() != nullptr);
  CHECK(d->last<started>()->seat == 1);
  const auto games = log.headers();
  REQUIRE(games.size() == 2);
  CHECK(games[0].engine_version == "1.0.0");
  CHECK(games[1].engine_version == "1.1.0");
  // The older game goes on as it began, and both are counted as the same engine.
  for (const auto& first : {a, c}) {
    first->submit(play_cell(0)), hub.settle();
    CHECK(first->last_position()->cells == "X--------");
  }
  CHECK(hub.cells(0).engines[kind].games_started.value() == 2);
  CHECK(hub.cells(0).wires[test_hub::cells_wire].moves[kind].accepted.value() == 2);
  CHECK(hub.cells(0).engines[kind].players_waiting.value() == 0);
}
