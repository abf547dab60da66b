// Hubs on one database: games of days whose players are away are asleep in it, and wake at any hub.
#include "hub/journal/postgres/connection.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/program.hpp"
#include "tests/system/turns_client.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

const std::vector<std::string> sleeps_soon{
    "--sleep-after-seconds", "1", "--http-grace-seconds", "1", "--idle-seconds", "1"};

std::string seat_in(api_player& who) {
  return who.play("&keep=true&clock=days:2")["game_id"].get<std::string>();
}

// The milliseconds of a time as the API writes it: 2026-11-30T22:24:56.875000.
std::int64_t milliseconds_of(const std::string& time) {
  std::tm at{};
  const char* const fraction = ::strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S.", &at);
  REQUIRE(fraction != nullptr);
  return ::timegm(&at) * std::int64_t{1000} + std::stoi(std::string(fraction, 3));
}

// Waits until the hub has no game of days and no player any more.
void await_sleep(hub& at) {
  at.await_count("gamehub_lasting_games", {}, 0);
  at.await_count("gamehub_sessions", {}, 0);
}

TEST_CASE("cluster sleep: a game that fell asleep at a hub which ended goes on at another one") {
  linked_hubs hubs{2, sleeps_soon};
  std::string game, x, o;
  {
    api_player ann{hubs[0].http(), "ann"}, bob{hubs[0].http(), "bob"};
    game = seat_in(ann);
    REQUIRE(seat_in(bob) == game);
    CHECK(ann.post("/api/move", "&position=4&game_id=" + game).body == "{}");
    x = ann.id, o = bob.id;
  }
  await_sleep(hubs[0]);
  // Each hub lists it once, and no list wakes it.
  for (auto* at : {&hubs[0], &hubs[1]}) {
    const auto list = api_client{at->http()}.get("/api/games?status=running").json();
    REQUIRE(list["games"].size() == 1);
    CHECK(list["games"][0]["clock"]["runs"] == nlohmann::json{"O"});
    CHECK(at->count("gamehub_wakes_total") == 0);
  }
  hubs[0].process().signal(SIGTERM);
  CHECK(hubs[0].wait() == 0);
  auto& at = hubs[1];
  const auto taken = api_client{at.http()}.post("/api/connect", "name=ann");
  CHECK(taken.status == 409);
  // The player comes back over another hub: the list wakes nothing, and the move its game.
  api_client client{at.http()};
  const auto listed = client.get("/api/me/games?client_id=" + o).json()["games"];
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["game_id"] == game);
  CHECK(listed[0]["your_turn"] == true);
  CHECK(at.count("gamehub_wakes_total") == 0);
  // Who would join it is told that it has begun.
  const auto joins = client.post("/api/play", "name=cid&game_id=" + game);
  CHECK(joins.status == 409);
  CHECK(joins.code() == 111);
  CHECK(at.count("gamehub_wakes_total") == 0);
  CHECK(client.post("/api/move", "position=0&game_id=" + game + "&client_id=" + o).body == "{}");
  CHECK(at.count("gamehub_wakes_total", {{"cause", "player"}}) == 1);
  CHECK(client.get("/api/games/" + game).json()["board"] == "O___X____");
  const auto own = client.get("/api/me/games?client_id=" + x).json()["games"];
  REQUIRE(own.size() == 1);
  CHECK(own[0]["game_id"] == game);
  CHECK(own[0]["your_turn"] == true);
  CHECK(client.post("/api/quit", "game_id=" + game + "&client_id=" + x).body == "{}");
  CHECK(client.get("/api/games/" + game).json()["status"] == "ended");
}

TEST_CASE("cluster sleep: a hub that was killed after a game fell asleep takes nothing with it") {
  linked_hubs hubs{2, sleeps_soon};
  std::string game, other, x, o;
  {
    api_player ann{hubs[0].http(), "ann"}, bob{hubs[0].http(), "bob"};
    game = seat_in(ann);
    REQUIRE(seat_in(bob) == game);
    other = seat_in(ann);
    REQUIRE(seat_in(bob) == other);
    x = ann.id, o = bob.id;
  }
  await_sleep(hubs[0]);
  // One of them is awake at the other hub, and moves there.
  api_client client{hubs[1].http()};
  CHECK(client.post("/api/move", "position=4&game_id=" + game + "&client_id=" + x).body == "{}");
  hubs[1].process().signal(SIGKILL);
  hubs[1].wait();
  hubs[0].await_count("gamehub_cluster_adoptions_total", {}, 1);
  api_client again{hubs[0].http()};
  const auto own = again.get("/api/me/games?client_id=" + o).json()["games"];
  REQUIRE(own.size() == 2);
  CHECK(again.get("/api/games/" + game).json()["board"] == "____X____");
  CHECK(again.post("/api/move", "position=0&game_id=" + game + "&client_id=" + o).body == "{}");
  CHECK(again.post("/api/quit", "game_id=" + game + "&client_id=" + x).body == "{}");
  CHECK(again.post("/api/quit", "game_id=" + other + "&client_id=" + x).body == "{}");
  const auto all = run({{hub_program(), "verify", "--cluster", hubs.server.target()}, {}});
  CHECK(all.exit_code == 0);
  CHECK(all.output.find("2 games") != std::string::npos);
}

