// Clocks that players choose with their table, over the wires of a real hub.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/tcp_client.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// Encoded for a form.
constexpr auto fischer = "&clock=fischer:60%2B5";

json connect_line(const std::string& name, const std::string& clock) {
  return {{"type", "connect"}, {"name", name},   {"supported_games", {"tictactoe"}},
          {"max_games", 1},    {"clock", clock}, {"wants", {"clock", "resume"}}};
}

// What the wire of turns says is left to each seat.
std::vector<std::int64_t> left_in(const turns_client& who) {
  return who.payload()["clock"]["milliseconds_left"].get<std::vector<std::int64_t>>();
}

TEST_CASE(
    "clock choice: a game with an increment over JSON turns and HTTP, to the end of its time") {
  hub at;
  turns_client ann{at.turns()};
  ann.say(connect_line("ann", "fischer:0.8+0.5").dump());
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  // Players who ask for another clock, or do not ask, do not meet her.
  api_player usual{at.http(), "usual"}, bob{at.http(), "bob"};
  CHECK(usual.play()["status"] == "waiting");
  const auto seat = bob.play("&clock=fischer:0.8%2B0.5");
  CHECK(seat["opponent_name"] == "ann");
  CHECK(seat["clock_rule"] == "fischer:0.8+0.5");
  CHECK(seat["clock"]["runs"] == json{"X"});
  REQUIRE(ann.next() == "start 0");
  CHECK(ann.line()["clock_rule"] == "fischer:0.8+0.5");
  CHECK_FALSE(ann.line().contains("turn_milliseconds"));
  REQUIRE(ann.next().starts_with("0 state"));
  REQUIRE(ann.next() == "0 turn");
  ann.move(0, 0, 0);
  REQUIRE(ann.next().starts_with("0 state"));
  // She has had an increment.
  CHECK(left_in(ann)[0] > 800);
  CHECK(left_in(ann)[0] <= 1300);
  CHECK(left_in(ann)[1] <= 800);
  REQUIRE(bob.move(1).status == 200);
  REQUIRE(ann.next().starts_with("0 state"));
  CHECK(left_in(ann)[1] > 500);
  REQUIRE(ann.next() == "0 turn");
  const auto game = "/api/games/" + seat["game_id"].get<std::string>();
  const auto shown = bob.http.get(game).json();
  CHECK(shown["clock_rule"] == "fischer:0.8+0.5");
  CHECK(shown["clock"]["milliseconds_left"].size() == 2);
  // She moves no more.
  REQUIRE(ann.next().starts_with("0 state"));
  REQUIRE(ann.next() == "close 0");
  CHECK(ann.line()["reason"] == "clock");
  CHECK(ann.line()["winner_seat"] == 1);
  CHECK(bob.http.get(game).json()["winner"] == "O");
  usual.post("/api/quit");
}

