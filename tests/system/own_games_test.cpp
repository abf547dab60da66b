// The games of days of one player: several beside each other, their list over HTTP, and a player
// who comes back to them after the times that bound other games.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

json own_games(api_player& who) {
  return who.http.get("/api/me/games?client_id=" + who.id).json()["games"];
}
std::vector<std::string> ids(const json& games) {
  std::vector<std::string> out;
  for (const auto& each : games) out.push_back(each["game_id"]);
  return out;
}
std::string id_of(const json& seat) { return seat["game_id"].get<std::string>(); }

// The games do not end with their clients.
void quit_all(api_player& who) {
  for (const auto& each : own_games(who))
    if (each["status"] == "running") who.post("/api/quit", "&game_id=" + id_of(each));
}

// Ann (X) and Bob sit at a table with that clock.
std::string begin(api_player& ann, api_player& bob, const std::string& clock) {
  const auto more = "&keep=true&clock=" + clock;
  const auto game = id_of(ann.play(more));
  REQUIRE(id_of(bob.play(more)) == game);
  return game;
}

TEST_CASE("own games: several games of days are listed by urgency, and each is played") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  CHECK(own_games(ann) == json::array());
  const auto three = begin(ann, bob, "days:3"), one = begin(ann, bob, "days:1"),
             two = begin(ann, bob, "days:2");
  CHECK(ids(own_games(ann)) == std::vector{one, two, three});
  CHECK(ids(own_games(bob)) == std::vector{one, two, three});
  const auto first = own_games(ann)[0];
  CHECK(first["your_turn"] == true);
  CHECK(first["turn"] == "X");
  CHECK(first["status"] == "running");
  CHECK(first["clock_rule"] == "days:1");
  CHECK(first["opponents"][0]["name"] == "bob");
  CHECK(first["milliseconds_left"] <= 86'400'000);
  CHECK(first["milliseconds_left"] > 86'300'000);
  CHECK(first["turn_until"].is_string());
  // One that is not the latest: whose turn it is comes before the time.
  CHECK(ann.post("/api/move", "&position=4&game_id=" + one).body == "{}");
  CHECK(ids(own_games(ann)) == std::vector{two, three, one});
  CHECK(own_games(ann)[2]["your_turn"] == false);
  CHECK(ids(own_games(bob)) == std::vector{one, two, three});
  CHECK(bob.post("/api/chat", "&message=hello&game_id=" + three).body == "{}");
  CHECK(bob.post("/api/offer", "&what=draw&game_id=" + one).body == "{}");
  CHECK(ann.post("/api/offer", "&what=draw&answer=accepted&game_id=" + one).body == "{}");
  // Each sees the game as its player.
  const auto shown = ann.http.get("/api/games/" + three + "?client_id=" + ann.id).json();
  CHECK(shown["player"] == "X");
  CHECK(shown["positions"].size() == 9);
  // An ended game stays listed, at the end.
  CHECK(ids(own_games(ann)) == std::vector{two, three, one});
  CHECK(own_games(ann)[2]["status"] == "ended");
  CHECK(own_games(ann)[2]["winner"] == "D");
  CHECK(ann.post("/api/quit", "&game_id=" + three).body == "{}");
  CHECK(ann.post("/api/move", "&position=4&game_id=4711").code() == 102);
  // A rematch of one of them, beside the others.
  const auto again = ann.post("/api/rematch", "&game_id=" + one).json();
  CHECK(again["status"] == "waiting");
  CHECK(id_of(bob.post("/api/rematch", "&game_id=" + one).json()) == id_of(again));
  CHECK(ids(own_games(bob)).front() == id_of(again));
  // A guest has none.
  CHECK(ann.http.get("/api/me/games?client_id=0123456789abcdef0123456789abcdef").code() == 101);
  CHECK(ann.http.get("/api/me/games").code() == 100);
  quit_all(ann);
}

TEST_CASE("own games: a game by the second has no other beside it") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto engine = std::string{"&opponent=engine&keep=true"};
  const auto days = id_of(ann.play(engine + "&clock=days:2"));
  const auto quick = id_of(ann.play(engine));
  CHECK(ids(own_games(ann)) == std::vector{quick, days});
  CHECK(ann.post("/api/play", engine).code() == 100);
  // Without keep the latest one is quit, and the others stay.
  const auto next = id_of(ann.play("&opponent=engine"));
  CHECK(ids(own_games(ann)) == std::vector{next, days});
  CHECK(at.count("gamehub_lasting_games") == 1);
  quit_all(ann);
}

TEST_CASE("own games: the seats of an address bound them") {
  hub at{{"--limit-loopback", "--seats-per-address-max", "3"}};
  api_player ann{at.http(), "ann"};
  for (int i = 0; i < 3; ++i)
    CHECK(ann.play("&opponent=engine&keep=true&clock=days:2").contains("game_id"));
  CHECK(ann.post("/api/play", "&opponent=engine&keep=true&clock=days:2").code() == 105);
  CHECK(own_games(ann).size() == 3);
  // In the place of the latest one there is a seat.
  CHECK(ann.play("&opponent=engine&clock=days:2").contains("game_id"));
  quit_all(ann);
}

