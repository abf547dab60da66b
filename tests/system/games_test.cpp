// Games over the wires: pairings, several at once, all engines, resuming, leaving.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/whole_game.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

TEST_CASE("games: any two wires play together, with a winner or a draw") {
  hub at;
  int games = 0;
  for (const auto x : wires)
    for (const auto o : wires)
      for (const auto& how : scripts()) {
        play_whole_game(at, x, o, how);
        ++games;
      }
  at.await_count("gamehub_games_running", {}, 0);
  const auto told = at.metrics();
  CHECK(told.sum("gamehub_games_started_total", {{"engine", "tictactoe"}}) == games);
  for (const auto* result : {"first", "second", "draw"})
    CHECK(told.sum("gamehub_games_finished_total", {{"result", result}, {"reason", "rules"}}) == 4);
  CHECK(told.sum("gamehub_refusals_total") == 0);
  CHECK(told.sum("gamehub_protocol_errors_total") == 0);
  CHECK(told.sum("gamehub_moves_total", {{"gateway", "opcodes"}, {"outcome", "accepted"}}) +
            told.sum("gamehub_moves_total", {{"gateway", "turns"}, {"outcome", "accepted"}}) ==
        4 * (5 + 6 + 9));
}

TEST_CASE("games: a connection plays again after its game") {
  hub at;
  opcodes_client x{at.opcodes()}, o{at.opcodes()};
  for (int round = 0; round < 3; ++round) {
    x.ask();
    REQUIRE(x.next() == "ACK X");
    o.ask();
    REQUIRE(o.next() == "ACK O");
    for (const int cell : {0, 1, 2}) {
      REQUIRE(x.next().ends_with(" -"));
      x.move(cell);
      REQUIRE(x.next() == "ACK X");
      if (cell == 2) break;
      REQUIRE(o.next().ends_with(" -"));
      o.move(cell + 3);
      REQUIRE(o.next() == "ACK O");
    }
    REQUIRE(x.next() == "STATE XXXOO---- X");
    REQUIRE(o.next() == "STATE XXXOO---- X");
  }
}

TEST_CASE("games: one connection plays as many games at once as it said, and no more") {
  hub at;
  turns_client one{at.turns()};
  one.connect("one", "tictactoe", 3);
  REQUIRE(one.next() == "name one");
  at.await_waiting("tictactoe", 1);
  std::vector<turns_client> others;
  for (int i = 0; i < 3; ++i) {
    const auto number = std::to_string(i);
    auto& other = others.emplace_back(at.turns());
    other.connect();
    REQUIRE(other.next().starts_with("name "));
    REQUIRE(one.next() == "start " + number);
    REQUIRE(one.next() == number + " state ---/---/--- null");
    REQUIRE(one.next() == number + " turn");
    REQUIRE(other.next() == "start 0");
    REQUIRE(other.next() == "0 state ---/---/--- null");
  }
  // It plays three: the fourth has to wait.
  turns_client fourth{at.turns()};
  fourth.connect();
  REQUIRE(fourth.next().starts_with("name "));
  at.await_waiting("tictactoe", 1);
  at.await_count("gamehub_games_running", {}, 3);

  // All three games move on in turn, each by its own number.
  for (int i = 2; i >= 0; --i) {
    const auto number = std::to_string(i);
    one.move(i, i, i);
    std::string board = "---/---/---";
    board[static_cast<std::size_t>(i) * 5] = 'X';
    REQUIRE(one.next() == number + " state " + board + " null");
    auto& other = others[static_cast<std::size_t>(i)];
    REQUIRE(other.next() == "0 state " + board + " null");
    REQUIRE(other.next() == "0 turn");
  }
  // A game that is over makes room for the fourth, under a new number.
  others[1].socket().close();
  REQUIRE(one.next() == R"(1 state ---/-X-/--- "X")");
  REQUIRE(one.next() == "close 1");
  REQUIRE(one.next() == "start 3");
  REQUIRE(one.next() == "3 state ---/---/--- null");
  // Who waited longer has X.
  REQUIRE(fourth.next() == "start 0");
  REQUIRE(fourth.next() == "0 state ---/---/--- null");
  REQUIRE(fourth.next() == "0 turn");
}

