// What a client of JSON turns needs to play and is told: its seat, the players, the legal moves,
// the result, and why a connect, a message or a connection was refused.
#include "hub/core/limits.hpp"
#include "hub/core/reasons.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <chrono>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The next line of this type, or the next payload of it. Lines before it are dropped.
json next_of(turns_client& of, const std::string& type) {
  for (;;) {
    const auto said = of.next();
    if (said == "end" || said.starts_with("a bad line") || said.starts_with("nothing"))
      FAIL("waited for " << type << ", but: " << said);
    if (of.line()["type"] == type) return of.line();
    if (of.payload().is_object() && of.payload()["type"] == type) return of.payload();
  }
}

std::string connect_line(const std::string& name, const std::string& game, const json& more) {
  json line{{"type", "connect"}, {"name", name}, {"supported_games", {game}}};
  line.update(more);
  return line.dump();
}

TEST_CASE("turns wire: start has seat, seats, mark, players, engine, version, options and time") {
  hub at{{"--turn-seconds", "77"}};
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.connect("ann", "nim");
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("nim", 1);
  bob.connect("bob", "nim");
  const auto mine = next_of(ann, "start"), theirs = next_of(bob, "start");
  CHECK(mine["seat"] == 0);
  CHECK(theirs["seat"] == 1);
  for (const auto& each : {mine, theirs}) {
    CHECK(each["game_id"] == 0);
    CHECK(each["seats"] == 2);
    CHECK_FALSE(each.contains("mark"));
    CHECK(each["players"] == json{"ann", "bob"});
    CHECK(each["engine"] == "nim");
    CHECK(each["version"].get<std::string>().find('.') != std::string::npos);
    CHECK(each["options"].is_object());
    CHECK(each["turn_milliseconds"] == 77'000);
  }
}

TEST_CASE("turns wire: a game without a limit of time has no turn_milliseconds and no clock") {
  hub at{{"--turn-seconds", "0"}};
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.say(connect_line("ann", "tictactoe", {{"wants", {"clock"}}}));
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  bob.connect("bob");
  const auto start = next_of(ann, "start");
  CHECK(start["mark"] == "X");
  CHECK_FALSE(start.contains("turn_milliseconds"));
  CHECK_FALSE(next_of(ann, "turn").contains("clock"));
}

TEST_CASE("turns wire: who wants the clock gets the time left with each state and turn") {
  hub at{{"--turn-seconds", "60"}};
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.say(connect_line("ann", "tictactoe", {{"wants", {"clock"}}}));
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  bob.connect("bob");
  const json clock{{"milliseconds_left", {60'000, 60'000}}, {"runs", {"X"}}};
  CHECK(next_of(ann, "state")["clock"] == clock);
  CHECK(next_of(ann, "turn")["clock"] == clock);
  CHECK_FALSE(next_of(bob, "state").contains("clock"));
  ann.move(0, 0, 0);
  CHECK(next_of(ann, "state")["clock"]["runs"] == json{"O"});
}

// Clients that know no rules play a whole game by the actions of their prompts alone.
void play_by_actions(hub& at, const std::string& game, int seats) {
  INFO(game);
  std::deque<turns_client> all;
  for (int i = 0; i < seats; ++i) {
    auto& each = all.emplace_back(at.turns());
    each.say(connect_line("p" + std::to_string(i), game, {{"wants", {"actions"}}}));
    REQUIRE(each.next() == "name p" + std::to_string(i));
    if (i + 1 < seats) at.await_waiting(game, i + 1);
  }
  std::vector<json> ends(all.size());
  for (std::size_t open = all.size(); open > 0;)
    for (std::size_t i = 0; i < all.size(); ++i) {
      while (ends[i].is_null() && all[i].socket().has_more()) {
        const auto said = all[i].next();
        CAPTURE(said);
        REQUIRE(said.find("repeat-turn") == said.npos);
        if (all[i].line()["type"] == "close") {
          ends[i] = all[i].line();
          --open;
        } else if (all[i].payload().is_object() && all[i].payload()["type"] == "turn") {
          const auto& actions = all[i].payload()["actions"];
          REQUIRE(actions.is_array());
          REQUIRE_FALSE(actions.empty());
          all[i].play(0, actions.back().dump());
        }
      }
    }
  for (const auto& end : ends) {
    CHECK(end == ends.front());
    CHECK(end["scores"].size() == static_cast<std::size_t>(seats));
    CHECK((end["reason"] == "rules" || end["reason"] == "draw"));
    CHECK(end["winner_seat"].is_null() == end["winner"].is_null());
  }
  // Their names are free for the next game.
  all.clear();
  at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 0);
}

