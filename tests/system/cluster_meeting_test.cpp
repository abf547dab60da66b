// Players of different hubs of one cluster: they meet, and come back at any hub.
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/socket_client.hpp"
#include "tests/system/turns_client.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

const std::string sits = R"(,"supported_games":["tictactoe"],"max_games":1,"wants":["resume"]})";

// A game of ann at one hub and bob at another one, with one move of ann.
struct far_game {
  far_game(hub& at_ann, hub& at_bob) : ann(at_ann.turns()), bob(at_bob.turns()) {
    ann.say(R"({"type":"connect","name":"ann")" + sits);
    REQUIRE(ann.next() == "name ann");
    at_ann.await_waiting("tictactoe", 1);
    bob.say(R"({"type":"connect","name":"bob")" + sits);
    for (const auto* said : {"name bob", "start 0", "0 state ---/---/--- null"})
      REQUIRE(bob.next() == said);
    for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
      REQUIRE(ann.next() == said);
    ann.move(0, 1, 1);
    REQUIRE(ann.next() == "0 state ---/-X-/--- null");
    for (const auto* said : {"0 state ---/-X-/--- null", "0 turn"}) REQUIRE(bob.next() == said);
  }

  turns_client ann, bob;
};

void check_comes_back(turns_client& bob, const std::string& secret) {
  bob.resume(secret);
  for (const auto* said : {"name bob", "start 0", "0 state ---/-X-/--- null", "0 turn"})
    REQUIRE(bob.next() == said);
  CHECK(bob.secret() == secret);
}

TEST_CASE("cluster meeting: each wire plays each other one across hubs, to each end") {
  linked_hubs h{2};
  for (const auto x : wires)
    for (const auto o : wires)
      for (const auto& how : scripts()) {
        play_across(h[0], h[1], x, o, how);
        play_across(h[1], h[0], x, o, how);
      }
  CHECK(h[0].count("gamehub_relay_moves_total") > 0);
  CHECK(h[1].count("gamehub_relay_moves_total") > 0);
  for (auto& each : h.hubs) {
    each->await_count("gamehub_relay_clients", {{"side", "entry"}}, 0);
    each->await_count("gamehub_relay_clients", {{"side", "home"}}, 0);
  }
}

TEST_CASE("cluster meeting: a player of another hub wins when the other one leaves") {
  linked_hubs h{2};
  far_game g{h[0], h[1]};
  CHECK(h[0].count("gamehub_relay_clients", {{"side", "home"}}) == 1);
  CHECK(h[1].count("gamehub_relay_clients", {{"side", "entry"}}) == 1);
  g.ann.say(R"({"type":"close","game_id":0})");
  REQUIRE(g.bob.next() == R"(0 state ---/-X-/--- "O")");
  REQUIRE(g.bob.next() == "close 0");
}

TEST_CASE("cluster meeting: a WebSocket meets a player of another hub") {
  linked_hubs h{2};
  turns_client ann{h[0].turns()};
  ann.say(R"({"type":"connect","name":"ann")" + sits);
  REQUIRE(ann.next() == "name ann");
  h[0].await_waiting("tictactoe", 1);
  socket_client bob{h[1].http()};
  bob.say(R"({"type":"connect","name":"bob")" + sits);
  REQUIRE(ann.next() == "start 0");
  CHECK(ann.line()["players"] == nlohmann::json{"ann", "bob"});
}

TEST_CASE("cluster meeting: who comes back at any hub finds its game there") {
  linked_hubs h{3};
  far_game g{h[0], h[1]};
  const auto secret = g.bob.secret();
  std::vector<std::unique_ptr<turns_client>> all;
  for (const std::size_t at : {2u, 0u, 1u}) {
    auto& back = *all.emplace_back(std::make_unique<turns_client>(h[at].turns()));
    check_comes_back(back, secret);
    // The client before it is sent away.
    auto& former = all.size() == 1 ? g.bob : *all[all.size() - 2];
    REQUIRE(former.next() == "end");
    CHECK(former.closed_because() == "replaced");
    if (at == 1) {
      back.move(0, 0, 0);
      REQUIRE(back.next() == "0 state O--/-X-/--- null");
      for (const auto* said : {"0 state O--/-X-/--- null", "0 turn"}) REQUIRE(g.ann.next() == said);
    }
  }
}

TEST_CASE("cluster meeting: a client goes on when the hub of its game is killed") {
  // The adopter is the client's own hub, or it can be another one.
  for (const std::size_t hubs : {2u, 3u}) {
    CAPTURE(hubs);
    linked_hubs h{hubs};
    far_game g{h[0], h[1]};
    h[0].process().signal(SIGKILL);
    CHECK(h[0].wait() == 128 + SIGKILL);
    // Without a new connection, also a move that nothing has answered.
    g.bob.move(0, 0, 0);
    turns_client ann{h[hubs - 1].turns()};
    ann.resume(g.ann.secret());
    REQUIRE(ann.next() == "name ann");
    REQUIRE(ann.next() == "start 0");
    REQUIRE(g.bob.next() == "0 state O--/-X-/--- null");
    while (ann.next() != "0 turn") continue;
    ann.move(0, 0, 2);
    REQUIRE(g.bob.next() == "0 state O-X/-X-/--- null");
    REQUIRE(g.bob.next() == "0 turn");
    CHECK(h[1].count("gamehub_relay_returned_total") == 1);
  }
}

TEST_CASE("cluster meeting: a client of opcodes goes on when the hub of its game is killed") {
  for (const std::size_t hubs : {2u, 3u}) {
    CAPTURE(hubs);
    linked_hubs h{hubs};
    // The player that can come back is at the hub that ends, the other one has no secret.
    turns_client ann{h[0].turns()};
    ann.say(R"({"type":"connect","name":"ann")" + sits);
    REQUIRE(ann.next() == "name ann");
    h[0].await_waiting("tictactoe", 1);
    opcodes_client bob{h[1].opcodes()};
    bob.ask();
    REQUIRE(bob.next() == "ACK O");
    for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
      REQUIRE(ann.next() == said);
    ann.move(0, 1, 1);
    REQUIRE(bob.next() == "STATE ----X---- -");
    h[0].process().signal(SIGKILL);
    CHECK(h[0].wait() == 128 + SIGKILL);
    bob.move(0);
    turns_client back{h[hubs - 1].turns()};
    back.resume(ann.secret());
    REQUIRE(bob.next() == "ACK O");
    while (back.next() != "0 turn") continue;
    back.say(R"({"type":"close","game_id":0})");
    REQUIRE(bob.next() == "STATE O---X---- O");
  }
}

TEST_CASE("cluster meeting: many players at random hubs all meet") {
  linked_hubs h{3};
  base::seeded_entropy random{7};
  constexpr std::size_t players = 60;
  std::vector<std::unique_ptr<turns_client>> all;
  for (std::size_t i = 0; i < players; ++i) {
    all.push_back(std::make_unique<turns_client>(h[random.below(3)].turns()));
    all.back()->say(R"({"type":"connect","name":"p)" + std::to_string(i) + '"' + sits);
  }
  for (auto& each : all) {
    REQUIRE(each->next().starts_with("name p"));
    REQUIRE(each->next() == "start 0");
  }
  double games = 0;
  for (auto& each : h.hubs) games += each->count("gamehub_games_started_total");
  CHECK(games == players / 2);
}

}  // namespace
}  // namespace gamehub::tests::system