TEST_CASE("games: the same two players meet again only after a pause if another player may come") {
  hub at;
  // One who plays now, and waits for the next game afterwards.
  turns_client cid{at.turns()};
  cid.connect("cid");
  REQUIRE(cid.next() == "name cid");
  at.await_waiting("tictactoe", 1);
  api_player dan{at.http(), "dan"};
  REQUIRE(dan.play()["opponent_name"] == "cid");
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.connect("ann");
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  bob.connect("bob");
  REQUIRE(bob.next() == "name bob");
  REQUIRE(bob.next() == "start 0");
  const auto left = std::chrono::steady_clock::now();
  bob.say(R"({"type":"close","game_id":0})");
  for (auto* each : {&ann, &bob})
    for (auto said = each->next(); said != "start 1"; said = each->next()) {
      CAPTURE(said);
      REQUIRE((said == "start 0" || said == "close 0" || said.starts_with("0 ")));
    }
  CHECK(std::chrono::steady_clock::now() - left >= std::chrono::seconds{1});
}

TEST_CASE("games: rock-paper-scissors is played at the same time and in secret over turns") {
  hub at;
  turns_client first{at.turns()}, second{at.turns()};
  first.connect("first", "rock-paper-scissors");
  REQUIRE(first.next() == "name first");
  at.await_waiting("rock-paper-scissors", 1);
  second.connect("second", "rock-paper-scissors");
  REQUIRE(second.next() == "name second");
  const std::string nothing = R"({"choices":[null,null],"chosen":[false,false],"winner":null})";
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next() == "start 0");
    REQUIRE(each->next() == "0 state " + nothing);
    REQUIRE(each->next() == "0 turn");
  }
  second.play(0, R"({"choice":"rock"})");
  REQUIRE(second.next() ==
          R"(0 state {"choices":[null,"rock"],"chosen":[false,true],"winner":null})");
  REQUIRE(first.next() == R"(0 state {"choices":[null,null],"chosen":[false,true],"winner":null})");
  // Too late: ignored.
  second.play(0, R"({"choice":"paper"})");
  at.await_count("gamehub_refusals_total", {{"gateway", "turns"}, {"reason", "not-your-turn"}}, 1);
  first.play(0, R"({"choice":"lizard"})");
  REQUIRE(first.next() == R"(0 repeat-turn out-of-bounds {"choice":"lizard"})");
  first.play(0, R"({"choice":"paper"})");
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next() ==
            R"(0 state {"choices":["paper","rock"],"chosen":[true,true],"winner":0})");
    REQUIRE(each->next() == "close 0");
  }
}

TEST_CASE("games: kuhn poker over turns shows each player its own card alone") {
  hub at;
  turns_client first{at.turns()}, second{at.turns()};
  first.connect("first", "kuhn-poker");
  REQUIRE(first.next() == "name first");
  at.await_waiting("kuhn-poker", 1);
  second.connect("second", "kuhn-poker");
  REQUIRE(second.next() == "name second");
  std::vector<std::string> cards;
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next() == "start 0");
    const auto state = each->next();
    CAPTURE(state);
    REQUIRE(state.starts_with("0 state "));
    const auto own = cards.size();
    REQUIRE(each->payload()["cards"][own].is_string());
    REQUIRE(each->payload()["cards"][1 - own].is_null());
    cards.push_back(each->payload()["cards"][own]);
  }
  REQUIRE(cards[0] != cards[1]);
  REQUIRE(first.next() == "0 turn");
  first.play(0, R"({"action":"bet"})");
  REQUIRE(first.next().starts_with("0 state "));
  REQUIRE(second.next().starts_with("0 state "));
  CHECK(second.payload()["actions"] == nlohmann::json{"bet"});
  REQUIRE(second.next() == "0 turn");
  // A fold shows nothing to anyone.
  second.play(0, R"({"action":"pass"})");
  for (auto* each : {&first, &second}) {
    REQUIRE(each->next().starts_with("0 state "));
    CHECK(each->payload()["winner"] == 0);
    CHECK(each->payload()["cards"][each == &first ? 1 : 0].is_null());
    REQUIRE(each->next() == "close 0");
  }
}