TEST_CASE("turns wire: a client that knows no rules plays every game by the actions it gets") {
  hub at{{"--turn-seconds", "0"}};
  for (const auto* game :
       {"tictactoe", "connect-four", "gomoku", "othello", "nim", "rock-paper-scissors",
        "kuhn-poker", "hex", "checkers", "backgammon", "battleship"})
    play_by_actions(at, game, 2);
  for (const auto* game : {"dots-and-boxes", "oh-hell"}) play_by_actions(at, game, 3);
}

TEST_CASE("turns wire: a refused move has the legal ones for who wants them") {
  hub at;
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.say(connect_line("ann", "rock-paper-scissors", {{"wants", {"actions"}}}));
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("rock-paper-scissors", 1);
  bob.connect("bob", "rock-paper-scissors");
  const auto actions = next_of(ann, "turn")["actions"];
  REQUIRE(actions.size() == 3);
  ann.play(0, R"({"action":"rock"})");
  CHECK(next_of(ann, "repeat-turn")["actions"] == actions);
  next_of(bob, "turn");
  bob.play(0, R"({"action":"rock"})");
  CHECK_FALSE(next_of(bob, "repeat-turn").contains("actions"));
}

TEST_CASE("turns wire: close has winner, scores and reason when a player leaves or is late") {
  hub at{{"--turn-seconds", "1"}};
  for (const bool leaves : {true, false}) {
    turns_client ann{at.turns()}, bob{at.turns()};
    ann.connect("ann", "nim");
    REQUIRE(ann.next() == "name ann");
    at.await_waiting("nim", 1);
    bob.connect("bob", "nim");
    next_of(ann, "turn");
    if (leaves) ann.say(R"({"type":"close","game_id":0})");
    CHECK(next_of(bob, "state")["type"] == "state");
    const auto end = next_of(bob, "close");
    CHECK(end["winner"] == 1);
    CHECK(end["winner_seat"] == 1);
    CHECK(end["scores"] == json{-1.0, 1.0});
    CHECK(end["reason"] == (leaves ? "left" : "clock"));
    CHECK(bob.payload().is_null());
    ann.socket().close();
    bob.socket().close();
    at.await_count("gamehub_sessions", {}, 0);
  }
}

