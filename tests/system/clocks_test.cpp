// The clocks of a hub: turns, handshakes, idleness.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

namespace gamehub::tests::system {
namespace {

TEST_CASE("clocks: who does not move in time loses, and both are told, on any wire") {
  hub at{{"--turn-seconds", "1"}};
  for (const auto x : wires)
    for (const auto o : wires) {
      INFO("X on " << to_string(x) << ", O on " << to_string(o));
      {
        const auto game = open_game(at, x, o);
        game.x->wins_alone(game.board, 'X');
        game.o->wins_alone(game.board, 'X');
      }
      at.await_count("gamehub_sessions", {}, 0);
    }
  at.await_count("gamehub_games_finished_total", {{"reason", "clock"}, {"result", "first"}}, 4);
}

TEST_CASE("clocks: a move that crosses the end of the opponent's time has code 8, one's own 2") {
  hub at{{"--turn-seconds", "1"}};
  opcodes_client x{at.opcodes()}, o{at.opcodes()};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  o.ask();
  REQUIRE(o.next() == "ACK O");
  REQUIRE(x.next() == "STATE --------- -");
  REQUIRE(x.next() == "STATE --------- O");
  REQUIRE(o.next() == "STATE --------- O");
  o.move(0);
  CHECK(o.next() == "ERROR 8");
  o.move(0);
  CHECK(o.next() == "ERROR 2");
  x.move(0);
  CHECK(x.next() == "ERROR 2");
}

TEST_CASE("clocks: in a simultaneous turn only who has not chosen loses") {
  hub at{{"--turn-seconds", "1"}};
  turns_client first{at.turns()}, second{at.turns()};
  first.connect("first", "rock-paper-scissors");
  REQUIRE(first.next() == "name first");
  at.await_waiting("rock-paper-scissors", 1);
  second.connect("second", "rock-paper-scissors");
  REQUIRE(second.next() == "name second");
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next() == "start 0");
    REQUIRE(each->next().starts_with("0 state "));
    REQUIRE(each->next() == "0 turn");
  }
  second.play(0, R"({"choice":"rock"})");
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next().starts_with("0 state "));
    CHECK(each->payload()["winner"].is_null());
    REQUIRE(each->next().starts_with("0 state "));
    CHECK(each->payload()["winner"] == 1);
    REQUIRE(each->next() == "close 0");
  }
}

TEST_CASE("clocks: a client that comes after a long silence has its whole time") {
  hub at{{"--handshake-seconds", "1", "--loops", "1"}};
  opcodes_client waiting{at.opcodes()};
  waiting.ask();
  REQUIRE(waiting.next() == "ACK X");
  // Another hub tells when a second is over, in which this one had nothing at all to do.
  hub clock{{"--handshake-seconds", "1", "--loops", "1"}};
  tcp_client bell{clock.turns()};
  REQUIRE(bell.rest() == "{\"type\":\"close\",\"error\":\"handshake-timeout\"}\n");
  REQUIRE(bell.ended());
  opcodes_client late{at.opcodes()};
  at.await_count("gamehub_connections_opened_total", {}, 2);
  late.ask();
  CHECK(late.next() == "ACK O");
}

TEST_CASE("clocks: a client that asks for nothing, and one that has nothing to do, have to go") {
  hub at{{"--handshake-seconds", "1", "--idle-seconds", "1"}};
  opcodes_client silent{at.opcodes()}, done{at.opcodes()};
  turns_client quiet{at.turns()}, idle{at.turns()};
  idle.say(R"({"type":"connect","name":"idle","max_games":0})");
  REQUIRE(idle.next() == "name idle");
  done.move(0);
  REQUIRE(done.next() == "ERROR 2");
  CHECK(silent.next() == "ERROR 2");
  CHECK(silent.next() == "end");
  CHECK(done.next() == "ERROR 2");
  CHECK(done.next() == "end");
  CHECK(quiet.next() == "end");
  CHECK(quiet.closed_because() == "handshake-timeout");
  CHECK(idle.next() == "end");
  CHECK(idle.closed_because() == "idle");
  for (auto* each : {&silent.socket(), &done.socket(), &quiet.socket(), &idle.socket()})
    each->close();
  at.await_count("gamehub_connections_closed_total", {{"reason", "handshake-timeout"}}, 2);
  at.await_count("gamehub_connections_closed_total", {{"reason", "idle"}}, 2);
  check_others_play(at);
}

}  // namespace
}  // namespace gamehub::tests::system