TEST_CASE("clock choice: while the hub's process is stopped no player's clock runs") {
  hub at;
  turns_client ann{at.turns()}, bob{at.turns()};
  ann.say(connect_line("ann", "sudden:2").dump());
  REQUIRE(ann.next() == "name ann");
  at.await_waiting("tictactoe", 1);
  bob.say(connect_line("bob", "sudden:2").dump());
  REQUIRE(ann.next() == "start 0");
  REQUIRE(ann.next().starts_with("0 state"));
  REQUIRE(ann.next() == "0 turn");
  // Another hub tells when a second is over, in which this one had nothing to do.
  hub other{{"--handshake-seconds", "1"}};
  at.process().signal(SIGSTOP);
  ann.move(0, 0, 0);
  tcp_client bell{other.turns()};
  REQUIRE(bell.rest() == "{\"type\":\"close\",\"error\":\"handshake-timeout\"}\n");
  at.process().signal(SIGCONT);
  REQUIRE(ann.next().starts_with("0 state"));
  CHECK(left_in(ann)[0] > 1'500);
}

TEST_CASE("clock choice: what is left survives a crash of the hub, and stands until all are back") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db"};
  std::string game, secret, id;
  std::vector<std::int64_t> left;
  {
    hub at{flags};
    turns_client ann{at.turns()};
    ann.say(connect_line("ann", "fischer:60+5").dump());
    REQUIRE(ann.next() == "name ann");
    at.await_waiting("tictactoe", 1);
    secret = ann.secret();
    api_player bob{at.http(), "bob"};
    id = bob.id;
    game = "/api/games/" + bob.play(fischer)["game_id"].get<std::string>();
    REQUIRE(ann.next() == "start 0");
    REQUIRE(ann.next().starts_with("0 state"));
    REQUIRE(ann.next() == "0 turn");
    ann.move(0, 0, 0);
    REQUIRE(ann.next().starts_with("0 state"));
    REQUIRE(bob.move(1).status == 200);
    REQUIRE(ann.next().starts_with("0 state"));
    left = left_in(ann);
    CHECK(left[0] > 60'000);
    CHECK(left[1] > 60'000);
    at.process().signal(SIGKILL);
    at.wait();
  }
  hub at{flags};
  api_client guest{at.http()};
  const auto stopped = guest.get(game).json();
  CHECK(stopped["clock_rule"] == "fischer:60+5");
  CHECK(stopped["clock"]["runs"].empty());
  const auto after = stopped["clock"]["milliseconds_left"].get<std::vector<std::int64_t>>();
  // No player has gained time by it. Ann's turn had begun.
  CHECK(after[0] <= left[0]);
  CHECK(after[0] > left[0] - 5'000);
  CHECK(after[1] == left[1]);
  turns_client ann{at.turns()};
  auto again = connect_line("ann", "fischer:60+5");
  again["resume"] = secret;
  ann.say(again.dump());
  REQUIRE(ann.next() == "name ann");
  REQUIRE(ann.next() == "start 0");
  CHECK(ann.line()["clock_rule"] == "fischer:60+5");
  CHECK(guest.get(game + "?client_id=" + id).json()["player"] == "O");
  at.await("runs the clock again",
           [&] { return guest.get(game).json()["clock"]["runs"] == json{"X"}; });
  CHECK(at.count("gamehub_clock_credit_seconds_total", {{"cause", "restart"}}) > 0);
  CHECK(guest.post("/api/quit", "client_id=" + id).status == 200);
}

TEST_CASE("clock choice: a clock that can't be had is refused on each wire, with the reason") {
  hub at;
  api_player ann{at.http(), "ann"};
  for (const auto* bad : {"soon", "move:0", "none", "sudden:99999999999999999999", "days:1000",
                          "fischer:86401%2B1"}) {
    CAPTURE(bad);
    const auto answer = ann.post("/api/play", "&clock=" + std::string{bad});
    CHECK(answer.status == 400);
    CHECK(answer.code() == 100);
    CHECK(answer.json()["error"]["message"].get<std::string>().find("clock") != std::string::npos);
  }
  CHECK(ann.post("/api/play", "&clock=" + std::string(65, '1')).code() == 100);
  turns_client bob{at.turns()};
  bob.say(connect_line("bob", "move:0").dump());
  REQUIRE(bob.next() == "name bob");
  REQUIRE(bob.next() == "name bob");
  CHECK(bob.line()["error"] == "bad-clock: the time of a clock is at least 0.001 s");
  // It may ask again on the same connection.
  bob.say(connect_line("bob", "days:2").dump());
  at.await_waiting("tictactoe", 1);
  CHECK(ann.play("&clock=days:2")["opponent_name"] == "bob");
  CHECK(ann.post("/api/quit").body == "{}");
}

TEST_CASE("clock choice: the operator sets the clock of those who choose none, and the bounds") {
  hub at{{"--clock", "sudden:50", "--engine-clock", "nim=byoyomi:30+3x10",
          "--clock-game-seconds-max", "40"}};
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  CHECK(ann.play()["clock_rule"] == "sudden:50");
  // Whatever its client can say: it sits at tables of the hub's clock.
  turns_client old{at.turns()};
  old.connect("old");
  REQUIRE(old.next() == "name old");
  REQUIRE(old.next() == "start 0");
  CHECK(old.line()["clock_rule"] == "sudden:50");
  CHECK(bob.play("&clock=sudden:41").dump().find("at most 40 s") != std::string::npos);
  const auto waits = bob.play("&engine=nim&clock=byoyomi:30%2B3x10&private=true");
  CHECK(waits["clock_rule"] == "byoyomi:30+3x10");
  const auto invited =
      bob.http.get("/api/invitation?invitation=" + waits["invitation"].get<std::string>()).json();
  CHECK(invited["clock_rule"] == "byoyomi:30+3x10");
  ann.post("/api/quit");
  const auto seat = ann.play("&invitation=" + waits["invitation"].get<std::string>());
  CHECK(seat["clock_rule"] == "byoyomi:30+3x10");
  CHECK(seat["clock"]["periods"] == json{3, 3});
  ann.post("/api/quit");
}

}  // namespace
}  // namespace gamehub::tests::system