TEST_CASE("turns wire: a connect that names no known game is answered within a second") {
  hub at;
  const auto error = [&](const std::string& members) {
    turns_client client{at.turns()};
    const auto asked = steady_clock::now();
    client.say(R"({"type":"connect","name":"eve")" + members + "}");
    REQUIRE(client.next() == "name eve");
    REQUIRE(client.next() == "name eve");
    CHECK(steady_clock::now() - asked < milliseconds{1'000 * slowness});
    const auto said = client.line()["error"].get<std::string>();
    // It may ask again on the same connection.
    client.connect("eve", "nim");
    at.await_waiting("nim", 1);
    client.socket().close();
    at.await_count("gamehub_sessions", {}, 0);
    return said;
  };
  CHECK(error(R"(,"supported_games":["tic-tac-toe"])")
            .starts_with("unknown-game: tic-tac-toe; there are backgammon, "));
  CHECK(error(R"(,"supported_games":["a","b"])").ends_with("tictactoe"));
  CHECK(error("").starts_with("malformed: supported_games is missing; there are "));
  CHECK(error(R"(,"supported_games":"tictactoe")")
            .starts_with("malformed: supported_games is no list; there are "));
  CHECK(error(R"(,"supported_games":[])").starts_with("malformed: supported_games is empty; "));
}

TEST_CASE("turns wire: each close of the hub has its word") {
  hub at{{"--idle-seconds", "1", "--handshake-seconds", "1", "--connections-max", "2"}};
  const auto word = [](turns_client& of) {
    for (auto said = of.next(); said != "end"; said = of.next())
      if (!of.socket().unread().empty() || said == "reset") continue;
    return of.closed_because();
  };
  turns_client silent{at.turns()};
  CHECK(word(silent) == "handshake-timeout");
  turns_client idle{at.turns()};
  idle.say(R"({"type":"connect","max_games":0})");
  CHECK(word(idle) == "idle");
  turns_client odd{at.turns()};
  odd.say(R"({"type":"hello"})");
  CHECK(word(odd) == "unknown-type");
  turns_client wrong{at.turns()};
  wrong.say("hello");
  CHECK(word(wrong) == "malformed");
  for (auto* each : {&silent, &idle, &odd, &wrong}) each->socket().close();
  at.await_count("gamehub_connections", {}, 0);
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.connect("ann");
  bob.connect("bob");
  next_of(ann, "start");
  next_of(bob, "start");
  turns_client late{at.turns()};
  CHECK(word(late) == "hub-full");
}

TEST_CASE("turns wire: the documents of turns and ws have the word of each close (H2f)") {
  std::vector<std::string> words{"malformed", "unknown-type", "too-long"};
  for (int i = 0; i < close_reason_count; ++i) {
    const auto why = static_cast<close_reason>(i);
    // The client has closed the connection, or HTTP has become a WebSocket; each violation has its
    // own word.
    if (why == close_reason::client_left || why == close_reason::upgraded ||
        why == close_reason::protocol_error)
      continue;
    words.emplace_back(to_string(why));
  }
  for (const std::string document : {"turns", "ws"}) {
    std::ifstream in{std::string{GAMEHUB_SOURCE_DIR} + "/gateways/" + document + "/README.md"};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    const auto table = text.find(document == "ws" ? "| close code |" : "| `error` | cause |");
    REQUIRE(table != text.npos);
    const auto rows = text.substr(table, text.find("\n\n", table) - table);
    for (const auto& word : words) {
      INFO(document << ": " << word);
      CHECK(rows.find('`' + word + '`') != rows.npos);
    }
  }
}

TEST_CASE("turns wire: a player that comes back elsewhere closes the first connection: replaced") {
  hub at;
  turns_client first{at.turns()}, other{at.turns()}, second{at.turns()};
  first.connect("ann");
  REQUIRE(first.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  other.connect("bob");
  next_of(first, "turn");
  second.say(connect_line("ann", "tictactoe",
                          {{"resume", first.secret()}, {"wants", {"actions", "clock"}}}));
  CHECK(first.next() == "end");
  CHECK(first.closed_because() == "replaced");
  const auto start = next_of(second, "start");
  CHECK(start["seat"] == 0);
  CHECK(start["players"] == json{"ann", "bob"});
  CHECK(start["version"].is_string());
  CHECK(start["options"] == json::object());
  CHECK(start["turn_milliseconds"] == 120'000);
  const auto turn = next_of(second, "turn");
  CHECK(turn["actions"].size() == 9);
  CHECK(turn["clock"]["runs"] == json{"X"});
  CHECK(turn["clock"]["milliseconds_left"][0] <= 120'000);
}

TEST_CASE("turns wire: nothing but refused moves is slowed down, told and counted") {
  hub at{{"--loops", "1"}};
  turns_client rude{at.turns()}, other{at.turns()};
  rude.connect("rude");
  REQUIRE(rude.next() == "name rude");
  at.await_waiting("tictactoe", 1);
  other.connect("other");
  next_of(rude, "turn");
  std::string all;
  constexpr int further = 2;
  for (int i = 0; i < limits::refusals_in_row_max + 100; ++i)
    all += turns_client::message(0, "7") + "\n";
  rude.socket().send(all);
  for (int i = 0; i < limits::refusals_in_row_max; ++i) {
    REQUIRE(rude.next() == "0 repeat-turn out-of-bounds 7");
    CHECK_FALSE(rude.payload().contains("slowed"));
  }
  // Those that were read before may still come at once.
  const auto slow_from = steady_clock::now();
  for (std::uint32_t i = 0; i < limits::intents_in_flight_max + further; ++i)
    REQUIRE(rude.next() == "0 repeat-turn out-of-bounds 7");
  CHECK(rude.payload()["slowed"] == "too many refusals in a row");
  CHECK(steady_clock::now() - slow_from >= further * limits::refusal_pause / 2);
  CHECK(at.count("gamehub_connections_slowed_total", {{"gateway", "turns"}}) == 1);
  // Others on the loop play on.
  check_others_play(at);
}

TEST_CASE("turns wire: a move that is carried out ends the slow pace") {
  hub at;
  turns_client rude{at.turns()}, other{at.turns()};
  rude.connect("rude");
  REQUIRE(rude.next() == "name rude");
  at.await_waiting("tictactoe", 1);
  other.connect("other");
  next_of(rude, "turn");
  std::string all;
  for (int i = 0; i < limits::refusals_in_row_max; ++i) all += turns_client::message(0, "7") + "\n";
  rude.socket().send(all);
  for (int i = 0; i < limits::refusals_in_row_max; ++i)
    REQUIRE(rude.next() == "0 repeat-turn out-of-bounds 7");
  rude.play(0, "7");
  REQUIRE(rude.next() == "0 repeat-turn out-of-bounds 7");
  CHECK(rude.payload().contains("slowed"));
  rude.move(0, 0, 0);
  REQUIRE(rude.next() == "0 state X--/---/--- null");
  next_of(other, "turn");
  other.move(0, 1, 1);
  next_of(rude, "turn");
  rude.play(0, "7");
  REQUIRE(rude.next() == "0 repeat-turn out-of-bounds 7");
  CHECK_FALSE(rude.payload().contains("slowed"));
}

}  // namespace
}  // namespace gamehub::tests::system
