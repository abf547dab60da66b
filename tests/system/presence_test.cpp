// What readers of a game learn of its present: clocks, who is there, and what a seat sees.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/patience.hpp"
#include "tests/system/turns_client.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

constexpr std::int64_t tolerance = 1'000 * slowness;

json game_answer(hub& at, const std::string& game) {
  api_client guest{at.http()};
  return guest.get("/api/games/" + game + "?history=false").json();
}

// Holds a clock against what the game answers now.
void check_clock(hub& at, const std::string& game, const json& has) {
  const auto answer = game_answer(at, game);
  INFO(has.dump() << " and the answer " << answer.dump());
  REQUIRE(has.contains("clock"));
  CHECK(has["clock"]["runs"] == answer["clock"]["runs"]);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const auto left = [seat](const json& of) {
      return of["clock"]["milliseconds_left"][seat].get<std::int64_t>();
    };
    CHECK(std::abs(left(has) - left(answer)) <= tolerance);
  }
  // The same in the older member, which is missing while the clock stands still.
  CHECK(answer.contains("turn_milliseconds_left") == (answer["clock"]["runs"].size() == 1));
  if (!answer.contains("turn_milliseconds_left")) return;
  const std::size_t mover = answer["clock"]["runs"][0] == "X" ? 0 : 1;
  CHECK(std::abs(answer["turn_milliseconds_left"].get<std::int64_t>() -
                 has["clock"]["milliseconds_left"][mover].get<std::int64_t>()) <= tolerance);
}

// Waits until a player has used this much of its turn.
void use_time(hub& at, const std::string& game, std::int64_t milliseconds) {
  api_client guest{at.http()};
  at.await("says that time has passed", [&] {
    const auto now = guest.get("/api/games/" + game + "?history=false").json();
    const auto whole = now["turn_milliseconds"].get<std::int64_t>();
    return now.value("turn_milliseconds_left", whole) < whole - milliseconds;
  });
}

// Every way to learn the clock of a running game.
void check_all_clocks(hub& at, const std::string& game, const std::string& client_id,
                      std::uint64_t last) {
  const auto path = "/api/updates/" + game;
  const auto resumed = path + "?last_update_id=" + std::to_string(last);
  const auto before = path + "?wait=0&last_update_id=" + std::to_string(last - 1);
  for (const auto& own : {std::string{}, "&client_id=" + client_id}) {
    INFO("as " << (own.empty() ? "guest" : "player"));
    api_client whole{at.http()}, again{at.http()}, polls{at.http()};
    whole.follow(path + "?last_update_id=0" + own);
    auto u = json::object();
    while (u.value("update_id", std::uint64_t{0}) < last) {
      CHECK_FALSE(u.contains("clock"));
      u = next_numbered(whole);
    }
    check_clock(at, game, u);
    again.follow(resumed + own);
    u = next_of(again, "state");
    CHECK(u["update_id"] == last);
    check_clock(at, game, u);
    check_clock(at, game, polls.get(before + own).json());
    const auto list = polls.get("/api/games?status=running").json();
    const auto& all = list["games"];
    const auto listed = std::find_if(all.begin(), all.end(),
                                     [&](const json& each) { return each["game_id"] == game; });
    REQUIRE(listed != all.end());
    check_clock(at, game, *listed);
  }
  api_client player{at.http()};
  check_clock(at, game, player.post("/api/play", "resume=true&client_id=" + client_id).json());
}