std::string printed_by(std::vector<std::string> words) {
  words.insert(words.begin(), hub_program());
  const auto result = run({words, {}});
  CAPTURE(words, result.output, result.errors);
  CHECK(result.exit_code == 0);
  return result.output;
}

TEST_CASE(
    "cluster sleep: games of a file that are asleep go on in the cluster that it is imported to") {
  using Catch::Matchers::Contains;
  const temporary_folder folder;
  const auto file = folder.path() + "/journal.db";
  std::string game, other, x, o, until;
  const auto with_journal = [](std::vector<std::string> flags) {
    flags.insert(flags.end(), sleeps_soon.begin(), sleeps_soon.end());
    return flags;
  };
  {
    hub at{with_journal({"--journal", "sqlite:" + file})};
    {
      api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
      game = seat_in(ann);
      REQUIRE(seat_in(bob) == game);
      other = seat_in(ann);
      REQUIRE(seat_in(bob) == other);
      CHECK(ann.post("/api/move", "&position=4&game_id=" + game).body == "{}");
      x = ann.id, o = bob.id;
    }
    await_sleep(at);
    const auto own = api_client{at.http()}.get("/api/me/games?client_id=" + o).json()["games"];
    REQUIRE(own.size() == 2);
    until = own[0]["turn_until"].get<std::string>();
    at.await_count("gamehub_sessions", {}, 0);
    at.process().signal(SIGTERM);
    CHECK(at.wait() == 0);
  }
  const postgres_server server;
  const std::vector<std::string> to{"--cluster", server.target()};
  const auto with_cluster = [&to](std::vector<std::string> words) {
    words.insert(words.end(), to.begin(), to.end());
    return printed_by(words);
  };
  CHECK(with_cluster({"cluster", "import", file}) == "imported 0 ended and 2 open games\n");
  // As they were, also when they are asleep there.
  const auto exported = printed_by({"journal", "export", "--journal", "sqlite:" + file});
  CHECK(std::count(exported.begin(), exported.end(), '\n') == 2);
  CHECK_THAT(exported, Contains("\"ann\"") && Contains("\"bob\""));
  CHECK(with_cluster({"journal", "export"}) == exported);
  hub at{with_journal(to)};
  at.await("has all games asleep in the database", [&] {
    return journal::postgres::connection{server.target(), {}}
               .run("SELECT count(*) FROM gamehub.asleep")
               .number(0, 0) == 2;
  });
  await_sleep(at);
  CHECK(with_cluster({"journal", "export"}) == exported);
  CHECK_THAT(with_cluster({"verify"}), Contains("2 games"));
  CHECK_THAT(with_cluster({"journal", "stats"}), Contains(": 2 open, 0 ended"));
  api_client client{at.http()};
  CHECK(client.post("/api/connect", "name=ann").status == 409);
  const auto own = client.get("/api/me/games?client_id=" + o).json()["games"];
  REQUIRE(own.size() == 2);
  CHECK(own[0]["game_id"] == game);
  CHECK(own[0]["your_turn"] == true);
  // No time ran while no hub was there, but for what is less than the unit of clocks in the log.
  CHECK(milliseconds_of(own[0]["turn_until"].get<std::string>()) >= milliseconds_of(until) - 1);
  CHECK(client.post("/api/move", "position=0&game_id=" + game + "&client_id=" + o).body == "{}");
  CHECK(client.get("/api/games/" + game).json()["board"] == "O___X____");
  for (const auto& each : {game, other})
    CHECK(client.post("/api/quit", "game_id=" + each + "&client_id=" + x).body == "{}");
}

}  // namespace
}  // namespace gamehub::tests::system
