// Games of three seats or more of which an engine and a bot that the hub calls take seats.
#include "tests/support/catch.hpp"
#include "tests/system/big_table.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"

#include <csignal>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

void enter_dot(hub& at, bot_server& bots, const std::string& kind, const std::string& engine) {
  const auto answer = bots.enter(at.http(), kind, "Dot", {{"game", engine}});
  INFO(answer.dump());
  REQUIRE(answer["error"].is_null());
  at.await_count("gamehub_bots_online", {}, 1);
}

const std::string opponents = "&opponents=any,engine:random,bot:Dot";
const std::string two_rounds = "&engine=oh-hell&options=%7B%22rounds%22%3A2%7D";
const json opponents_json{"any", "engine:random", "bot:Dot"};

// HTTP has the first seat, a WebSocket the second, an engine the third and a bot the fourth.
struct mixed_table {
  mixed_table(hub& to, bot_server& bots, const std::string& form, const json& options,
              const std::string& kind = "guest")
      : at(to), curl(to.http(), "curl") {
    enter_dot(at, bots, kind, options.begin().key());
    const auto seat = curl.play(form + opponents);
    INFO(seat);
    REQUIRE(seat["status"] == "waiting");
    game = seat["game_id"].get<std::string>();
    const auto listed = curl.http.get("/api/games?status=waiting").json()["games"][0];
    CHECK(listed["players"] == json{"curl", "", "engine (random)", "Dot"});
    CHECK(listed["kinds"] == json{"player", "", "engine", "bot"});
    socket = std::make_unique<turns_player>(at, "socket", options, true, opponents_json);
    const auto start = socket->next("start");
    CHECK(start["seat"] == 1);
    CHECK(start["players"] == json{"curl", "socket", "engine (random)", "Dot"});
    CHECK(start["kinds"] == json{"player", "player", "engine", "bot"});
  }

  json now() { return game_of(curl, game); }

  // Plays the seats of the two players until it is so, or until the game has ended.
  template <class Until>
  void play_until(Until until) {
    for (auto shown = now(); shown["status"] != "ended" && !until(shown); shown = now()) {
      const auto turn = shown["turn"].get<std::string>();
      const bool socket_plays = shown["kinds"][1] != "substitute";
      if (turn == "X" && shown["kinds"][0] != "substitute") {
        const auto action = shown["actions"][0].get<std::string>();
        REQUIRE(curl.post("/api/move", "&action=" + action).status == 200);
      } else if (turn == "O" && socket_plays) {
        socket->play_first(socket->next("turn"));
      } else {
        at.await("the move of an engine or a bot", [&] {
          const auto next = now();
          return next["status"] == "ended" || next["turn"] != turn ||
                 next["last_update_id"] != shown["last_update_id"];
        });
      }
    }
  }
  void play_to_the_end() {
    play_until([](const json&) { return false; });
  }

  hub& at;
  api_player curl;
  std::unique_ptr<turns_player> socket;
  std::string game;
};

void check_end(const json& end, std::size_t leaver) {
  INFO(end.dump());
  CHECK(end["ranks"].size() == 4);
  CHECK(end["ranks"][leaver] == 4);
  CHECK(end["scores"][leaver] == -1.0);
  CHECK(end["forfeits"] == json{leaver});
}

TEST_CASE("seats: a person, a program, an engine and a bot play to the end") {
  bot_server bots;
  hub at{with_bots()};
  mixed_table t{at, bots, small_boxes, small_boxes_json};
  t.play_to_the_end();
  const auto told = bots.await_call("Dot", "DotsandBoxes.Complete")["params"];
  const auto close = t.socket->next("close");
  INFO(close.dump());
  CHECK((close["reason"] == "rules" || close["reason"] == "draw"));
  for (const auto* member : {"ranks", "scores", "forfeits"}) CHECK(told[member] == close[member]);
  CHECK(told["winner"] == (close["winner_seat"] == 3));
  CHECK(told["gamestate"]["boxes"] == t.now()["view"]["boxes"]);
  const auto asked = bots.await_call("Dot", "DotsandBoxes.NextMove")["params"];
  CHECK(asked["mark"] == "4");
  CHECK(asked["seat"] == 3);
  CHECK(asked["players"] == json{"curl", "socket", "engine (random)", "Dot"});
  CHECK(asked["options"]["players"] == 4);
  // Not rated: the league has games of two.
  CHECK(at.count("gamehub_bot_faults_total") == 0);
  CHECK(t.curl.http.get("/api/leaderboard?engine=dots-and-boxes").json()["players"].empty());
}