TEST_CASE("presence: clocks are told truly, on every way, through a reconnect and a SIGKILL") {
  const temporary_folder folder;
  const std::vector<std::string> flags{
      "--journal",         "sqlite:" + folder.path() + "/journal.db",
      "--turn-seconds",    "60",
      "--http-guests-max", "0"};
  std::string game, x, o;
  {
    hub at{flags};
    api_player ann{at.http(), "ann"};
    game = ann.play()["game_id"].get<std::string>(), x = ann.id;
    api_client own{at.http()}, guest{at.http()};
    own.follow("/api/updates/" + game + "?client_id=" + x);
    guest.follow("/api/updates/" + game);
    turns_client bob{at.turns()};
    bob.connect("bob");
    REQUIRE(bob.next() == "name bob");
    o = bob.secret();
    REQUIRE(bob.next() == "start 0");
    REQUIRE(bob.next() == "0 state ---/---/--- null");
    for (auto* each : {&own, &guest}) {
      CHECK(next_of(*each, "connect")["name"] == "ann");
      check_clock(at, game, next_of(*each, "connect"));
    }
    check_clock(at, game, next_of(own, "state"));
    use_time(at, game, 1'500);
    check_all_clocks(at, game, x, 3);
    CHECK(ann.move(0).status == 200);
    for (auto* each : {&own, &guest}) {
      const auto moved = next_of(*each, "move");
      CHECK(moved["clock"]["runs"] == json{"O"});
      check_clock(at, game, moved);
    }
    REQUIRE(bob.next() == "0 state X--/---/--- null");
    REQUIRE(bob.next() == "0 turn");
    bob.move(0, 1, 1);
    for (auto* each : {&own, &guest}) check_clock(at, game, next_of(*each, "move"));
    own.socket().close();
    use_time(at, game, 2'500);
    check_all_clocks(at, game, x, 5);
    at.process().signal(SIGKILL);
    CHECK(at.wait() == 128 + SIGKILL);
  }
  hub at{flags};
  const auto stopped = game_answer(at, game);
  INFO(stopped.dump());
  CHECK(stopped["clock"]["runs"].empty());
  CHECK(stopped["away"].size() == 2);
  api_client guest{at.http()};
  guest.follow("/api/updates/" + game + "?last_update_id=5");
  for (const auto* mark : {"X", "O"}) {
    const auto away = next_of(guest, "away");
    CHECK(away["player"] == mark);
    CHECK(away["milliseconds_left"] > 60'000);
  }
  const auto stands = next_of(guest, "state");
  CHECK(stands["clock"]["runs"].empty());
  check_clock(at, game, stands);
  turns_client bob{at.turns()};
  bob.resume(o);
  REQUIRE(bob.next() == "name bob");
  CHECK(next_of(guest, "back")["player"] == "O");
  CHECK(game_answer(at, game)["clock"] == stopped["clock"]);
  api_client own{at.http()};
  own.follow("/api/updates/" + game + "?last_update_id=5&client_id=" + x);
  CHECK(next_of(guest, "back")["name"] == "ann");
  const auto runs = next_of(guest, "state");
  CHECK(runs["clock"]["runs"] == json{"X"});
  // Only the time before the end of the first hub is used.
  CHECK(std::abs(runs["clock"]["milliseconds_left"][0].get<std::int64_t>() -
                 stopped["clock"]["milliseconds_left"][0].get<std::int64_t>()) <= tolerance);
  check_clock(at, game, runs);
  check_all_clocks(at, game, x, 5);
  api_client ann{at.http()};
  CHECK(ann.post("/api/quit", "client_id=" + x).status == 200);
}

TEST_CASE("presence: the clocks of a player of opcodes are those that everybody reads") {
  hub at{{"--turn-seconds", "60", "--http-guests-max", "0"}};
  api_player web{at.http(), "web"};
  const auto game = web.play()["game_id"].get<std::string>();
  opcodes_client bytes{at.opcodes()};
  bytes.ask();
  REQUIRE(bytes.next() == "ACK O");
  CHECK(web.move(4).status == 200);
  REQUIRE(bytes.next().starts_with("STATE"));
  api_client guest{at.http()};
  guest.follow("/api/updates/" + game + "?last_update_id=3");
  const auto moved = next_of(guest, "move");
  CHECK(moved["clock"]["runs"] == json{"O"});
  use_time(at, game, 1'200);
  check_all_clocks(at, game, web.id, 4);
  bytes.move(0);
  REQUIRE(bytes.next() == "ACK O");
  check_clock(at, game, next_of(guest, "move"));
  CHECK(web.post("/api/quit").status == 200);
  const auto end = next_of(guest, "end");
  CHECK(end["code"] == "left");
  CHECK(end["winner"] == "O");
  CHECK(end["scores"] == json{-1.0, 1.0});
  CHECK_FALSE(end.contains("clock"));
}

TEST_CASE("presence: an opponent who left is seen within 5 s, and that it is back") {
  hub at{{"--http-grace-seconds", "60", "--http-guests-max", "0"}};
  http_table t{at};
  t.begin();
  api_client other{at.http()};
  other.follow(t.path + "?last_update_id=3&client_id=" + t.o.id);
  CHECK(other.update()["type"] == "state");
  const deadline soon{std::chrono::seconds{5 * slowness}};
  {
    api_client own{at.http()};
    own.follow(t.path + "?last_update_id=3&client_id=" + t.x.id);
    CHECK(own.update()["type"] == "state");
  }
  const auto away = other.update();
  CHECK_FALSE(soon.over());
  CHECK(away["type"] == "away");
  CHECK(away["player"] == "X");
  CHECK(away["name"] == "stan");
  CHECK(away["update_id"] == 3);
  CHECK(away["milliseconds_left"] > 50'000);
  CHECK(away["milliseconds_left"] <= 60'000);
  auto shown = game_answer(at, t.game);
  REQUIRE(shown["away"].size() == 1);
  CHECK(shown["away"][0]["player"] == "X");
  CHECK(shown["away"][0]["milliseconds_left"] <= 60'000);
  // Who comes now is told, too, and nothing of it is in the log.
  api_client late{at.http()};
  late.follow(t.path);
  CHECK(next_of(late, "away")["player"] == "X");
  api_client own{at.http()};
  own.follow(t.path + "?last_update_id=3&client_id=" + t.x.id);
  const auto back = other.update();
  CHECK(back["type"] == "back");
  CHECK(back["player"] == "X");
  CHECK(back["name"] == "stan");
  CHECK(game_answer(at, t.game)["away"].empty());
  CHECK(at.count("gamehub_presence_changes_total", {{"change", "away"}}) == 1);
  CHECK(at.count("gamehub_presence_changes_total", {{"change", "back"}}) == 1);
  CHECK(t.x.post("/api/quit").status == 200);
  CHECK(numbers_of(rest_of(late)) == from_to(4, 5));
}

TEST_CASE("presence: an open seat whose browser is gone is listed no more, until it is back") {
  hub at;
  api_player ann{at.http(), "ann"}, curl{at.http(), "curl"};
  const auto game = ann.play("&engine=nim")["game_id"].get<std::string>();
  const auto quiet = curl.play("&engine=othello")["game_id"].get<std::string>();
  api_client reader{at.http()};
  const auto listed = [&](const std::string& wanted) {
    const auto list = reader.get("/api/games?status=waiting").json();
    const auto& all = list["games"];
    return std::any_of(all.begin(), all.end(),
                       [&](const json& each) { return each["game_id"] == wanted; });
  };
  REQUIRE(listed(game));
  const auto path = "/api/updates/" + game + "?client_id=" + ann.id;
  const deadline soon{std::chrono::seconds{5 * slowness}};
  {
    api_client browser{at.http()};
    browser.follow(path);
  }
  at.await("stops to list the open seat", [&] { return !listed(game); });
  CHECK_FALSE(soon.over());
  // Who reads no updates is asked for nothing.
  CHECK(listed(quiet));
  api_client browser{at.http()};
  browser.follow(path);
  at.await("lists the open seat again", [&] { return listed(game); });
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(curl.post("/api/quit").status == 200);
}

// The cards in a view: what this reader knows of them.
bool knows_card(const json& u, std::size_t seat) { return !u["view"]["cards"][seat].is_null(); }

TEST_CASE("presence: a player reads its own hand, moves and view, after a fold too, and no other") {
  hub at{{"--http-guests-max", "0"}};
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  const auto game = ann.play("&engine=kuhn-poker")["game_id"].get<std::string>();
  const auto path = "/api/updates/" + game;
  const auto own_path = path + "?client_id=" + ann.id;
  api_client own{at.http()}, other{at.http()}, guest{at.http()};
  own.follow(own_path), guest.follow(path);
  REQUIRE(bob.play("&engine=kuhn-poker")["game_id"] == game);
  other.follow(path + "?client_id=" + bob.id);
  auto stands = next_of(own, "state");
  CHECK(knows_card(stands, 0));
  CHECK_FALSE(knows_card(stands, 1));
  CHECK(stands["actions"] == json{"pass", "bet"});
  stands = next_of(other, "state");
  CHECK(knows_card(stands, 1));
  CHECK_FALSE(knows_card(stands, 0));
  CHECK_FALSE(stands.contains("actions"));
  CHECK(ann.post("/api/move", "&action=bet").status == 200);
  auto moved = next_of(other, "move");
  CHECK(moved["actions"] == json{"pass", "bet"});
  CHECK(knows_card(moved, 1));
  CHECK_FALSE(next_of(own, "move").contains("actions"));
  CHECK(bob.post("/api/move", "&action=pass").status == 200);
  // Live.
  moved = next_of(own, "move");
  CHECK(moved["winner"] == "X");
  CHECK(knows_card(moved, 0));
  CHECK_FALSE(knows_card(moved, 1));
  CHECK(next_of(own, "end")["code"] == "rules");
  at.await_count("gamehub_games_running", {}, 0);
  const auto check = [&](const json& all, std::optional<std::size_t> seat) {
    bool dealt = false;
    for (const auto& u : all) {
      if (!u.contains("view")) continue;
      INFO(u.dump());
      for (const auto card : {std::size_t{0}, std::size_t{1}}) {
        if (seat != card) CHECK_FALSE(knows_card(u, card));
        if (seat == card) dealt = knows_card(u, card);
      }
    }
    CHECK(dealt == seat.has_value());
  };
  // Read again, as the game with its history, and as its replay.
  const std::pair<std::string, std::optional<std::size_t>> readers[] = {
      {"client_id=" + ann.id, 0}, {"client_id=" + bob.id, 1}, {"", std::nullopt}};
  for (const auto& [who, seat] : readers) {
    api_client again{at.http()};
    again.follow(path + "?" + who);
    check(rest_of(again), seat);
    const auto shown = again.get("/api/games/" + game + "?" + who).json();
    CHECK(shown["status"] == "ended");
    CHECK_FALSE(shown["history"].empty());
    check(shown["history"], seat);
    check(json::array({shown}), seat);
    check(again.get("/api/replays/" + game + "?" + who).json()["updates"], seat);
    const auto last = again.get(path + "?wait=0&last_update_id=6&" + who).json();
    check(json::array({last}), seat);
  }
  // Nothing of it is in what a guest has read.
  check(rest_of(guest), std::nullopt);
}

TEST_CASE("presence: between the opponent's move and one's own there is no request") {
  hub at{{"--http-guests-max", "0"}};
  http_table t{at};
  t.begin();
  api_client own{at.http()};
  own.follow(t.path + "?client_id=" + t.o.id);
  const auto begun = next_of(own, "state");
  CHECK_FALSE(begun.contains("actions"));
  CHECK(begun["view"].is_object());
  t.play(0, 1);
  const auto moved = next_of(own, "move");
  CHECK(moved["actions"].size() == 8);
  CHECK(moved["positions"] == json{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(moved["view"].is_object());
  CHECK(t.o.move(moved["positions"][0].get<int>()).status == 200);
  const auto mine = next_of(own, "move");
  CHECK_FALSE(mine.contains("actions"));
  CHECK(mine["view"].is_object());
  CHECK(t.x.post("/api/quit").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
