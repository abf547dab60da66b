// A hub of a cluster that drains: other hubs continue its games at once, and its clients stay
// connected to it until these have ended.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/socket_client.hpp"
#include "tests/system/turns_client.hpp"
#include "tests/system/turns_pair.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

// Longer than a test: a hub that ends earlier does so because its last client has left.
const std::vector<std::string> long_drain{"--drain-seconds", "300"};

void drain(hub& at) {
  at.process().signal(SIGTERM);
  at.await("drains", [&] { return at.get("/readyz").status == 503; });
}

TEST_CASE("cluster drain: clients of each wire play on over their connections, to the end") {
  for (const auto x : wires)
    for (const auto o : wires) {
      CAPTURE(to_string(x), to_string(o));
      linked_hubs h{2, long_drain};
      auto game = open_game(h[0], x, o);
      drain(h[0]);
      h[1].await_count("gamehub_cluster_adopted_games_total", {}, 1);
      play_out(*game.x, *game.o, game.board, {0, 1, 3, 7}, 'X');
      // Then the hub has nothing more for them.
      for (auto* each : {&game.x->socket(), &game.o->socket()}) {
        each->rest();
        CHECK(each->ended());
        each->close();
      }
      CHECK(h[0].wait() == 0);
      CHECK(h[1].count("gamehub_games_finished_total", {{"result", "first"}}) == 1);
    }
}

TEST_CASE("cluster drain: a move that crosses the hand-over is made once") {
  linked_hubs h{2, long_drain};
  auto game = open_game(h[0], wire::opcodes, wire::turns);
  h[0].process().signal(SIGTERM);
  game.o->moves(0);
  game.o->is_answered("O---X----", true);
  game.x->sees("O---X----");
  game.x->is_prompted("O---X----");
  play_out(*game.x, *game.o, "O---X----", {1, 3, 7}, 'X');
  for (auto* each : {&game.x->socket(), &game.o->socket()}) each->close();
  CHECK(h[0].wait() == 0);
}

TEST_CASE("cluster drain: a WebSocket plays on, and a client of another hub too") {
  linked_hubs h{3, long_drain};
  const std::string sits = R"(,"supported_games":["tictactoe"],"max_games":1})";
  turns_client ann{h[0].turns()};
  ann.say(R"({"type":"connect","name":"ann")" + sits);
  REQUIRE(ann.next() == "name ann");
  h[0].await_waiting("tictactoe", 1);
  socket_client bob{h[1].http()};
  bob.say(R"({"type":"connect","name":"bob")" + sits);
  REQUIRE(bob.next("start")["game_id"] == 0);
  for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(ann.next() == said);
  // Each in turn leaves its clients to another hub.
  drain(h[0]);
  ann.move(0, 1, 1);
  REQUIRE(ann.next() == "0 state ---/-X-/--- null");
  REQUIRE(bob.next("turn").is_object());
  drain(h[1]);
  bob.say(turns_client::message(0, turns_client::move_payload(0, 0)));
  while (ann.next() != "0 turn") continue;
  ann.move(0, 0, 1);
  REQUIRE(bob.next("turn").is_object());
  bob.say(R"({"type":"close","game_id":0})");
  while (ann.next() != "close 0") continue;
  ann.socket().close();
  CHECK(bob.next("close").is_object());
  bob.socket().close();
  CHECK(h[0].wait() == 0);
  CHECK(h[1].wait() == 0);
  CHECK(h[2].count("gamehub_cluster_adopted_games_total") >= 1);
}

TEST_CASE(
    "cluster drain: the next request over HTTP to any hub finds the game, and is carried out") {
  linked_hubs h{2, long_drain};
  http_table t{h[0]};
  t.begin();
  t.play(0, 2);
  drain(h[0]);
  api_client any{h[1].http()};
  for (std::size_t i = 2; i < std::size(moves); ++i) {
    const auto& who = i % 2 == 0 ? t.x : t.o;
    CHECK(any.post("/api/move", "client_id=" + who.id + "&position=" + std::to_string(moves[i]))
              .status == 200);
  }
  CHECK(any.get("/api/games/" + t.game).json()["status"] == "ended");
  CHECK(h[0].wait() == 0);
}

TEST_CASE("cluster drain: a second signal ends it at once, and the clients come back") {
  linked_hubs h{2, {"--drain-seconds", "300", "--turns-grace-seconds", "60"}};
  turns_pair players{h[0]};
  drain(h[0]);
  h[1].await_count("gamehub_cluster_adopted_games_total", {}, 1);
  players.come_back(h[0], h[1], 0);
}

}  // namespace
}  // namespace gamehub::tests::system
