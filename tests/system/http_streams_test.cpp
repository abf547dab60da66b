// A game's updates over the HTTP wire: as lines, as events, by polls; from anywhere, also across a
// restart.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/whole_game.hpp"

#include <chrono>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

TEST_CASE("http streams: a reader has every update of a game, each as it comes") {
  hub at{{"--http-guests-max", "0"}};
  http_table t{at};
  api_client reader{at.http()};
  const auto head = reader.follow(t.path);
  CHECK(head.status == 200);
  CHECK(head.fields.at("content-type") == "application/x-ndjson");
  t.begin();
  auto u = reader.update();
  CHECK(u["type"] == "status");
  CHECK(u["board"] == "_________");
  CHECK(u["turn"] == "X");
  CHECK(u["playerX"] == "stan");
  CHECK(u["playerO"] == "kyle");
  CHECK(u["update_id"] == 1);
  CHECK(u["cursor"] == 1);
  CHECK(u["timestamp"].is_string());
  for (const auto* name : {"stan", "kyle"}) {
    u = reader.update();
    CHECK(u["type"] == "connect");
    CHECK(u["name"] == name);
  }
  for (std::size_t i = 0; i < std::size(moves); ++i) {
    t.play(i, i + 1);
    u = reader.update();
    CHECK(u["type"] == "move");
    CHECK(u["position"] == moves[i]);
    CHECK(u["player"] == (i % 2 == 0 ? "X" : "O"));
    CHECK(u.contains("turn") == (i + 1 < std::size(moves)));
  }
  CHECK(u["winner"] == "X");
  CHECK(u["board"] == "XXXOO____");
  u = reader.update();
  CHECK(u["type"] == "end");
  CHECK(u["update_id"] == last_update);
  CHECK(reader.update().is_null());
  // The connection is as good as before.
  CHECK(reader.get("/api/engines").status == 200);
}

TEST_CASE("http streams: that of a waiting game which is withdrawn has an end (clients 11)") {
  hub at;
  http_table t{at};
  api_client guest{at.http()}, events{at.http()};
  REQUIRE(guest.follow(t.path).status == 200);
  REQUIRE(events.follow(t.path, "Accept: text/event-stream\r\n").status == 200);
  REQUIRE(t.x.post("/api/quit").status == 200);
  const auto last = next_of(guest, "end");
  REQUIRE_FALSE(last.is_null());
  CHECK(last["code"] == "left");
  CHECK(last["winner"].is_null());
  CHECK(last["update_id"] == 0);
  CHECK(guest.update().is_null());
  std::string all;
  for (auto line = events.line(); line; line = events.line()) all += *line + '\n';
  CHECK(all.find("\"type\":\"end\"") != std::string::npos);
  CHECK(guest.get("/api/games/" + t.game).status == 404);
}

TEST_CASE("http streams: nothing follows the end of an ended game (clients 11)") {
  hub at;
  http_table t{at};
  t.begin();
  t.play(0, std::size(moves));
  at.await_count("gamehub_games_running", {}, 0);
  api_client guest{at.http()};
  REQUIRE(guest.follow(t.path).status == 200);
  std::vector<json> all;
  for (auto u = guest.update(); !u.is_null(); u = guest.update()) all.push_back(u);
  REQUIRE(all.size() == last_update + 1);
  // Its own arrival comes first.
  CHECK(all.front()["type"] == "connect");
  CHECK(all.front()["player"] == "G");
  CHECK(all.back()["type"] == "end");
}

