// Bots in games for two whose calls have more than a board: without one, with hidden cards that
// chance deals, and with moves of both at once. And bots of an engine for one player or more.
#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"
#include "tests/system/big_table.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/hub.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

void enter(hub& at, bot_server& bots, const std::string& kind, const std::string& name,
           const std::string& engine, double online = 1) {
  const auto answer = bots.enter(at.http(), kind, name, {{"game", engine}});
  REQUIRE(error_of(answer).empty());
  at.await_count("gamehub_bots_online", {}, online);
}

// Plays the first legal action whenever there is one, and returns the game that has ended.
json play_to_the_end(hub& at, api_player& who, const std::string& game) {
  for (;;) {
    auto shown = game_of(who, game);
    if (shown["status"] == "ended") return shown;
    if (shown.contains("actions") && !shown["actions"].empty()) {
      const auto action = shown["actions"][0].get<std::string>();
      REQUIRE(who.post("/api/move", "&action=" + action).status == 200);
      continue;
    }
    at.await("the move of the bot", [&] {
      const auto next = game_of(who, game);
      return next["status"] == "ended" || next["last_update_id"] != shown["last_update_id"];
    });
  }
}

// True if the call shows the card of the bot, and no other.
bool shows_own_card_only(const json& params) {
  const auto seat = params["seat"].get<std::size_t>();
  const auto& cards = params["gamestate"]["cards"];
  if (!cards[seat].is_string() || !cards[1 - seat].is_null()) return false;
  const auto text = params.dump();
  std::size_t cards_named = 0;
  for (const auto* card : {"jack", "queen", "king"}) cards_named += text.find(card) != text.npos;
  return cards_named == 1;
}

TEST_CASE("bots: a person and a bot play a game without a board to the end (H5)") {
  bot_server bots;
  hub at{with_bots()};
  enter(at, bots, "guest", "Dot", "NIM");
  api_player ann{at.http(), "ann"};
  const auto game = ann.play("&engine=nim&opponent=bot:Dot")["game_id"].get<std::string>();
  const auto end = play_to_the_end(at, ann, game);
  const auto asked = bots.await_call("Dot", "Nim.NextMove")["params"];
  CHECK(asked["mark"] == "O");
  // The first action takes the one object of the first heap.
  CHECK(asked["gamestate"]["heaps"] == json{0, 3, 5, 7});
  CHECK(asked["actions"][0] == json{{"type", "move"}, {"heap", 1}, {"take", 1}});
  CHECK(asked["players"] == json{"ann", "Dot"});
  CHECK(asked["hidden"] == false);
  const auto told = bots.await_call("Dot", "Nim.Complete")["params"];
  CHECK(told["reason"] == "rules");
  CHECK(told["winner"] == (end["winner"] == "O"));
  CHECK(told["gamestate"] == end["view"]);
  CHECK(told["ranks"].size() == 2);
  CHECK(at.count("gamehub_bot_faults_total") == 0);
}

TEST_CASE("bots: a person and a bot play with hidden cards, and each sees its own (H5)") {
  bot_server bots;
  hub at{with_bots()};
  enter(at, bots, "bold", "Dot", "KUHNPOKER");
  api_player ann{at.http(), "ann"};
  const auto game = ann.play("&engine=kuhn-poker&opponent=bot:Dot")["game_id"].get<std::string>();
  const auto mine = game_of(ann, game)["view"]["cards"];
  CHECK(mine[0].is_string());
  CHECK(mine[1].is_null());
  // She passes, the bot bets, and she folds: no card is ever shown.
  const auto end = play_to_the_end(at, ann, game);
  CHECK(end["winner"] == "O");
  const auto asked = bots.await_call("Dot", "KuhnPoker.NextMove")["params"];
  CHECK(asked["hidden"] == true);
  CHECK(asked["actions"] ==
        json::parse(R"([{"type":"move","action":"pass"},{"type":"move","action":"bet"}])"));
  const auto told = bots.await_call("Dot", "KuhnPoker.Complete")["params"];
  CHECK(told["winner"] == true);
  for (const auto* call : {&asked, &told}) {
    INFO(call->dump());
    CHECK(shows_own_card_only(*call));
    CHECK((*call)["gamestate"]["cards"][1] != mine[0]);
  }
}