TEST_CASE("games: connect four is played on the opcodes port if that is its engine") {
  hub at{{"--opcodes-engine", "connect-four"}};
  constexpr std::size_t cells = 42;
  opcodes_client x{at.opcodes(), cells};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  turns_client o{at.turns()};
  o.connect("o", "connect-four");
  REQUIRE(o.next() == "name o");
  REQUIRE(o.next() == "start 0");
  std::string board(cells, '-');
  const auto rows = [&] {
    std::string out;
    for (std::size_t row = 0; row < 6; ++row)
      out += (row == 0 ? "" : "/") + board.substr(row * 7, 7);
    return out;
  };
  REQUIRE(o.next() == "0 state " + rows() + " null");
  for (std::size_t row = 5; row > 1; --row) {
    REQUIRE(x.next() == "STATE " + board + " -");
    if (row == 5) {
      x.move(42);
      REQUIRE(x.next() == "ERROR 4");
    }
    // Any cell of a column means the column; the digit '0' is cell 0.
    x.move(row % 2 == 0 ? 14 : '0');
    REQUIRE(x.next() == "ACK X");
    board[row * 7] = 'X';
    if (row == 2) break;
    REQUIRE(o.next() == "0 state " + rows() + " null");
    REQUIRE(o.next() == "0 turn");
    o.play(0, R"({"type":"move","column":6})");
    board[row * 7 + 6] = 'O';
    REQUIRE(o.next() == "0 state " + rows() + " null");
  }
  REQUIRE(x.next() == "STATE " + board + " X");
  REQUIRE(o.next() == "0 state " + rows() + R"( "X")");
  REQUIRE(o.next() == "close 0");
}

TEST_CASE("games: who leaves in a game loses it, and the other is told, on any wire") {
  hub at;
  for (const auto x : wires)
    for (const auto o : wires) {
      INFO("X on " << to_string(x) << ", O on " << to_string(o));
      {
        const auto left = open_game(at, x, o);
        left.x->socket().close();
        left.o->wins_alone(left.board, 'O');
      }
      at.await_count("gamehub_sessions", {}, 0);
      {
        // A crash is no different.
        const auto lost = open_game(at, x, o);
        lost.o->socket().abort();
        lost.x->wins_alone(lost.board, 'X');
      }
      at.await_count("gamehub_sessions", {}, 0);
    }
  for (const auto* result : {"first", "second"})
    at.await_count("gamehub_games_finished_total", {{"reason", "left"}, {"result", result}}, 4);
}

TEST_CASE("games: leaving while waiting leaves the queue") {
  hub at;
  for (const auto w : wires) {
    INFO("on " << to_string(w));
    {
      const auto gone = make_player(at, w);
      gone->join();
      at.await_waiting("tictactoe", 1);
    }
    check_others_play(at);
  }
}

