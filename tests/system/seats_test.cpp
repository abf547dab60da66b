// Games of three seats or more between players of different wires: all are seated together, are
// told the same result, and finish when one of them leaves.
#include "tests/support/catch.hpp"
#include "tests/system/big_table.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

// A table of four: HTTP has the first seat, turns the second, a WebSocket the third, and a bot on
// turns the fourth.
struct table_of_four {
  table_of_four(hub& at, const std::string& form, const json& options) : curl(at.http(), "curl") {
    const auto seat = curl.play(form);
    INFO(seat);
    REQUIRE(seat["status"] == "waiting");
    CHECK(seat["seats"] == 4);
    CHECK(seat["player"] == "X");
    CHECK(seat["opponents"].empty());
    game = seat["game_id"].get<std::string>();
    int waiting = 1;
    for (const auto* name : {"turns", "socket", "bot"}) {
      at.await_waiting(options.begin().key(), waiting++);
      others.push_back(
          std::make_unique<turns_player>(at, name, options, std::string{name} == "socket"));
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      const auto start = others[i]->next("start");
      CHECK(start["seat"] == i + 1);
      CHECK(start["seats"] == 4);
      CHECK(start["players"] == json{"curl", "turns", "socket", "bot"});
    }
  }

  // Plays until the function returns true, or until the game has ended.
  template <class Until>
  void play_until(Until until) {
    for (int polls = 0; polls < 5'000; ++polls) {
      const auto now = game_of(curl, game);
      if (now["status"] == "ended" || until(now)) return;
      const auto turn = now["turn"].get<std::string>();
      if (turn == "X") {
        const auto action = now["actions"][0].get<std::string>();
        REQUIRE(curl.post("/api/move", "&action=" + action).status == 200);
        continue;
      }
      const auto at = turn == "O" ? std::size_t{0} : std::stoul(turn) - 2;
      if (now["kinds"][at + 1] == "substitute") continue;
      others[at]->play_first(others[at]->next("turn"));
      // Its next state may be that of a leaving, not yet the answer to its move.
      while (++polls < 5'000 && game_of(curl, game)["history"] == now["history"]) {
      }
    }
    FAIL("the game does not end");
  }

  api_player curl;
  std::string game;
  std::vector<std::unique_ptr<turns_player>> others;  // of the seats from the second on
};

// The leaver has its end at once; the others play to the end by the rules, and are told the same.
void check_leaving(hub& at, const std::string& form, const json& options, std::size_t leaver) {
  table_of_four t{at, form, options};
  int begun = 0;
  t.play_until([&](const json&) { return ++begun == 4; });
  t.others[leaver]->leave();
  const auto left = t.others[leaver]->next("close");
  CHECK(left["reason"] == "left");
  CHECK(left["winner"].is_null());
  CHECK(left["forfeits"] == json{leaver + 1});
  at.await("a substitute plays",
           [&] { return game_of(t.curl, t.game)["kinds"][leaver + 1] == "substitute"; });
  CHECK(game_of(t.curl, t.game)["substitutes"].size() == 1);
  CHECK(at.count("gamehub_substitutions_total", {{"cause", "quit"}}) == 1);
  t.play_until([](const json&) { return false; });
  for (std::size_t i = 0; i < t.others.size(); ++i) {
    if (i == leaver) continue;
    const auto end = t.others[i]->next("close");
    CAPTURE(i, end.dump());
    CHECK(end["reason"] != "left");
    CHECK(end["scores"].size() == 4);
    CHECK(end["scores"][leaver + 1] == -1.0);
    CHECK(end["ranks"].size() == 4);
    CHECK(end["ranks"][leaver + 1] == 4);
    CHECK(end["forfeits"] == json{leaver + 1});
  }
  api_client guest{at.http()};
  guest.follow("/api/updates/" + t.game);
  const auto all = rest_of(guest);
  const auto substitute =
      std::find_if(all.begin(), all.end(), [](const json& u) { return u["type"] == "substitute"; });
  REQUIRE(substitute != all.end());
  CHECK((*substitute)["cause"] == "quit");
  CHECK(all.back()["type"] == "end");
  CHECK(all.back()["ranks"].size() == 4);
  CHECK(all.front()["seats"] == 4);
  CHECK(numbers_of(all) == from_to(1, all.size()));
}