TEST_CASE("own games: as many games of days as the hub allows") {
  hub at{{"--lasting-games-max", "1"}};
  api_player ann{at.http(), "ann"};
  CHECK(ann.play("&opponent=engine&clock=days:2").contains("game_id"));
  const auto no = ann.post("/api/play", "&opponent=engine&keep=true&clock=days:2");
  CHECK(no.code() == 106);
  CHECK(no.body.find("games of days") != std::string::npos);
  CHECK(at.count("gamehub_lasting_games_refused_total") == 1);
  CHECK(ann.play("&opponent=engine&keep=true").contains("game_id"));
  quit_all(ann);
}

// A restart, or a takeover, shows the games of a player in no certain order.
TEST_CASE("own games: after a return a request names the one it means, unless only one runs") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db"};
  std::string x, one, two;
  {
    hub at{flags};
    api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
    one = begin(ann, bob, "days:1"), two = begin(ann, bob, "days:2");
    x = ann.id;
    // Before, it is the latest one.
    CHECK(ann.move(0).body == "{}");
    CHECK(own_games(ann)[0]["game_id"] == one);
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  hub at{flags};
  api_client ann{at.http()};
  const auto post = [&](const std::string& path, const std::string& more) {
    return ann.post(path, "client_id=" + x + more);
  };
  for (const auto& [path, more] : {std::pair{"/api/move", "&position=4"},
                                   {"/api/chat", "&message=hello"},
                                   {"/api/offer", "&what=draw"},
                                   {"/api/quit", ""}}) {
    const auto no = post(path, more);
    INFO(path << " " << no.body);
    CHECK(no.code() == 100);
    CHECK(no.body.find("game_id") != std::string::npos);
  }
  // It would resign one of them.
  CHECK(post("/api/play", "&new_game=true").code() == 100);
  CHECK(post("/api/move", "&position=4&game_id=" + one).body == "{}");
  CHECK(post("/api/quit", "&game_id=" + one).body == "{}");
  CHECK(post("/api/chat", "&message=hello").body == "{}");
  CHECK(post("/api/quit", "").body == "{}");
  CHECK(ann.get("/api/games/" + two).json()["status"] == "ended");
}

TEST_CASE("own games: they wait for players who come back after all times of other games") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal",
                                       "sqlite:" + folder.path() + "/journal.db",
                                       "--rejoin-seconds",
                                       "1",
                                       "--http-grace-seconds",
                                       "1",
                                       "--idle-seconds",
                                       "1"};
  std::string x, o, one, two, four, secret;
  {
    hub at{flags};
    api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
    two = begin(ann, bob, "days:2"), one = begin(ann, bob, "days:1");
    x = ann.id, o = bob.id;
    std::optional<turns_client> carl{at.turns()};
    carl->say(R"({"type":"connect","name":"carl","supported_games":["tictactoe"],"max_games":1,)"
              R"("clock":"days:4"})");
    REQUIRE(carl->next() == "name carl");
    secret = carl->secret();
    at.await_waiting("tictactoe", 1);
    api_player dora{at.http(), "dora"};
    four = id_of(dora.play("&clock=days:4"));
    REQUIRE(carl->next().starts_with("start"));
    // Their clients go: over HTTP after a second.
    carl.reset();
    at.await_count("gamehub_presence_changes_total", {{"change", "away"}}, 6);
    CHECK(ann.http.get("/api/games/" + one).json()["status"] == "running");
    CHECK(ann.http.get("/api/games/" + four).json()["away"].size() > 0);
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  hub at{flags};
  api_client guest{at.http()};
  for (const auto& game : {one, two, four}) {
    const auto stands = guest.get("/api/games/" + game).json();
    CHECK(stands["away"].size() == 2);
    CHECK_FALSE(stands["away"][0].contains("milliseconds_left"));
    CHECK(stands["clock"]["runs"] == json{"X"});
  }
  // Longer than a player of another game is awaited.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{1'500};
  at.await("is past the rejoin time", [&] { return std::chrono::steady_clock::now() > until; });
  const auto listed = guest.get("/api/me/games?client_id=" + x).json()["games"];
  CHECK(ids(listed) == std::vector{one, two});
  CHECK(guest.post("/api/move", "position=4&game_id=" + two + "&client_id=" + x).body == "{}");
  CHECK(guest.post("/api/move", "position=0&game_id=" + two + "&client_id=" + o).body == "{}");
  turns_client carl{at.turns()};
  carl.say(R"({"type":"connect","name":null,"supported_games":[],"max_games":0,"resume":")" +
           secret + "\"}");
  CHECK(carl.next() == "name carl");
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
