// Options of games over the wires: what can be asked for, what is refused, and in which words.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/turns_client.hpp"

#include <string>

namespace gamehub::tests::system {
namespace {

std::string connect_for(const std::string& options) {
  return R"({"type":"connect","supported_games":["gomoku"],"options":{"gomoku":)" + options + "}}";
}

TEST_CASE("options: a game over turns has the board that both asked for") {
  hub at;
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.say(connect_for(R"({"rows":9,"columns":9})"));
  REQUIRE(ann.next().starts_with("name "));
  at.await_waiting("gomoku", 1);
  bob.say(connect_for(R"({"columns":9,"rows":9,"in_a_row":5})"));
  REQUIRE(bob.next().starts_with("name "));
  for (auto* each : {&ann, &bob}) {
    REQUIRE(each->next() == "start 0");
    each->next();
    CHECK(each->payload()["type"] == "state");
    CHECK(each->payload()["board"].size() == 9);
  }
  CHECK(ann.next() == "0 turn");
  ann.move(0, 8, 8);
  ann.next();
  CHECK(ann.payload()["type"] == "state");
  bob.next();
  REQUIRE(bob.next() == "0 turn");
  bob.move(0, 9, 0);
  CHECK(bob.next().starts_with("0 repeat-turn out-of-bounds"));
}

TEST_CASE("options: what makes no game is refused over turns, and says which option") {
  hub at;
  turns_client c{at.turns()};
  c.say(connect_for(R"({"rows":99})"));
  REQUIRE(c.next().starts_with("name "));
  CHECK(c.line().contains("secret"));
  c.next();
  CHECK(c.line()["type"] == "name");
  CHECK(c.line()["error"] ==
        "bad-options: gomoku: option \"rows\" must be an integer from 3 to 19, not 99");
  at.await_count("gamehub_refusals_total", {{"gateway", "turns"}, {"reason", "bad-options"}}, 1);
  // The connection goes on, and may ask for something better.
  c.say(connect_for(R"({"rows":19})"));
  at.await_waiting("gomoku", 1);
}

TEST_CASE("options: opcodes are played on the board that the port is set to") {
  hub at{{"--opcodes-engine", "gomoku", "--opcodes-options", R"({"rows":7,"columns":7})"}};
  opcodes_client x{at.opcodes(), 49}, o{at.opcodes(), 49};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  o.ask();
  REQUIRE(o.next() == "ACK O");
  std::string board(49, '-');
  // X takes the last row but for its ends, O the first one. Digits name no cells here.
  for (int i = 0; i < 5; ++i) {
    REQUIRE(x.next() == "STATE " + board + " -");
    x.move(43 + i);
    board[static_cast<std::size_t>(43 + i)] = 'X';
    REQUIRE(x.next() == "ACK X");
    if (i == 4) break;
    REQUIRE(o.next() == "STATE " + board + " -");
    o.move(i);
    board[static_cast<std::size_t>(i)] = 'O';
    REQUIRE(o.next() == "ACK O");
  }
  for (auto* each : {&x, &o}) CHECK(each->next() == "STATE " + board + " X");
}

TEST_CASE("options: a player of turns meets one of opcodes who has the same options") {
  hub at{{"--opcodes-engine", "gomoku", "--opcodes-options", R"({"columns":7,"rows":7})"}};
  opcodes_client x{at.opcodes(), 49};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  turns_client o{at.turns()};
  o.say(connect_for(R"({"rows":7,"columns":7})"));
  REQUIRE(o.next().starts_with("name "));
  CHECK(o.next() == "start 0");
  CHECK(x.next() == "STATE " + std::string(49, '-') + " -");
}

TEST_CASE("options: a port is not opened for a game that its wire can't carry") {
  const auto said = [](const std::string& options) {
    const auto result = run({{hub_program(), "serve", "--check", "--journal", "memory",
                              "--opcodes-engine", "gomoku", "--opcodes-options", options},
                             {},
                             {}});
    CHECK(result.exit_code == 2);
    return result.errors;
  };
  CHECK(said(R"({"rows":19,"columns":19})")
            .find("has a board of 361 cells, and a move is one byte") != std::string::npos);
  CHECK(said(R"({"rows":2})").find("option \"rows\" must be an integer from 3 to 19, not 2") !=
        std::string::npos);
  CHECK(said("rows=7").find("--opcodes-options") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