TEST_CASE("seats: a table with an engine and a bot ends right when the program leaves") {
  bot_server bots;
  hub at{with_bots()};
  mixed_table t{at, bots, small_boxes, small_boxes_json};
  int looks = 0;
  t.play_until([&](const json&) { return ++looks == 4; });
  t.socket->leave();
  CHECK(t.socket->next("close")["reason"] == "left");
  at.await("a substitute plays", [&] { return t.now()["kinds"][1] == "substitute"; });
  t.play_to_the_end();
  check_end(bots.await_call("Dot", "Complete")["params"], 1);
}

TEST_CASE("seats: a table with an engine and a bot ends right when the HTTP player leaves") {
  bot_server bots;
  hub at{with_bots()};
  mixed_table t{at, bots, short_oh_hell, short_oh_hell_json};
  int looks = 0;
  t.play_until([&](const json&) { return ++looks == 4; });
  REQUIRE(t.curl.post("/api/quit").status == 200);
  t.play_to_the_end();
  check_end(bots.await_call("Dot", "Complete")["params"], 0);
  check_end(t.socket->next("close"), 0);
}

TEST_CASE("seats: an engine plays on for a bot that fails, and for one that is too late") {
  for (const auto* kind : {"stranger", "slow"}) {
    CAPTURE(kind);
    bot_server bots;
    hub at{with_bots({"--bot-move-seconds", "1"})};
    mixed_table t{at, bots, small_boxes, small_boxes_json, kind};
    t.play_to_the_end();
    const auto error = bots.await_call("Dot", "Error")["params"];
    CHECK(error["errorcode"] == (std::string{kind} == "slow" ? 1551 : 1549));
    CHECK(t.now()["kinds"][3] == "substitute");
    check_end(t.socket->next("close"), 3);
    CHECK(at.count("gamehub_bot_faults_total") == 1);
  }
}

TEST_CASE("seats: no player sees the cards of another, neither of a bot nor as a bot") {
  bot_server bots;
  hub at{with_bots()};
  mixed_table t{at, bots, short_oh_hell, short_oh_hell_json};
  std::map<int, std::set<std::string>> held;  // by curl
  api_client guest{at.http()};
  t.play_until([&](const json& now) {
    for (const auto& card : now["view"]["hand"])
      held[now["view"]["round"].get<int>()].insert(card.get<std::string>());
    return false;
  });
  t.socket->next("close");
  std::map<int, std::set<std::string>> of_bot;
  int calls = 0;
  bots.await("the end", [&](const json& call) {
    const auto method = call.value("method", "");
    if (method.ends_with("NextMove")) {
      ++calls;
      const auto& params = call["params"];
      CHECK(params["hidden"] == true);
      for (const auto& card : params["gamestate"]["hand"])
        of_bot[params["gamestate"]["round"].get<int>()].insert(card.get<std::string>());
    }
    return method.ends_with("Complete");
  });
  // A bid and a card in the first round, a bid and two cards in the second.
  CHECK(calls == 5);
  for (int round = 1; round <= 2; ++round) {
    CAPTURE(round);
    std::set<std::string> seen;
    std::size_t count = 0;
    for (const auto* each : {&std::as_const(held), &t.socket->held(), &std::as_const(of_bot)}) {
      const auto hand = each->find(round);
      REQUIRE(hand != each->end());
      CHECK(hand->second.size() == static_cast<std::size_t>(round));
      count += hand->second.size();
      seen.insert(hand->second.begin(), hand->second.end());
    }
    CHECK(seen.size() == count);
  }
  guest.follow("/api/updates/" + t.game);
  for (const auto& u : rest_of(guest))
    if (u.contains("view")) CHECK(u["view"]["hand"].is_null());
}

