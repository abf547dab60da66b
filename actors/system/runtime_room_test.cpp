// The bound of concurrent games on every way to a game.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct small_hub {
  explicit small_hub(std::uint32_t games_max) : most(games_max) {
    options.settings.games_max = games_max;
  }

  std::shared_ptr<test_client> enter(intent what) {
    const auto c = at().connect(test_hub::documents_wire);
    c->submit(std::move(what)), at().settle();
    return c;
  }
  std::int64_t running() { return at().games_started() - at().games_finished(); }
  // Ends one game of the client that has not ended yet.
  void end_game(test_client& c) {
    std::vector<game_id> games;
    for (const auto& e : c.events)
      if (std::holds_alternative<started>(e.what)) games.push_back(e.game);
    std::erase_if(games, [&](game_id id) {
      return std::any_of(c.events.begin(), c.events.end(), [id](const event& e) {
        const auto* p = std::get_if<position_ref>(&e.what);
        return e.game == id && p != nullptr && (*p)->outcome;
      });
    });
    REQUIRE_FALSE(games.empty());
    c.submit(leave{games.front()});
  }
  test_hub& at() {
    if (!hub) hub = std::make_unique<test_hub>(options);
    return *hub;
  }

  test_hub_options options;
  std::unique_ptr<test_hub> hub;
  std::int64_t most;
};

}  // namespace

TEST_CASE("games-max: standing seeks never exceed it, and are seated when there is room again") {
  small_hub h{3};
  const auto ann = h.enter(seek_again({"tictactoe"}, 5)),
             bob = h.enter(seek_again({"tictactoe"}, 5)),
             cid = h.enter(seek_again({"tictactoe"}, 5));
  CHECK(h.running() == 3);
  // Each pair would play again after its pause.
  for (int i = 0; i < 5; ++i) {
    h.at().advance(1s);
    CHECK(h.running() <= h.most);
  }
  CHECK(h.at().games_started() == 3);
  const auto late = h.enter(seek_once());
  REQUIRE(late->last<refused>() != nullptr);
  CHECK(late->last<refused>()->why == refusal::hub_full);
  for (int i = 0; i < 10; ++i) {
    CAPTURE(i);
    // One iteration of the loop at a time: the bound holds while the ended game still has its
    // actor.
    h.end_game(i % 2 == 0 ? *ann : *bob);
    while (h.at().step(0)) CHECK(h.running() <= h.most);
    for (int step = 0; step < 12; ++step) {
      h.at().advance(100ms);
      CHECK(h.running() <= h.most);
    }
    CHECK(h.running() == h.most);
  }
  CHECK(h.at().games_started() == 13);
  for (const auto& c : {ann, bob, cid}) CHECK(c->connected());
}

TEST_CASE("games-max: a seek for many games gets the room that is left, and more as it comes") {
  small_hub h{4};
  const auto all = h.enter(seek_again({"tictactoe"}, 100));
  std::vector<std::shared_ptr<test_client>> others;
  for (int i = 0; i < 4; ++i) others.push_back(h.enter(seek_once()));
  CHECK(h.running() == 4);
  // It has free seats, and waits for room.
  h.end_game(*others.front()), h.at().settle();
  CHECK(h.running() == 3);
  others.push_back(h.enter(seek_once()));
  CHECK(others.back()->last<started>() != nullptr);
  CHECK(h.running() == 4);
}

TEST_CASE("lobby: the moves of others come between the tables of seeks for hundreds of games") {
  small_hub h{1'000};
  const auto x = h.at().connect(test_hub::cells_wire), o = h.at().connect(test_hub::cells_wire);
  for (const auto& each : {x, o}) each->submit(seek_once()), h.at().settle();
  REQUIRE(x->last<started>() != nullptr);
  std::vector<std::shared_ptr<test_client>> greedy;
  for (int i = 0; i < 3; ++i) greedy.push_back(h.at().connect(test_hub::documents_wire));
  for (const auto& each : greedy) each->submit(seek_again({"nim"}, 200));
  while (h.running() == 1) REQUIRE(h.at().step(0));
  const auto before = x->events.size();
  x->submit(play_cell(4));
  while (x->events.size() == before) REQUIRE(h.at().step(0));
  CHECK(h.running() > 1);
  CHECK(h.running() <= 100);
  for (int turns = 0; turns < 100 && h.running() <= 100; ++turns) h.at().advance(1ms);
  CHECK(h.running() > 100);
  // A client with many games leaves all of them, a few at a time.
  for (const auto& each : greedy) each->disconnect();
  h.at().settle();
  CHECK(h.running() == 1);
  CHECK(x->connected());
}

TEST_CASE("games-max: games against an engine beyond it are refused") {
  small_hub h{3};
  auto many = seek_engine();
  std::get<seek>(many).again = true;
  std::get<seek>(many).games_max = 5;
  const auto c = h.enter(many);
  CHECK(h.running() == 3);
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::hub_full);
}