TEST_CASE("seats: four players of three wires and a bot end right when one of them leaves") {
  for (const std::size_t leaver : {0u, 1u, 2u}) {
    CAPTURE(leaver);
    hub at;
    check_leaving(at, small_boxes, small_boxes_json, leaver);
  }
}

TEST_CASE("seats: four players with hidden cards end right when one of them leaves") {
  hub at;
  check_leaving(at, short_oh_hell, short_oh_hell_json, 1);
}

TEST_CASE("seats: no player sees the cards of another, also not those that a substitute plays") {
  hub at;
  table_of_four t{at, short_oh_hell, short_oh_hell_json};
  std::map<int, std::set<std::string>> held;  // by curl
  const auto look = [&](const json& now) {
    for (const auto& card : now["view"]["hand"])
      held[now["view"]["round"].get<int>()].insert(card.get<std::string>());
    return false;
  };
  api_client guest{at.http()};
  int moves = 0;
  t.play_until([&](const json& now) { return look(now) || ++moves == 8; });
  t.others[0]->leave();
  t.others[0]->next("close");
  CHECK(guest.get("/api/replays/" + t.game).status >= 400);
  CHECK(guest.get("/api/games/" + t.game).json()["view"]["hand"].is_null());
  t.play_until(look);
  for (const std::size_t i : {1u, 2u}) t.others[i]->next("close");
  for (int round = 1; round <= 2; ++round) {
    std::set<std::string> seen;
    std::size_t count = 0;
    const auto add = [&](const std::map<int, std::set<std::string>>& of) {
      const auto at_round = of.find(round);
      if (at_round == of.end()) return;
      count += at_round->second.size();
      seen.insert(at_round->second.begin(), at_round->second.end());
    };
    add(held);
    for (const auto& each : t.others) add(each->held());
    CHECK(seen.size() == count);
    CHECK(count >= static_cast<std::size_t>(3 * round));
  }
  // A spectator gets no hand in any update.
  guest.follow("/api/updates/" + t.game);
  for (const auto& u : rest_of(guest))
    if (u.contains("view")) CHECK(u["view"]["hand"].is_null());
}

TEST_CASE("seats: who is banned or gone is replaced, and the last one who stays has won") {
  const temporary_folder folder;
  const auto token = folder.path() + "/token";
  std::ofstream{token} << "a-token-for-the-operator\n";
  hub at{{"--admin-token-file", token}};
  table_of_four t{at, small_boxes, small_boxes_json};
  api_client guest{at.http()};
  guest.follow("/api/updates/" + t.game);
  REQUIRE(run({{hub_program(), "ban", "--name", "bot", "--admin-port", std::to_string(at.admin()),
                "--admin-token-file", token},
               {},
               ""})
              .exit_code == 0);
  auto gone = next_of(guest, "substitute");
  CHECK(gone["name"] == "bot");
  CHECK(gone["player"] == "4");
  CHECK(gone["cause"] == "banned");
  t.others[0].reset();
  gone = next_of(guest, "substitute");
  CHECK(gone["cause"] == "disconnected");
  t.others[1].reset();
  const auto end = next_of(guest, "end");
  CHECK(end["code"] == "left");
  CHECK(end["winner"] == "X");
  CHECK(end["ranks"] == json{1, 2, 2, 2});
}

TEST_CASE("seats: whose time runs out is replaced, and takes the seat again by a move") {
  hub at{{"--turn-seconds", "2"}};
  table_of_four t{at, small_boxes, small_boxes_json};
  api_client guest{at.http()};
  guest.follow("/api/updates/" + t.game);
  const auto gone = next_of(guest, "substitute");
  CHECK(gone["player"] == "X");
  CHECK(gone["cause"] == "clock");
  CHECK(game_of(t.curl, t.game)["substitutes"][0] == "X");
  // The move may be refused; the player is there.
  t.curl.post("/api/move", "&action=h:0:0");
  CHECK(next_of(guest, "return")["player"] == "X");
}

