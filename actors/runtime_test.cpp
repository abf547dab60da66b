#include "actors/runtime.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;

TEST_CASE("runtime: two players of unlike wires play to a win") {
  test_hub hub{{.loops = GENERATE(1, 2)}};
  const auto x = hub.connect(test_hub::cells_wire, 0);
  const auto o = hub.connect(test_hub::documents_wire, hub.sessions_open() >= 0 ? 0 : 0);
  x->say(seek_once());
  hub.settle();
  REQUIRE(x->last<placed>() != nullptr);
  CHECK(x->last<placed>()->seat == 0);
  o->say(seek_again({"tictactoe"}));
  hub.settle();
  const auto* began = o->last<started>();
  REQUIRE(began != nullptr);
  CHECK(began->seat == 1);
  const auto game = o->heard.back().game;
  const auto row_column = [](int cell) {
    return R"({"type":"move","row":)" + std::to_string(cell / 3) + R"(,"column":)" +
           std::to_string(cell % 3) + "}";
  };
  for (const auto& [a, b] : {std::pair{0, 3}, {1, 4}}) {
    x->say(play_cell(a));
    hub.settle();
    o->say(play_document(row_column(b), game));
    hub.settle();
  }
  x->say(play_cell(2));
  hub.settle();
  for (const auto& c : {x, o}) {
    const auto* p = c->last_position();
    REQUIRE(p != nullptr);
    REQUIRE(p->outcome.has_value());
    CHECK(p->outcome->winner == 0);
    CHECK(c->owed == 0);
  }
  CHECK(x->last_position()->cells == "XXXOO----");
  CHECK(hub.games_started() == 1);
  CHECK(hub.games_finished() == 1);
}

TEST_CASE("runtime: a player who vanishes loses, also one who was seated that very moment") {
  test_hub hub{{.loops = 2}};
  const auto a = hub.connect(test_hub::cells_wire, 0);
  const auto b = hub.connect(test_hub::cells_wire, 1);
  a->say(seek_once());
  hub.settle();
  b->say(seek_once());
  a->hang_up();
  hub.settle();
  const auto* p = b->last_position();
  if (p != nullptr) {
    REQUIRE(p->outcome.has_value());
    CHECK(p->outcome->winner == 1);
    CHECK(p->outcome->reason == end_reason::left);
  }
  CHECK(hub.games_started() == hub.games_finished());
  CHECK(hub.sessions_open() == 1);
}
