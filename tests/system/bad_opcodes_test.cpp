// Bad input over the opcodes wire: each is answered in the protocol, counted, and harms no other
// client else.
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <string>

namespace gamehub::tests::system {
namespace {

double opcodes_refusals(hub& at, std::string_view reason) {
  return at.count("gamehub_refusals_total", {{"gateway", "opcodes"}, {"reason", reason}});
}

// Two clients of a hub that play: X is prompted.
struct opcodes_game {
  explicit opcodes_game(hub& at) : x(at.opcodes()), o(at.opcodes()) {
    x.ask();
    REQUIRE(x.next() == "ACK X");
    o.ask();
    REQUIRE(o.next() == "ACK O");
    REQUIRE(x.next() == "STATE --------- -");
  }
  // That bad input left the game as it was: X wins it.
  void play_on() {
    x.move(0);
    REQUIRE(x.next() == "ACK X");
    REQUIRE(o.next() == "STATE X-------- -");
    o.socket().close();
    REQUIRE(x.next() == "STATE X-------- X");
  }

  opcodes_client x, o;
};

TEST_CASE("bad opcodes: half a packet and silence harm no other client and need the other half") {
  hub at;
  opcodes_client half{at.opcodes()}, half_move{at.opcodes()}, quarter{at.opcodes()};
  half.socket().send(std::string{"\0", 1});
  half_move.socket().send(std::string{"\0\2", 2});
  at.await_count("gamehub_connections", {}, 3);
  check_others_play(at);
  half_move.socket().send(std::string{"\4", 1});
  CHECK(half_move.next() == "ERROR 2");
  half.socket().send(std::string{"\1", 1});
  CHECK(half.next() == "ACK X");
}

TEST_CASE("bad opcodes: packets may come one byte at a time") {
  hub at;
  opcodes_client x{at.opcodes()}, o{at.opcodes()};
  const auto dribble = [](opcodes_client& from, const std::string& bytes) {
    for (const char each : bytes) from.socket().send({&each, 1});
  };
  dribble(x, opcodes_client::sgr());
  REQUIRE(x.next() == "ACK X");
  dribble(o, opcodes_client::sgr());
  REQUIRE(o.next() == "ACK O");
  for (const int cell : {0, 3, 1, 4}) {
    auto& mover = cell < 3 ? x : o;
    REQUIRE(mover.next().starts_with("STATE "));
    dribble(mover, opcodes_client::move_packet(cell));
    REQUIRE(mover.next().starts_with("ACK "));
  }
  REQUIRE(x.next() == "STATE XX-OO---- -");
  dribble(x, opcodes_client::move_packet(2));
  REQUIRE(x.next() == "ACK X");
  for (auto* each : {&x, &o}) REQUIRE(each->next() == "STATE XXXOO---- X");
}

TEST_CASE("bad opcodes: an unknown opcode is answered with code 1 and the end") {
  hub at;
  int bad = 0;
  for (const auto& bytes : {std::string{"\0\0", 2}, std::string{"\0\6", 2}, std::string{"\1\0", 2},
                            std::string{"\0\3", 2}, std::string{"\0\4", 2}, std::string{"\0\5", 2},
                            std::string{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                            std::string{"{\"type\":\"connect\"}\n"}}) {
    opcodes_client client{at.opcodes()};
    client.socket().send(bytes);
    CHECK(client.next() == "ERROR 1");
    CHECK(client.next() == "end");
    ++bad;
  }
  at.await_count("gamehub_protocol_errors_total",
                 {{"gateway", "opcodes"}, {"reason", "unknown-type"}}, bad);
  at.await_count("gamehub_connections_closed_total",
                 {{"gateway", "opcodes"}, {"reason", "protocol-error"}}, bad);
  check_others_play(at);
}

TEST_CASE("bad opcodes: an unknown opcode in a game gives it to the opponent") {
  hub at;
  opcodes_game game{at};
  game.x.socket().send("\xff\xff");
  // What it lost is told as well, or not; the last words are.
  for (auto said = game.x.next(); said != "end"; said = game.x.next()) {
    CAPTURE(said);
    REQUIRE((said == "ERROR 1" || said == "STATE --------- O"));
  }
  CHECK(game.o.next() == "STATE --------- O");
  check_others_play(at);
}

TEST_CASE("bad opcodes: a move without a game has code 2, before the opponent came code 3") {
  hub at;
  opcodes_client client{at.opcodes()};
  client.move(0);
  CHECK(client.next() == "ERROR 2");
  client.ask();
  CHECK(client.next() == "ACK X");
  client.move(0);
  CHECK(client.next() == "ERROR 3");
  client.ask();
  CHECK(client.next() == "ERROR 6");
  opcodes_client other{at.opcodes()};
  other.ask();
  CHECK(other.next() == "ACK O");
  CHECK(client.next() == "STATE --------- -");
  client.ask();
  CHECK(client.next() == "ERROR 6");
  CHECK(opcodes_refusals(at, "not-in-game") == 1);
  CHECK(opcodes_refusals(at, "not-your-turn") == 1);
  CHECK(opcodes_refusals(at, "already-in-game") == 2);
  client.move(8);
  CHECK(client.next() == "ACK X");
  CHECK(other.next() == "STATE --------X -");
}

TEST_CASE("bad opcodes: a move out of turn has code 3 and changes nothing") {
  hub at;
  opcodes_game game{at};
  game.o.move(0);
  CHECK(game.o.next() == "ERROR 3");
  game.play_on();
  CHECK(opcodes_refusals(at, "not-your-turn") == 1);
  check_others_play(at);
}

TEST_CASE("bad opcodes: a position off the board has code 4, a taken one code 5") {
  hub at;
  opcodes_game game{at};
  for (const int position : {9, 255, 47, 57, 127, 128}) {
    INFO("position " << position);
    game.x.move(position);
    CHECK(game.x.next() == "ERROR 4");
  }
  CHECK(opcodes_refusals(at, "out-of-bounds") == 6);
  game.x.move('4');
  REQUIRE(game.x.next() == "ACK X");
  REQUIRE(game.o.next() == "STATE ----X---- -");
  for (const int position : {4, int{'4'}}) {
    game.o.move(position);
    CHECK(game.o.next() == "ERROR 5");
  }
  CHECK(opcodes_refusals(at, "space-not-empty") == 2);
  game.o.move(0);
  REQUIRE(game.o.next() == "ACK O");
  REQUIRE(game.x.next() == "STATE O---X---- -");
}

TEST_CASE("bad opcodes: a move that crosses the opponent's leaving has code 8, the next code 2") {
  hub at;
  for (const bool crash : {false, true}) {
    {
      opcodes_game game{at};
      if (crash)
        game.o.socket().abort();
      else
        game.o.socket().close();
      REQUIRE(game.x.next() == "STATE --------- X");
      game.x.move(0);
      CHECK(game.x.next() == "ERROR 8");
      game.x.move(0);
      CHECK(game.x.next() == "ERROR 2");
      game.x.ask();
      CHECK(game.x.next() == "ACK X");
    }
    at.await_count("gamehub_sessions", {}, 0);
  }
  CHECK(opcodes_refusals(at, "opponent-left") == 2);
}

TEST_CASE("bad opcodes: a move after a game that was played to its end has code 2") {
  hub at;
  opcodes_game game{at};
  game.x.socket().send(opcodes_client::move_packet(0));
  for (const int cell : {3, 1, 4, 2}) {
    auto& mover = cell > 2 ? game.o : game.x;
    auto& other = cell > 2 ? game.x : game.o;
    REQUIRE(other.next().starts_with("ACK "));
    REQUIRE(mover.next().starts_with("STATE "));
    mover.move(cell);
  }
  REQUIRE(game.x.next() == "ACK X");
  for (auto* each : {&game.x, &game.o}) {
    REQUIRE(each->next() == "STATE XXXOO---- X");
    each->move(8);
    CHECK(each->next() == "ERROR 2");
  }
}

TEST_CASE("bad opcodes: 999 bad moves in one go are answered one by one and in order") {
  hub at;
  opcodes_game game{at};
  game.x.move(0);
  REQUIRE(game.x.next() == "ACK X");
  REQUIRE(game.o.next() == "STATE X-------- -");
  // One more would slow the client down.
  constexpr int moves = limits::refusals_in_row_max - 1;
  // Off the board or taken, after a pattern that no shift of it repeats.
  const auto is_taken = [](int i) { return i % 3 == 0 || i % 7 == 0; };
  std::string all;
  for (int i = 0; i < moves; ++i) all += opcodes_client::move_packet(is_taken(i) ? 0 : 9);
  game.o.socket().send(all);
  for (int i = 0; i < moves; ++i) {
    const auto said = game.o.next();
    if (said != (is_taken(i) ? "ERROR 5" : "ERROR 4")) FAIL("move " << i << " got " << said);
  }
  game.o.move(8);
  CHECK(game.o.next() == "ACK O");
  CHECK(game.x.next() == "STATE X-------O -");
  CHECK(opcodes_refusals(at, "space-not-empty") + opcodes_refusals(at, "out-of-bounds") == moves);
}

}  // namespace
}  // namespace gamehub::tests::system