TEST_CASE("seats: a waiting table shows its open seats, and keeps them when its host goes") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"}, cleo{at.http(), "cleo"};
  const auto game = ann.play(small_boxes)["game_id"].get<std::string>();
  api_client reader{at.http()};
  reader.follow("/api/updates/" + game + "?client_id=" + ann.id);
  // Players of the same options share the table; a certain seat can be requested.
  CHECK(bob.play(small_boxes + "&seat=4")["game_id"] == game);
  const auto joined = next_of(reader, "state");
  CHECK(joined["seats"] == 4);
  CHECK(joined["players"] == json{"ann", "", "", "bob"});
  CHECK(cleo.play("&game_id=" + game)["player"] == "O");
  CHECK(next_of(reader, "state")["players"] == json{"ann", "cleo", "", "bob"});
  const auto listed = [&] { return ann.http.get("/api/games?status=waiting").json()["games"]; };
  REQUIRE(listed().size() == 1);
  CHECK(listed()[0]["seats"] == 4);
  CHECK(listed()[0]["players"] == json{"ann", "cleo", "", "bob"});
  REQUIRE(ann.post("/api/quit").status == 200);
  REQUIRE(listed().size() == 1);
  CHECK(listed()[0]["players"] == json{"", "cleo", "", "bob"});
  CHECK(next_of(reader, "state")["players"] == json{"", "cleo", "", "bob"});
  // A taken seat is refused, and changes nothing.
  CHECK(ann.post("/api/play", "&game_id=" + game + "&seat=O").status >= 400);
  CHECK(ann.play("&game_id=" + game)["game_id"] == game);
  api_player dan{at.http(), "dan"};
  const auto last = dan.play(small_boxes);
  CHECK(last["game_id"] == game);
  CHECK_FALSE(last.contains("status"));
  CHECK(last["opponents"].size() == 3);
  CHECK(game_of(ann, game)["status"] == "running");
  for (auto* each : {&ann, &bob, &cleo}) CHECK(each->post("/api/quit").status == 200);
}

TEST_CASE("seats: an invitation is good for all seats of a table") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto seat = ann.play(small_boxes + "&private=true");
  const auto invitation = seat["invitation"].get<std::string>();
  std::vector<std::unique_ptr<api_player>> guests;
  for (const auto* name : {"bob", "cleo", "dan"}) {
    guests.push_back(std::make_unique<api_player>(at.http(), name));
    CHECK(guests.back()->play("&invitation=" + invitation)["game_id"] == seat["game_id"]);
  }
  CHECK(game_of(ann, seat["game_id"].get<std::string>())["status"] == "running");
  api_player late{at.http(), "late"};
  CHECK(late.post("/api/play", "&invitation=" + invitation).status == 404);
  CHECK(ann.post("/api/quit").status == 200);
  for (auto* each : {guests[0].get(), guests[1].get()})
    CHECK(each->post("/api/quit").status == 200);
}

TEST_CASE("seats: after a kill the substitute plays the same game on, and the others end it") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/journal.db";
  std::string game;
  std::vector<std::string> ids;
  json before;
  {
    hub first{{"--journal", journal}};
    std::vector<std::unique_ptr<api_player>> players;
    for (const auto* name : {"ann", "bob", "cleo", "dan"}) {
      players.push_back(std::make_unique<api_player>(first.http(), name));
      game = players.back()->play(short_oh_hell)["game_id"].get<std::string>();
      ids.push_back(players.back()->id);
    }
    REQUIRE(players[1]->post("/api/quit").status == 200);
    before = game_of(*players[0], game);
    REQUIRE(before["kinds"][1] == "substitute");
    first.process().signal(SIGKILL);
    first.wait();
  }
  hub second{{"--journal", journal}};
  api_client http{second.http()};
  const auto state = [&](const std::string& id) {
    return http.get("/api/games/" + game + "?client_id=" + id).json();
  };
  for (const std::size_t i : {0u, 2u, 3u})
    CHECK(http.post("/api/play", "resume=true&client_id=" + ids[i]).json()["game_id"] == game);
  CHECK(http.post("/api/play", "resume=true&client_id=" + ids[1]).status >= 400);
  auto now = state(ids[0]);
  CHECK(now["kinds"] == before["kinds"]);
  CHECK(now["view"]["hand"] == before["view"]["hand"]);
  for (int polls = 0; polls < 5'000 && now["status"] != "ended"; ++polls) {
    const auto turn = now["turn"].get<std::string>();
    if (turn == "O") {
      now = state(ids[0]);
      continue;
    }
    const auto& id = ids[turn == "X" ? 0 : std::stoul(turn) - 1];
    const auto action = state(id)["actions"][0].get<std::string>();
    REQUIRE(http.post("/api/move", "client_id=" + id + "&action=" + action).status == 200);
    now = state(ids[0]);
  }
  CHECK(now["status"] == "ended");
  CHECK(now["forfeits"] == json{"O"});
  CHECK(now["ranks"][1] == 4);
}

}  // namespace
}  // namespace gamehub::tests::system