TEST_CASE("seats: after a kill of the hub a bot has its seat and its view again") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/journal.db";
  bot_server bots;
  std::string game, id;
  {
    hub first{with_bots({"--journal", journal})};
    enter_dot(first, bots, "guest", "oh-hell");
    api_player curl{first.http(), "curl"};
    game = curl.play(two_rounds + "&opponents=engine,bot:Dot")["game_id"].get<std::string>();
    id = curl.id;
    bots.await_call("Dot", "Ping");
    first.process().signal(SIGKILL);
    first.wait();
  }
  hub second{with_bots({"--journal", journal})};
  second.await_count("gamehub_bots_online", {}, 1);
  api_client http{second.http()};
  REQUIRE(http.post("/api/play", "resume=true&client_id=" + id).status == 200);
  const auto now = [&] { return http.get("/api/games/" + game + "?client_id=" + id).json(); };
  for (auto shown = now(); shown["status"] != "ended"; shown = now()) {
    if (shown["turn"] != "X") {
      second.await("the moves of the others",
                   [&] { return now()["turn"] == "X" || now()["status"] == "ended"; });
      continue;
    }
    const auto action = shown["actions"][0].get<std::string>();
    REQUIRE(http.post("/api/move", "client_id=" + id + "&action=" + action).status == 200);
  }
  CHECK(now()["kinds"] == json{"player", "engine", "bot"});
  const auto replay = http.get("/api/replays/" + game).json();
  const auto code = replay["updates"].back()["code"];
  CAPTURE(code);
  CHECK((code == "rules" || code == "draw"));
  const auto asked = bots.await("a call of the second round", [](const json& call) {
    return call.value("method", "").ends_with("NextMove") &&
           call["params"]["gamestate"]["round"] == 2;
  });
  CHECK(asked["params"]["gamestate"]["hand"].is_array());
}

TEST_CASE("seats: one person plays two engines at once, each at its level") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto seat = ann.play("&engine=dots-and-boxes&opponents=engine:random,engine");
  CHECK_FALSE(seat.contains("status"));
  CHECK(seat["opponents"].size() == 2);
  CHECK(game_of(ann, seat["game_id"])["kinds"] == json{"player", "engine", "engine"});
  CHECK(ann.post("/api/quit").status == 200);
  // In JSON the list may be an array.
  const json wish{
      {"client_id", ann.id}, {"engine", "dots-and-boxes"}, {"opponents", {"engine", "engine"}}};
  const auto json_seat =
      ann.http.request("POST", "/api/play", "Content-Type: application/json\r\n", wish.dump());
  CHECK(json_seat.status == 200);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("seats: a list of opponents that can't be is refused with what to give") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto refused = [&](const std::string& form) {
    const auto said = ann.post("/api/play", form);
    CHECK(said.status >= 400);
    return said.json()["error"]["message"].get<std::string>();
  };
  const std::string boxes = "&engine=dots-and-boxes";
  CHECK(refused(boxes + "&opponents=any,Bob") ==
        "entry 2 of opponents has to be any, engine, engine:LEVEL or bot:NAME; a person joins by "
        "the game_id or an invitation");
  CHECK(refused(boxes + "&opponents=engine&opponent=engine") ==
        "give opponent or opponents, not both");
  CHECK(refused(boxes + "&opponents=bot:Dash") == "the bot Dash is not online");
  CHECK(refused(boxes + "&opponents=any,any,any") ==
        "that engine can't be played here: has 2 further seats, and opponents has 3 entries");
  CHECK(refused("&engine=tictactoe&opponents=engine") ==
        "that engine can't be played here: is played by 2, and opponents is for three or more: "
        "ask for one opponent");
  CHECK(refused(boxes + "&opponent=Bob").find("name the others in opponents") != std::string::npos);
  const auto told = [&](const json& list) {
    turns_client c{at.turns()};
    c.say(json{{"type", "connect"},
               {"name", "turns"},
               {"supported_games", {"dots-and-boxes"}},
               {"opponents", list}}
              .dump());
    std::string error;
    while (error.empty()) {
      REQUIRE(c.next().starts_with("name"));
      error = c.line().value("error", "");
    }
    return error;
  };
  CHECK(told({"Bob"}).starts_with("malformed: entry 1 of opponents has to be any, engine,"));
  CHECK(told("engine").starts_with("malformed: opponents is no list"));
  CHECK(told({"bot:Dash"}) == "opponent-away: Dash");
  CHECK(told({"any", "any", "engine"}).starts_with("unfit-engine: has 2 further seats"));
}

}  // namespace
}  // namespace gamehub::tests::system