TEST_CASE("games: a secret takes running games over while the old connection stands") {
  hub at;
  turns_client ann{at.turns()};
  ann.connect("ann");
  REQUIRE(ann.next() == "name ann");
  const auto secret = ann.secret();
  REQUIRE(secret.size() >= 16);
  opcodes_client bob{at.opcodes()};
  at.await_waiting("tictactoe", 1);
  bob.ask();
  REQUIRE(bob.next() == "ACK O");
  for (const auto* said : {"start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(ann.next() == said);

  turns_client again{at.turns()};
  again.resume(secret);
  for (const auto* said : {"name ann", "start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(again.next() == said);
  CHECK(ann.next() == "end");
  again.move(0, 0, 0);
  REQUIRE(again.next() == "0 state X--/---/--- null");
  REQUIRE(bob.next() == "STATE X-------- -");
  // Not one's turn: the state comes and no prompt before the opponent moved.
  turns_client third{at.turns()};
  third.resume(secret);
  for (const auto* said : {"name ann", "start 0", "0 state X--/---/--- null"})
    REQUIRE(third.next() == said);
  bob.move(4);
  REQUIRE(bob.next() == "ACK O");
  for (const auto* said : {"0 state X--/-O-/--- null", "0 turn"}) REQUIRE(third.next() == said);
  CHECK(again.next() == "end");
  for (auto* each : {&ann, &again}) each->socket().close();
  at.await_count("gamehub_connections_closed_total", {{"reason", "replaced"}}, 2);
}

TEST_CASE("games: a secret brings a player back whose connection broke, if its wire waits for it") {
  hub at{{"--turns-grace-seconds", "60"}};
  turns_client bob{at.turns()};
  std::string secret;
  {
    turns_client ann{at.turns()};
    ann.connect("ann");
    REQUIRE(ann.next() == "name ann");
    secret = ann.secret();
    at.await_waiting("tictactoe", 1);
    bob.connect("bob");
    for (const auto* said : {"name bob", "start 0", "0 state ---/---/--- null"})
      REQUIRE(bob.next() == said);
    REQUIRE(ann.next() == "start 0");
    ann.socket().abort();
  }
  at.await_count("gamehub_connections", {{"gateway", "turns"}}, 1);
  at.await_count("gamehub_games_running", {}, 1);
  turns_client again{at.turns()};
  again.resume(secret);
  for (const auto* said : {"name ann", "start 0", "0 state ---/---/--- null", "0 turn"})
    REQUIRE(again.next() == said);
  again.move(0, 1, 1);
  for (auto* each : {&again, &bob}) REQUIRE(each->next() == "0 state ---/-X-/--- null");
  REQUIRE(bob.next() == "0 turn");
  // Goodbye is no breaking of a connection, but who says it may come back too: games are given up
  // by closing them.
  again.say(R"({"type":"close","game_id":0})");
  REQUIRE(bob.next() == R"(0 state ---/-X-/--- "O")");
  REQUIRE(bob.next() == "close 0");
}

TEST_CASE("games: the grace of a broken connection ends, and the opponent wins") {
  hub at{{"--turns-grace-seconds", "1"}};
  auto game = open_game(at, wire::turns, wire::opcodes);
  game.x->socket().abort();
  game.o->wins_alone(game.board, 'O');
  at.await_count("gamehub_games_finished_total", {{"reason", "left"}, {"result", "second"}}, 1);
}

TEST_CASE("games: neither a wrong secret nor a name resumes a player") {
  hub at;
  turns_client ann{at.turns()};
  ann.connect("ann");
  REQUIRE(ann.next() == "name ann");
  const auto secret = ann.secret();
  turns_client bob{at.turns()};
  at.await_waiting("tictactoe", 1);
  bob.connect("bob");
  REQUIRE(bob.next() == "name bob");
  REQUIRE(bob.next() == "start 0");
  REQUIRE(ann.next() == "start 0");

  auto wrong = secret;
  wrong.back() = wrong.back() == 'a' ? 'b' : 'a';
  turns_client thief{at.turns()};
  thief.resume(wrong);
  const auto named = thief.next();
  CAPTURE(named);
  CHECK(named.starts_with("name client-"));
  CHECK(thief.secret() != secret);
  turns_client namesake{at.turns()};
  namesake.say(R"({"type":"connect","name":"ann","supported_games":[],"max_games":1})");
  CHECK(namesake.next() == "name ann-1");
  // Ann still plays.
  for (const auto* said : {"0 state ---/---/--- null", "0 turn"}) REQUIRE(ann.next() == said);
  ann.move(0, 0, 0);
  REQUIRE(ann.next() == "0 state X--/---/--- null");
}

}  // namespace
}  // namespace gamehub::tests::system
