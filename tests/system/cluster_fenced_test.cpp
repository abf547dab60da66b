// A hub of a cluster that was paused until another one adopted its games: its clients stay
// connected to it until these have ended, and it exits with 75.
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
const std::vector<std::string> long_stay{"--drain-seconds", "300"};

void pause_first(linked_hubs& h) {
  h[0].process().signal(SIGSTOP);
  h[1].await_count("gamehub_cluster_adopted_games_total", {}, 1);
}

void go_on(hub& at) { at.process().signal(SIGCONT); }

TEST_CASE("cluster fenced: clients play on over their connections, and a move is made once") {
  linked_hubs h{2, long_stay};
  auto game = open_game(h[0], wire::turns, wire::turns);
  pause_first(h);
  game.o->moves(0);
  go_on(h[0]);
  game.o->is_answered("O---X----", true);
  game.x->sees("O---X----");
  game.x->is_prompted("O---X----");
  CHECK(h[0].count("gamehub_relay_returned_total") == 2);
  CHECK(h[0].get("/readyz").status == 503);
  CHECK(h[0].get("/readyz").body.find("journal: ") != std::string::npos);
  play_out(*game.x, *game.o, "O---X----", {1, 3, 7}, 'X');
  // Then the hub has nothing more for them.
  for (auto* each : {&game.x->socket(), &game.o->socket()}) {
    each->rest();
    CHECK(each->ended());
    each->close();
  }
  CHECK(h[0].wait() == 75);
  const auto log = h[0].process().errors();
  CHECK(log.find("this hub stays the entry of its clients, as another member") != log.npos);
  CHECK(h[1].count("gamehub_games_finished_total", {{"result", "first"}}) == 1);
}

TEST_CASE("cluster fenced: a WebSocket plays on, and a client of another hub too") {
  linked_hubs h{3, {"--drain-seconds", "300", "--ws-grace-seconds", "60"}};
  const std::string sits = R"(,"supported_games":["tictactoe"],"max_games":1})";
  turns_client ann{h[1].turns()};
  ann.say(R"({"type":"connect","name":"ann")" + sits);
  REQUIRE(ann.next() == "name ann");
  h[1].await_waiting("tictactoe", 1);
  socket_client bob{h[0].http()};
  bob.say(R"({"type":"connect","name":"bob")" + sits);
  REQUIRE(bob.next("start")["game_id"] == 0);
  for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(ann.next() == said);
  // The hub of bob alone: his player is at the hub of ann, which stays.
  h[0].process().signal(SIGSTOP);
  h[1].await_count("gamehub_cluster_members", {}, 2);
  ann.move(0, 1, 1);
  REQUIRE(ann.next() == "0 state ---/-X-/--- null");
  go_on(h[0]);
  REQUIRE(bob.next("turn").is_object());
  bob.say(turns_client::message(0, turns_client::move_payload(0, 0)));
  while (ann.next() != "0 turn") continue;
  ann.say(R"({"type":"close","game_id":0})");
  while (ann.next() != "close 0") continue;
  CHECK(bob.next("close").is_object());
  ann.socket().close();
  bob.socket().close();
  CHECK(h[0].wait() == 75);
}

TEST_CASE("cluster fenced: a request over HTTP that was under way is carried out, and once") {
  linked_hubs h{2, long_stay};
  http_table t{h[0]};
  t.begin();
  t.play(0, 2);
  pause_first(h);
  const auto form =
      "client_id=" + t.x.id + "&position=" + std::to_string(moves[2]) + "&last_update_id=5";
  t.x.http.send("POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                std::to_string(form.size()) + "\r\n\r\n" + form);
  go_on(h[0]);
  const auto moved = t.x.http.answer();
  REQUIRE(moved);
  CHECK(moved->status == 200);
  api_client any{h[1].http()};
  for (std::size_t i = 3; i < std::size(moves); ++i) {
    const auto& who = i % 2 == 0 ? t.x : t.o;
    CHECK(any.post("/api/move", "client_id=" + who.id + "&position=" + std::to_string(moves[i]))
              .status == 200);
  }
  CHECK(any.get("/api/games/" + t.game).json()["status"] == "ended");
  CHECK(h[0].wait() == 75);
}

TEST_CASE("cluster fenced: a signal ends it at once, and the clients come back") {
  linked_hubs h{2, {"--drain-seconds", "300", "--turns-grace-seconds", "60"}};
  turns_pair players{h[0]};
  pause_first(h);
  go_on(h[0]);
  players.come_back(h[0], h[1], 75);
}

}  // namespace
}  // namespace gamehub::tests::system
