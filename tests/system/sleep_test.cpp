// Games of days whose players are away leave memory and come back, in the real program, also after
// it was killed.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

std::string seat_in(api_player& who) {
  return who.play("&keep=true&clock=days:2")["game_id"].get<std::string>();
}

// Waits until these games are asleep, and are no longer in memory: the transaction of another game
// writes their rows, too.
void await_sleep(hub& at, double games) {
  at.await_count("gamehub_games_asleep", {}, games);
  CHECK(at.count("gamehub_sessions") == 0);
  {
    api_player one{at.http(), "one"}, two{at.http(), "two"};
    const auto short_game = one.play()["game_id"].get<std::string>();
    REQUIRE(two.play()["game_id"] == short_game);
    CHECK(one.post("/api/quit", "&game_id=" + short_game).status == 200);
  }
  at.await_count("gamehub_games_running", {}, 0);
  at.await_count("gamehub_sessions", {}, 0);
}

TEST_CASE("sleep: games of days are in the journal alone until they are needed, over a kill, too") {
  const temporary_folder folder;
  const std::vector<std::string> flags{"--journal",
                                       "sqlite:" + folder.path() + "/journal.db",
                                       "--sleep-after-seconds",
                                       "1",
                                       "--http-grace-seconds",
                                       "1",
                                       "--idle-seconds",
                                       "1"};
  std::string game, other, x, o;
  {
    hub at{flags};
    {
      api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
      game = seat_in(ann);
      REQUIRE(seat_in(bob) == game);
      other = seat_in(ann);
      REQUIRE(seat_in(bob) == other);
      CHECK(ann.post("/api/move", "&position=4&game_id=" + game).body == "{}");
      x = ann.id, o = bob.id;
    }
    await_sleep(at, 2);
    CHECK(at.count("gamehub_lasting_games") == 0);
    CHECK(at.count("gamehub_games_running") == 0);
    api_client guest{at.http()};
    const auto list = guest.get("/api/games?status=running").json();
    REQUIRE(list["games"].size() == 2);
    CHECK(list["games"][0]["clock"]["runs"] == nlohmann::json{"X"});
    CHECK(at.count("gamehub_wakes_total") == 0);
    // A reader of the game keeps it awake for a while.
    const auto seen = guest.get("/api/games/" + game).json();
    CHECK(seen["board"] == "____X____");
    CHECK(seen["away"].size() == 2);
    at.process().signal(SIGKILL);
    at.wait();
  }
  hub at{flags};
  // The one that was awake was replayed.
  await_sleep(at, 2);
  CHECK(at.count("gamehub_wakes_total") == 0);
  api_client client{at.http()};
  const auto own = client.get("/api/me/games?client_id=" + o).json()["games"];
  REQUIRE(own.size() == 2);
  CHECK(own[0]["game_id"] == game);
  CHECK(own[0]["your_turn"] == true);
  CHECK(own[0]["status"] == "running");
  CHECK(own[0]["turn"] == "O");
  CHECK(own[0]["player"] == "O");
  CHECK(own[0]["opponents"][0]["name"] == "ann");
  CHECK(own[0]["clock_rule"] == "days:2");
  CHECK(own[0]["turn_until"].is_string());
  CHECK(own[1]["your_turn"] == false);
  // The list woke none, nor does a request that may mean either.
  const auto unclear = client.post("/api/move", "position=0&client_id=" + o);
  CHECK(unclear.code() == 100);
  CHECK(unclear.body.find("game_id") != std::string::npos);
  CHECK(client.post("/api/play", "new_game=true&client_id=" + o).code() == 100);
  CHECK(at.count("gamehub_wakes_total") == 0);
  CHECK(client.post("/api/move", "position=0&game_id=" + game + "&client_id=" + o).body == "{}");
  CHECK(client.get("/api/games/" + game).json()["board"] == "O___X____");
  CHECK(at.count("gamehub_wakes_total", {{"cause", "player"}}) == 1);
  // The list is the same when the game is awake.
  auto now = client.get("/api/me/games?client_id=" + x).json()["games"];
  REQUIRE(now.size() == 2);
  CHECK(now[0]["game_id"] == other);
  CHECK(now[1]["game_id"] == game);
  CHECK(client.post("/api/quit", "game_id=" + game + "&client_id=" + x).body == "{}");
  // The only one that is left needs no name.
  CHECK(client.post("/api/chat", "message=hello&client_id=" + x).body == "{}");
  CHECK(client.post("/api/quit", "client_id=" + x).body == "{}");
  now = client.get("/api/me/games?client_id=" + x).json()["games"];
  for (const auto& each : now) CHECK(each["status"] == "ended");
}

