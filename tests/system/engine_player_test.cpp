// Games against the engine's own player, over real sockets: on any wire, at every level, and on
// after a kill.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/turns_client.hpp"

#include <algorithm>
#include <csignal>
#include <memory>
#include <set>
#include <string>

namespace gamehub::tests::system {
namespace {

const std::vector<std::string> both_against_engine{"--turns-opponent", "engine",
                                                   "--opcodes-opponent", "engine"};

// Plays the first free cells of TicTacToe as X. Returns how it ended: "X", "O" or "-".
std::string play_opcodes(opcodes_client& c) {
  c.ask();
  REQUIRE(c.next() == "ACK X");
  while (true) {
    const auto said = c.next();
    CAPTURE(said);
    REQUIRE(said.starts_with("STATE "));
    const auto board = said.substr(6, 9);
    const auto status = said.substr(16);
    const auto free = board.find('-');
    if (status != "-" || free == board.npos) return status;
    c.move(static_cast<int>(free));
    REQUIRE(c.next() == "ACK X");
  }
}

// The same over turns, from the beginning of game `number` to its close.
std::string play_turns(turns_client& c, int number) {
  const auto game = std::to_string(number);
  std::string board, winner;
  REQUIRE(c.next() == "start " + game);
  while (true) {
    const auto said = c.next();
    CAPTURE(said);
    if (said == "close " + game) return winner;
    if (said == game + " turn") {
      const auto at = static_cast<int>(board.find('-'));
      c.move(number, at / 4, at % 4);
      continue;
    }
    REQUIRE(said.starts_with(game + " state "));
    board = said.substr(game.size() + 7, 11);
    winner = said.substr(game.size() + 19);
  }
}

TEST_CASE("engine player: answers on the spot over opcodes, and never loses at TicTacToe") {
  hub at{both_against_engine};
  opcodes_client c{at.opcodes()};
  for (int i = 0; i < 50; ++i) CHECK(play_opcodes(c) != "X");
  const auto told = at.metrics();
  CHECK(told.sum("gamehub_games_finished_total", {{"reason", "rules"}}) == 50);
  CHECK(told.sum("gamehub_games_finished_total", {{"result", "first"}}) == 0);
  CHECK(told.sum("gamehub_engine_moves_total", {{"engine", "tictactoe"}, {"effort", "at-once"}}) >=
        100);
  CHECK(told.sum("gamehub_players_waiting") == 0);
}

TEST_CASE(
    "engine player: a player of turns meets it again and again, by a name that says who it is") {
  hub at{both_against_engine};
  turns_client c{at.turns()};
  c.connect("engine (perfect)");
  REQUIRE(c.next().starts_with("name client-"));
  for (int number = 0; number < 5; ++number) CHECK(play_turns(c, number) != R"("X")");
}

TEST_CASE("engine player: at random it can be beaten") {
  hub at{{"--opcodes-opponent", "engine:random"}};
  opcodes_client c{at.opcodes()};
  std::set<std::string> ends;
  for (int i = 0; i < 200 && !ends.contains("X"); ++i) ends.insert(play_opcodes(c));
  CHECK(ends.contains("X"));
}

TEST_CASE("engine player: searches Connect Four on a search thread, and its time is a setting") {
  hub at{{"--opcodes-engine", "connect-four", "--opcodes-opponent", "engine",
          "--think-milliseconds", "5", "--think-threads", "2"}};
  opcodes_client c{at.opcodes(), 42};
  c.ask();
  REQUIRE(c.next() == "ACK X");
  int moves = 0;
  while (true) {
    const auto said = c.next();
    CAPTURE(said);
    REQUIRE(said.starts_with("STATE "));
    const auto board = said.substr(6, 42);
    if (said.back() != '-') break;
    REQUIRE(board.find('-') != board.npos);
    c.move(static_cast<int>(board.find('-')));
    REQUIRE(c.next() == "ACK X");
    ++moves;
  }
  const auto told = at.metrics();
  const auto with = [&](const char* effort) {
    return told.sum("gamehub_engine_moves_total", {{"engine", "connect-four"}, {"effort", effort}});
  };
  CHECK(with("full") + with("hurried") >= moves - 1);
  CHECK(with("random") == 0);
  CHECK(told.sum("gamehub_thinking_threads") == 2);
  CHECK(told.sum("gamehub_thinking_waiting") == 0);
}

TEST_CASE(
    "engine player: a game of Othello over opcodes says at its end that it ended, full board or "
    "not") {
  hub at{{"--opcodes-engine", "othello", "--opcodes-opponent", "engine:random"}};
  for (int game = 0; game < 5; ++game) {
    opcodes_client c{at.opcodes(), 64};
    c.ask();
    auto said = c.next();
    char mark = said.back();
    std::string board;
    char status = '-';
    while (true) {
      said = c.next();
      CAPTURE(said);
      REQUIRE(said.starts_with("STATE "));
      board = said.substr(6, 64);
      status = said.back();
      if (status != '-' || board.find('-') == board.npos) break;
      for (int cell = 0;; ++cell) {
        REQUIRE(cell < 64);
        if (board[static_cast<std::size_t>(cell)] != '-') continue;
        c.move(cell);
        const auto answer = c.next();
        if (answer == std::string{"ACK "} + mark) break;
        REQUIRE(answer == "ERROR 5");
      }
    }
    CHECK((status == '-') ==
          (board.find('-') == board.npos && std::count(board.begin(), board.end(), mark) == 32));
  }
}

TEST_CASE("engine player: a hub that drains does not wait for what an engine still thinks about") {
  hub at{{"--opcodes-engine", "gomoku", "--opcodes-opponent", "engine", "--think-milliseconds",
          "60000"}};
  opcodes_client c{at.opcodes(), 225};
  c.ask();
  REQUIRE(c.next() == "ACK X");
  REQUIRE(c.next().starts_with("STATE "));
  c.move(112);
  REQUIRE(c.next() == "ACK X");
  at.await_count("gamehub_thinking_threads_busy", {}, 1);
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

TEST_CASE(
    "engine player: games of chance, of secrets and of moves at the same time are played at "
    "random") {
  for (const bool isolated : {false, true}) {
    INFO((isolated ? "isolated" : "in the hub"));
    hub at{isolated ? std::vector<std::string>{"--isolate", "kuhn-poker,rock-paper-scissors"}
                    : std::vector<std::string>{}};
    api_player ann{at.http(), "ann"};
    for (const std::string engine : {"kuhn-poker", "rock-paper-scissors", "nim"}) {
      INFO(engine);
      const auto seat = ann.play("&engine=" + engine + "&opponent=engine%3Arandom");
      REQUIRE(seat.contains("game_id"));
      CHECK(seat["opponent_name"] == "engine (random)");
      const auto target = "/api/games/" + seat["game_id"].get<std::string>();
      auto game = ann.http.get(target + "?client_id=" + ann.id).json();
      while (game["status"] == "running") {
        const auto& actions = game["actions"];
        // The engine answers at once, so the player is to move.
        REQUIRE(actions.is_array());
        REQUIRE(!actions.empty());
        REQUIRE(ann.post("/api/move", "&action=" + actions[0].get<std::string>()).status == 200);
        game = ann.http.get(target + "?client_id=" + ann.id).json();
      }
      CHECK(game["status"] == "ended");
      if (engine == "kuhn-poker")
        CHECK(game["score"][0].get<double>() == -game["score"][1].get<double>());
    }
  }
}

TEST_CASE("engine player: a level that an engine lacks is refused with those that it has") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto refusal = [&](const std::string& engine) {
    return ann.post("/api/play", "&engine=" + engine + "&opponent=engine%3Agodlike").body;
  };
  for (const auto* engine : {"rock-paper-scissors", "nim"})
    CHECK(refusal(engine).find("plays itself as random, medium or perfect") != std::string::npos);
  // Without a level it is the strongest that there is.
  CHECK(ann.play("&engine=rock-paper-scissors&opponent=engine")["opponent_name"] ==
        "engine (perfect)");
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("engine player: a game against it goes on after the hub was killed") {
  const std::string game = GENERATE("tictactoe", "connect-four");
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal",
                                       "sqlite:" + folder.path() + "/j.db",
                                       "--turns-opponent",
                                       "engine",
                                       "--turns-grace-seconds",
                                       "60",
                                       "--think-milliseconds",
                                       "5"};
  std::string secret;
  {
    hub first{flags};
    turns_client c{first.turns()};
    c.connect("ann", game);
    REQUIRE(c.next() == "name ann");
    secret = c.secret();
    REQUIRE(c.next() == "start 0");
    while (c.next() != "0 turn") REQUIRE(c.line()["type"] == "message");
    c.play(0, R"({"row":1,"column":1})");
    // Its answer is on its way, or is here already.
    REQUIRE(c.next().starts_with("0 state "));
    first.process().signal(SIGKILL);
    CHECK(first.wait() == 128 + SIGKILL);
  }
  hub second{flags};
  second.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
  turns_client c{second.turns()};
  c.resume(secret);
  REQUIRE(c.next() == "name ann");
  REQUIRE(c.next() == "start 0");
  std::string said;
  do said = c.next();
  while (said.starts_with("0 state "));
  // One stone of each, and her turn.
  CHECK(said == "0 turn");
  c.say(R"({"type":"close","game_id":0})");
  while (c.next() != "close 0")
    ;
  CHECK(run({{hub_program(), "verify", flags[0], flags[1]}, {}, folder.path()}).exit_code == 0);
  const auto log = run({{hub_program(), "journal", "export", flags[0], flags[1]}, {}, {}});
  const std::string seat = R"x("name":"engine (perfect)","wire":"engine:perfect")x";
  CHECK(log.output.find(seat) != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::system