TEST_CASE("bots: a bot moves at once with a person, and does not see the other's choice (H5)") {
  bot_server bots;
  hub at{with_bots()};
  enter(at, bots, "bold", "Dot", "ROCKPAPERSCISSORS");
  api_player ann{at.http(), "ann"};
  const auto game =
      ann.play("&engine=rock-paper-scissors&opponent=bot:Dot")["game_id"].get<std::string>();
  // The bot is called, and moves, before she has chosen.
  const auto asked = bots.await_call("Dot", "RockPaperScissors.NextMove")["params"];
  CHECK(asked["simultaneous"] == true);
  CHECK(asked["actions"][2] == json{{"type", "move"}, {"choice", "scissors"}});
  CHECK(asked["gamestate"].dump().find("rock") == std::string::npos);
  const auto end = play_to_the_end(at, ann, game);
  CHECK(end["winner"] == "X");
  const auto told = bots.await_call("Dot", "RockPaperScissors.Complete")["params"];
  CHECK(told["winner"] == false);
  CHECK(told["gamestate"] == end["view"]);
}

TEST_CASE("bots: the league schedules and rates games with hidden cards, and no call shows them") {
  bot_server bots;
  hub at{with_bots()};
  enter(at, bots, "guest", "Ann", "KUHNPOKER");
  enter(at, bots, "bold", "Bob", "KUHNPOKER", 2);
  std::map<std::string, std::set<std::string>> cards;  // by game
  for (int ends = 0; ends < 4;) {
    const auto call = bots.await("a call", [](const json&) { return true; });
    const auto method = call.value("method", "");
    if (!method.starts_with("KuhnPoker.")) continue;
    const auto& params = call["params"];
    INFO(call.dump());
    REQUIRE_FALSE(method.ends_with("Error"));
    // Ann folds in both games.
    CHECK(shows_own_card_only(params));
    cards[params["gameid"].dump()].insert(
        params["gamestate"]["cards"][params["seat"].get<std::size_t>()].get<std::string>());
    if (!method.ends_with("Complete")) continue;
    ++ends;
    CHECK(params["winner"] == (call["name"] == "Bob"));
  }
  REQUIRE(cards.size() == 2);
  for (const auto& [game, held] : cards) CHECK(held.size() == 2);
  const auto rated = [&] {
    return api_client{at.http()}.get("/api/leaderboard?engine=kuhn-poker").json()["players"];
  };
  at.await("the ratings", [&] {
    const auto best = rated();
    return best.size() == 2 && best[0]["games"] == 2;
  });
  CHECK(rated()[0]["name"] == "Bob");
}

TEST_CASE("bots: a bot that errs in a game without a board has lost it") {
  bot_server bots;
  hub at{with_bots()};
  enter(at, bots, "stranger", "Dot", "NIM");
  api_player ann{at.http(), "ann"};
  const auto game = ann.play("&engine=nim&opponent=bot:Dot")["game_id"].get<std::string>();
  CHECK(play_to_the_end(at, ann, game)["winner"] == "X");
  const auto told = bots.await_call("Dot", "Nim.Error")["params"];
  CHECK(told["errorcode"] == 1549);
  CHECK(told["message"].get<std::string>().find("no such move") != std::string::npos);
}

TEST_CASE("bots: an engine for one player is refused, and of one or more two and three play") {
  bot_server bots;
  const plugin_folder plugins;
  plugins.put("seats/seats_1.so", "seats_1.so");
  plugins.put("from_one/from_one.so", "from_one.so");
  hub at{with_bots({"--plugins", plugins.path().string()})};
  CHECK(error_of(bots.enter(at.http(), "guest", "Dot", {{"game", "seats-1"}})) ==
        "Game \"seats-1\" can't be played by bots: it is for one player, and a bot plays with "
        "others");
  enter(at, bots, "guest", "Dot", "from-one");
  api_player ann{at.http(), "ann"};
  for (const auto* alone : {"&engine=seats-1&opponent=bot:Dot", "&engine=from-one&opponent=bot:Dot",
                            "&engine=from-one&opponents=bot:Dot"}) {
    const auto no = ann.post("/api/play", alone);
    CHECK(no.status >= 400);
    CHECK(no.json()["error"]["message"] ==
          "that engine can't be played here: is for one player, who has no opponent");
  }
  for (const auto* seats : {"%7B%22players%22%3A2%7D&opponent=bot:Dot",
                            "%7B%22players%22%3A3%7D&opponents=engine,bot:Dot"}) {
    const auto seat = ann.play(std::string{"&engine=from-one&options="} + seats);
    INFO(seat.dump());
    const auto end = play_to_the_end(at, ann, seat["game_id"].get<std::string>());
    const auto told = bots.await_call("Dot", "FromOne.Complete")["params"];
    CHECK(told["winner"] == true);
    CHECK(told["seats"] == seat["seats"]);
    CHECK(told["options"]["players"] == seat["seats"]);
    CHECK(told["gamestate"] == end["view"]);
  }
}

}  // namespace
}  // namespace gamehub::tests::system