TEST_CASE(
    "sleep: the games of clients that are here and do not look at them are in the journal alone") {
  const temporary_folder folder;
  hub at{{"--journal", "sqlite:" + folder.path() + "/journal.db", "--sleep-after-seconds", "1"}};
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  std::vector<std::string> games;
  for (int n = 0; n < 20; ++n) {
    games.push_back(seat_in(ann));
    REQUIRE(seat_in(bob) == games.back());
  }
  // With its history a game is followed for a while.
  for (const auto& each : games)
    CHECK(ann.http.get("/api/games/" + each + "?history=false&client_id=" + ann.id).status == 200);
  at.await_count("gamehub_games_asleep", {}, 20);
  // On a busy machine the first ones have fallen asleep before the last look.
  const auto wakes = at.count("gamehub_wakes_total");
  CHECK(at.count("gamehub_sessions") == 2);
  CHECK(at.count("gamehub_games_running") == 0);
  CHECK(at.count("gamehub_presence_changes_total") == 0);
  const auto list_of = [](api_player& who) {
    return who.http.get("/api/me/games?client_id=" + who.id).json()["games"];
  };
  CHECK(list_of(ann).size() == 20);
  CHECK(list_of(bob).size() == 20);
  CHECK(at.count("gamehub_wakes_total") == wakes);
  // Each sees the other there, and the other's move.
  CHECK(ann.http.get("/api/games/" + games[7] + "?history=false").json()["away"].empty());
  CHECK(ann.post("/api/move", "&position=4&game_id=" + games[7]).body == "{}");
  // The answer to one player may be there before the other one's loop has the update.
  at.await("tells bob of ann's move", [&] { return list_of(bob)[0]["game_id"] == games[7]; });
  CHECK(list_of(bob)[0]["your_turn"] == true);
  CHECK(bob.post("/api/move", "&position=0&game_id=" + games[7]).body == "{}");
  at.await_count("gamehub_games_asleep", {}, 20);
  CHECK(bob.http.get("/api/games/" + games[7] + "?history=false&client_id=" + bob.id)
            .json()["board"] == "O___X____");
  for (const auto& each : games) CHECK(bob.post("/api/quit", "&game_id=" + each).body == "{}");
  at.await("tells ann that all games have ended", [&] {
    const auto all = list_of(ann);
    return std::all_of(all.begin(), all.end(),
                       [](const auto& g) { return g["status"] == "ended"; });
  });
  for (const auto& each : list_of(ann)) CHECK(each["winner"] == "X");
  CHECK(at.count("gamehub_presence_changes_total") == 0);
}

TEST_CASE("sleep: a request over HTTP wakes the game that it names, and no other") {
  const temporary_folder folder;
  hub at{{"--journal", "sqlite:" + folder.path() + "/journal.db", "--sleep-after-seconds", "1",
          "--http-grace-seconds", "1", "--idle-seconds", "1"}};
  std::string game, other, x, o;
  {
    api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
    game = seat_in(ann);
    REQUIRE(seat_in(bob) == game);
    other = seat_in(ann);
    REQUIRE(seat_in(bob) == other);
    x = ann.id, o = bob.id;
  }
  const auto woken = [&] { return at.count("gamehub_wakes_total", {{"cause", "player"}}); };
  await_sleep(at, 2);
  REQUIRE(woken() == 0);
  api_client client{at.http()};
  const auto named = [](const std::string& id, const std::string& in) {
    return "game_id=" + in + "&client_id=" + id;
  };
  CHECK(client.post("/api/move", named(x, game) + "&position=4").body == "{}");
  CHECK(woken() == 1);
  CHECK(client.post("/api/chat", named(x, other) + "&message=hello").body == "{}");
  CHECK(woken() == 2);
  await_sleep(at, 2);
  const auto seen = client.get("/api/games/" + game + "?client_id=" + o).json();
  CHECK(seen["board"] == "____X____");
  CHECK(seen["positions"].size() == 8);
  CHECK(woken() == 3);
  CHECK(client.get("/api/games/" + other + "?client_id=" + o).json()["status"] == "running");
  CHECK(woken() == 4);
  api_player carl{at.http(), "carl"};
  CHECK(carl.post("/api/move", "&position=0&game_id=" + game).status != 200);
  CHECK(woken() == 4);
  CHECK(client.post("/api/quit", named(x, other)).body == "{}");
  const auto own = client.get("/api/me/games?client_id=" + x).json()["games"];
  REQUIRE(own.size() == 2);
  CHECK(own[0]["game_id"] == game);
  // Those who looked at them keep both awake.
  CHECK(woken() == 4);
  CHECK(client.post("/api/quit", named(x, game)).body == "{}");
}

}  // namespace
}  // namespace gamehub::tests::system
