// Draws, takebacks and claims of the win in running games, between clients of several protocols.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

// What an update says, without its number and times.
json said(json update) {
  for (const auto* each : {"update_id", "cursor", "timestamp", "clock"}) update.erase(each);
  return update;
}

TEST_CASE("game offers: a takeback and a draw over HTTP are updates of the game") {
  hub at;
  http_table t{at};
  t.begin();
  api_client reader{at.http()};
  reader.follow(t.path + "?client_id=" + t.o.id);
  t.play(0, 2);
  CHECK(t.x.post("/api/offer", "&what=takeback").body == "{}");
  api_client guest{at.http()};
  const auto now = guest.get("/api/games/" + t.game).json();
  CHECK(now["offers"] == json::parse(R"([{"what":"takeback","player":"X","name":"stan"}])"));
  CHECK(t.x.post("/api/offer", "&what=takeback").code() == 103);
  CHECK(t.o.post("/api/offer", "&what=takeback&answer=accepted").body == "{}");
  for (int i = 0; i < 5; ++i) next_numbered(reader);
  CHECK(said(next_numbered(reader)) ==
        json{{"type", "offer"}, {"what", "takeback"}, {"player", "X"}, {"name", "stan"}});
  CHECK(said(next_numbered(reader)) == json{{"type", "answer"},
                                            {"what", "takeback"},
                                            {"answer", "accepted"},
                                            {"player", "O"},
                                            {"name", "kyle"}});
  const auto back = next_numbered(reader);
  CHECK(back["type"] == "status");
  CHECK(back["board"] == "_________");
  CHECK(back["turn"] == "X");
  CHECK(back["taken_back"] == 4);
  CHECK(t.x.move(4).status == 200);
  CHECK(t.x.post("/api/offer", "&what=draw").status == 200);
  CHECK(t.o.post("/api/offer", "&what=draw&answer=declined").status == 200);
  CHECK(t.o.post("/api/offer", "&what=draw").status == 200);
  // Who offers it, too, accepts it.
  CHECK(t.x.post("/api/offer", "&what=draw").status == 200);
  const auto end = next_of(reader, "end");
  CHECK(end["code"] == "agreed");
  CHECK(end["winner"] == "D");
  CHECK(end["scores"] == json{0.0, 0.0});
  CHECK(t.x.post("/api/offer", "&what=draw").code() == 103);
  const auto replay = guest.get("/api/replays/" + t.game).json();
  CHECK(replay["updates"].size() == end["update_id"]);
}

TEST_CASE("game offers: they stand after the hub was killed") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal", "sqlite:" + folder.path() + "/journal.db"};
  std::string x, o, game;
  {
    hub at{flags};
    http_table t{at};
    t.begin();
    t.play(0, 3);
    CHECK(t.x.post("/api/offer", "&what=takeback").status == 200);
    CHECK(t.o.post("/api/offer", "&what=takeback&answer=accepted").status == 200);
    CHECK(t.o.post("/api/offer", "&what=draw").status == 200);
    x = t.x.id, o = t.o.id, game = t.game;
    at.process().signal(SIGKILL);
    CHECK(at.wait() == 128 + SIGKILL);
  }
  hub at{flags};
  api_client client{at.http()};
  for (const auto& who : {x, o})
    CHECK(client.post("/api/play", "resume=true&client_id=" + who).json()["board"] == "X__O_____");
  const auto yes = "what=draw&answer=accepted&client_id=" + x;
  CHECK(client.post("/api/offer", yes).status == 200);
  CHECK(client.get("/api/games/" + game).json()["winner"] == "D");
}

TEST_CASE("game offers: a client of turns that wants offers makes and answers them") {
  hub at;
  api_player ann{at.http(), "ann"};
  ann.play();
  turns_client bob{at.turns()};
  bob.say(R"({"type":"connect","name":"bob","supported_games":["tictactoe"],"wants":["offers"]})");
  while (!bob.next().starts_with("0 state")) continue;
  CHECK(ann.move(4).status == 200);
  while (bob.next() != "0 turn") continue;
  CHECK(ann.post("/api/offer", "&what=takeback").status == 200);
  CHECK(
      bob.next() ==
      R"({"type":"offer","game_id":0,"what":"takeback","step":"offered","seat":0,"mark":"X","name":"ann"})");
  bob.say(R"({"type":"offer","game_id":0,"what":"takeback","step":"accepted"})");
  CHECK(json::parse(bob.next())["step"] == "accepted");
  CHECK(bob.next() == "0 state ---/---/--- null");
  bob.say(R"({"type":"offer","game_id":0,"what":"takeback"})");
  CHECK(json::parse(bob.next())["detail"] == "you have no move to take back");
  bob.say(R"({"type":"offer","game_id":0,"what":"draw"})");
  CHECK(json::parse(bob.next())["step"] == "offered");
  CHECK(ann.post("/api/offer", "&what=draw&answer=accepted").status == 200);
  CHECK(json::parse(bob.next())["step"] == "accepted");
  CHECK(bob.next() == "0 state ---/---/--- null");
  CHECK(bob.next() == "close 0");
  CHECK(bob.line()["reason"] == "agreed");
  CHECK(bob.line()["scores"] == json{0.0, 0.0});
}

TEST_CASE("game offers: clients without words for them get none, and are not waited for") {
  hub at;
  api_player ann{at.http(), "ann"};
  // Who goes away ends the game: the client of turns stays until ann has quit.
  std::optional<turns_client> turns;
  SECTION("turns") {
    ann.play();
    auto& old = turns.emplace(at.turns());
    old.connect("old");
    while (!old.next().starts_with("0 state")) continue;
    CHECK(ann.post("/api/offer", "&what=draw").code() == 103);
    CHECK(ann.move(4).status == 200);
    CHECK(old.next() == "0 state ---/-X-/--- null");
    CHECK(old.next() == "0 turn");
  }
  SECTION("the engine") {
    ann.play("&opponent=engine:random");
    CHECK(ann.move(4).status == 200);
    CHECK(ann.post("/api/offer", "&what=draw").code() == 103);
    CHECK(ann.post("/api/offer", "&what=takeback").status == 200);
    CHECK(ann.play("&resume=true")["board"] == "_________");
  }
  const auto left = ann.post("/api/quit");
  INFO(left.body);
  CHECK(left.status == 200);
}

TEST_CASE("game offers: the win is claimed from who is away (claim-seconds)") {
  hub at{{"--claim-seconds", "1", "--http-grace-seconds", "300"}};
  http_table t{at};
  t.begin();
  api_client reader{at.http()};
  reader.follow(t.path + "?client_id=" + t.x.id);
  {
    api_client other{at.http()};
    other.follow(t.path + "?client_id=" + t.o.id);
    REQUIRE(next_numbered(other)["type"] == "status");
    CHECK(t.x.post("/api/claim").code() == 103);
  }
  const auto away = next_of(reader, "away");
  CHECK(away["player"] == "O");
  CHECK(away["claim_milliseconds"] <= 1'000);
  at.await("lets the win be claimed", [&] { return t.x.post("/api/claim").status == 200; });
  const auto end = next_of(reader, "end");
  CHECK(end["winner"] == "X");
  CHECK(end["code"] == "left");
  CHECK(end["reason"] == "kyle disconnected");
}

}  // namespace
}  // namespace gamehub::tests::system