TEST_CASE("http streams: a poll waits for what comes next") {
  hub at;
  http_table t{at};
  api_client poll{at.http()};
  poll.send("GET " + t.path + "?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  t.begin();
  auto got = poll.answer();
  REQUIRE(got);
  CHECK(got->json()["type"] == "status");
  poll.send("GET " + t.path + "?cursor=3 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  t.play(0, 1);
  got = poll.answer();
  REQUIRE(got);
  CHECK(got->json()["position"] == 0);
  CHECK(poll.get(t.path + "?wait=0&last_update_id=4").body.empty());
  t.x.post("/api/quit");
}

TEST_CASE("http streams: a client that only polls by its cursor plays to the end") {
  hub at;
  http_table t{at};
  t.begin();
  std::uint64_t cursor = 0;
  std::size_t made = 0;
  std::string winner;
  for (bool over = false; !over;) {
    const auto got = t.o.http.get(t.path + "?cursor=" + std::to_string(cursor));
    REQUIRE(got.status == 200);
    const auto u = got.json();
    REQUIRE(u["update_id"] == cursor + 1);
    cursor = u["update_id"].get<std::uint64_t>();
    over = u["type"] == "end";
    winner = u.value("winner", winner);
    if (u.contains("turn") && made < std::size(moves) && u["turn"] == (made % 2 == 0 ? "X" : "O") &&
        cursor >= 3) {
      t.play(made, made + 1);
      ++made;
    } else if (cursor == 3) {
      t.play(made, made + 1);
      ++made;
    }
  }
  CHECK(winner == "X");
  CHECK(cursor == last_update);
  // After the end it waits its time, so that a client that asks again at once does not spin.
  const auto asked = std::chrono::steady_clock::now();
  CHECK(t.o.http.get(t.path + "?wait=1&cursor=" + std::to_string(cursor)).body.empty());
  CHECK(std::chrono::steady_clock::now() - asked >= std::chrono::seconds{1});
}

TEST_CASE("http streams: guests are told of as they come and go, players are not guests") {
  hub at;
  http_table t{at};
  t.begin();
  api_client own{at.http()};
  own.follow(t.path + "?last_update_id=3&client_id=" + t.x.id);
  {
    api_client guest{at.http()};
    guest.follow(t.path + "?last_update_id=3");
    CHECK(own.update()["type"] == "state");
    const auto seen = own.update();
    CHECK(seen["type"] == "connect");
    CHECK(seen["player"] == "G");
    CHECK(seen["name"].get<std::string>().starts_with("Guest"));
    CHECK(seen["update_id"] == 3);
  }
  const auto gone = own.update();
  CHECK(gone["type"] == "disconnect");
  CHECK(gone["player"] == "G");
  // They are kept nowhere.
  api_client later{at.http()};
  CHECK(later.get(t.path + "?wait=0&last_update_id=3").body.empty());
  t.x.post("/api/quit");
}

TEST_CASE("http streams: what is said and who leaves is told, and then the end") {
  hub at{{"--http-guests-max", "0"}};
  http_table t{at};
  CHECK(t.x.post("/api/chat", "&message=anybody").code() == 103);
  t.begin();
  CHECK(t.x.post("/api/chat", "&message=good%20luck").body == "{}");
  CHECK(t.x.post("/api/chat", "&message=a%0Ab").code() == 100);
  CHECK(t.x.post("/api/chat").code() == 100);
  CHECK(t.o.post("/api/quit").body == "{}");
  api_client reader{at.http()};
  reader.follow(t.path + "?last_update_id=3");
  const auto all = rest_of(reader);
  REQUIRE(all.size() == 3);
  CHECK(all[0]["type"] == "chat");
  CHECK(all[0]["name"] == "stan");
  CHECK(all[0]["message"] == "good luck");
  CHECK(all[1]["type"] == "disconnect");
  CHECK(all[1]["name"] == "kyle");
  CHECK(all[1]["player"] == "O");
  CHECK(all[2]["type"] == "end");
  CHECK(all[2]["reason"] == "kyle quit the game");
}

TEST_CASE("http streams: a vanished reader that plays forfeits when its grace is over") {
  hub at{{"--http-grace-seconds", "1"}};
  http_table t{at};
  t.begin();
  api_client other{at.http()};
  other.follow(t.path + "?last_update_id=3&client_id=" + t.o.id);
  {
    api_client own{at.http()};
    own.follow(t.path + "?last_update_id=3&client_id=" + t.x.id);
  }
  const auto all = rest_of(other);
  REQUIRE_FALSE(all.empty());
  CHECK(all.back()["type"] == "end");
  CHECK(all.back()["reason"] == "stan disconnected");
}

TEST_CASE("http streams: a vanished reader loses by the turn clock, not by the idle time") {
  hub at{{"--idle-seconds", "1", "--turn-seconds", "3"}};
  http_table t{at};
  t.begin();
  api_client other{at.http()};
  other.follow(t.path + "?last_update_id=3&client_id=" + t.o.id);
  {
    api_client own{at.http()};
    own.follow(t.path + "?last_update_id=3&client_id=" + t.x.id);
  }
  const auto all = rest_of(other);
  REQUIRE_FALSE(all.empty());
  CHECK(all.back()["type"] == "end");
  CHECK(all.back()["reason"] == "stan ran out of time");
  // The idle time begins with the end of the game.
  at.await_count("gamehub_sessions", {{"gateway", "http"}}, 0);
  CHECK(t.x.move(0).code() == 101);
}

TEST_CASE("http streams: a player who never read its updates loses by the turn clock alone") {
  hub at{{"--idle-seconds", "1", "--turn-seconds", "3"}};
  http_table t{at};
  t.begin();
  api_client reader{at.http()};
  reader.follow(t.path + "?last_update_id=3");
  const auto all = rest_of(reader);
  REQUIRE_FALSE(all.empty());
  CHECK(all.back()["reason"] == "stan ran out of time");
}

TEST_CASE("http streams: a game goes on where it was after the hub was away") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db",
                                       "--http-guests-max", "0"};
  std::string path, x, o;
  {
    hub at{flags};
    http_table t{at};
    t.begin();
    t.play(0, 3);
    path = t.path, x = t.x.id, o = t.o.id;
    api_client reader{at.http()};
    reader.follow(path + "?last_update_id=6");
    at.process().signal(SIGTERM);
    CHECK(next_numbered(reader).is_null());
    CHECK(at.wait() == 0);
  }
  hub at{flags};
  api_client reader{at.http()}, first{at.http()}, second{at.http()};
  reader.follow(path + "?last_update_id=2");
  // One is back by playing, the other by asking for its game.
  CHECK(second.post("/api/move", "client_id=" + o + "&position=4").body == "{}");
  const auto seat = first.post("/api/play", "resume=true&client_id=" + x).json();
  CHECK(seat["board"] == "XX_OO____");
  CHECK(seat["opponent_name"] == "kyle");
  CHECK(first.post("/api/move", "client_id=" + x + "&position=2").body == "{}");
  CHECK(numbers_of(rest_of(reader)) == from_to(3, last_update));
  CHECK(first.post("/api/move", "client_id=nobody-ever-had-this&position=2").code() == 101);
}

TEST_CASE("http streams: games are listed, shown and told again") {
  hub at;
  http_table t{at};
  t.begin();
  t.play(0, 2);
  api_client guest{at.http()};
  const auto number = t.game;
  const auto list = guest.get("/api/games?status=running&engine=tictactoe").json();
  REQUIRE(list["games"].size() == 1);
  CHECK(list["games"][0]["game_id"] == number);
  CHECK(list["games"][0]["players"] == json::array({"stan", "kyle"}));
  CHECK(list["games"][0]["last_update_id"] == 5);
  const auto shown = guest.get("/api/games/" + number).json();
  CHECK(shown["status"] == "running");
  CHECK(shown["board"] == "X__O_____");
  CHECK(shown["turn"] == "X");
  CHECK(shown["history"].size() == 5);
  CHECK_FALSE(shown.contains("actions"));
  const auto own = guest.get("/api/games/" + number + "?client_id=" + t.x.id).json();
  CHECK(own["player"] == "X");
  CHECK(own["actions"].size() == 7);
  CHECK(guest.get("/api/replays/" + number).code() == 102);
  t.play(2, std::size(moves));
  at.await_count("gamehub_games_running", {}, 0);
  const auto replay = guest.get("/api/replays/" + number).json();
  CHECK(replay["updates"].size() == last_update);
  CHECK(replay["engine_version"].is_string());
  CHECK(guest.get("/api/games/" + number).json()["winner"] == "X");
  const auto again = t.x.post("/api/rematch").json();
  CHECK(again["player"] == "O");
  CHECK(again["status"] == "waiting");
  const auto other = t.o.post("/api/rematch", "&game_id=" + number).json();
  CHECK(other["player"] == "X");
  CHECK(other["game_id"] == again["game_id"]);
  CHECK(t.o.move(8).status == 200);
  t.o.post("/api/quit");
}

TEST_CASE("http streams: a closed game is joined by its invitation alone") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"}, eve{at.http(), "eve"};
  const auto seat = ann.play("&private=true");
  REQUIRE(seat["invitation"].is_string());
  CHECK(eve.play()["game_id"] != seat["game_id"]);
  const auto joined = bob.play("&invitation=" + seat["invitation"].get<std::string>());
  CHECK(joined["game_id"] == seat["game_id"]);
  CHECK(joined["opponent_name"] == "ann");
  // A client that guesses its number sees nothing of it; its players see all of it.
  const auto game = seat["game_id"].get<std::string>();
  const auto asked = [&](const std::string& path, const std::string& more) {
    api_client reader{at.http()};
    return reader.get("/api/" + path + "/" + game + "?" + more);
  };
  for (const auto& who : {std::string{}, "client_id=" + eve.id, std::string{"client_id=x"}}) {
    CHECK(asked("updates", who).code() == 102);
    CHECK(asked("updates", "wait=60&" + who).code() == 102);
    CHECK(asked("games", who).code() == 102);
  }
  for (const auto* id : {&ann.id, &bob.id}) {
    CHECK(asked("updates", "wait=0&client_id=" + *id).json()["update_id"] == 1);
    CHECK(asked("games", "client_id=" + *id).json()["history"].size() == 3);
  }
  CHECK(eve.post("/api/quit").status == 200);
  CHECK(bob.post("/api/quit").status == 200);
  at.await_count("gamehub_games_running", {}, 0);
  CHECK(asked("replays", "client_id=" + eve.id).code() == 102);
  CHECK(asked("replays", "client_id=" + ann.id).status == 200);
  CHECK(asked("updates", "client_id=" + eve.id).code() == 102);
}

}  // namespace
}  // namespace gamehub::tests::system
