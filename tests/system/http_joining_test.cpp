// Joining over HTTP: games by their ids, invitations, and what a refused play leaves: nothing.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/hub.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

std::string game_of(const json& seat) { return seat["game_id"].get<std::string>(); }

json waiting_games(hub& at) {
  api_client guest{at.http()};
  return guest.get("/api/games?status=waiting").json()["games"];
}

json state_of(hub& at, const std::string& game, const std::string& client = {}) {
  api_client reader{at.http()};
  return reader.get("/api/games/" + game + (client.empty() ? "" : "?client_id=" + client)).json();
}

json look_at(api_client& by, const std::string& invitation, const std::string& client = {}) {
  const auto got = by.get("/api/invitation?invitation=" + invitation +
                          (client.empty() ? "" : "&client_id=" + client));
  CHECK(got.status == 200);
  return got.json();
}

TEST_CASE("http joining: after a refused play its name is free at once, here and elsewhere (B2)") {
  hub at;
  api_client one{at.http()}, other{at.http()};
  const std::string bad = "engine=gomoku&options=%7B%22in_a_row%22%3A19%7D";
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    const auto no = one.post("/api/play", "name=New&" + bad);
    CHECK(no.status == 400);
    CHECK_FALSE(no.json().contains("client_id"));
    auto& next = i % 2 == 0 ? one : other;
    CHECK(next.post("/api/play", "name=New&" + bad).code() == 100);
  }
  CHECK(one.post("/api/play", "name=New&game_id=4711").code() == 102);
  CHECK(one.post("/api/play", "name=New&resume=true").code() == 110);
  CHECK(one.post("/api/play", "name=New&invitation=none").code() == 102);
  // With a secret that the client brings, too.
  const std::string mine = "client_id=0123456789abcdef&name=New";
  CHECK(one.post("/api/play", mine + "&" + bad).code() == 100);
  CHECK(one.post("/api/quit", "client_id=0123456789abcdef").code() == 101);
  const auto seat = other.post("/api/play", mine).json();
  CHECK(seat["name"] == "New");
  // A session that was there stays.
  CHECK(other.post("/api/play", "client_id=0123456789abcdef&game_id=4711").code() == 102);
  CHECK(other.post("/api/play", "client_id=0123456789abcdef").json()["game_id"] == seat["game_id"]);
  CHECK(other.post("/api/quit", "client_id=0123456789abcdef").status == 200);
}

TEST_CASE("http joining: a full hub leaves no session behind a refused play (B2)") {
  hub at{{"--games-max", "1"}};
  api_player ann{at.http(), "ann"};
  ann.play("&opponent=engine");
  api_client one{at.http()};
  for (int i = 0; i < 3; ++i) {
    const auto no = one.post("/api/play", "name=New&opponent=engine%3Arandom");
    CHECK(no.status == 503);
    CHECK(no.code() == 106);
  }
  CHECK(ann.post("/api/quit").status == 200);
  at.await_count("gamehub_games_running", {}, 0);
  const auto seat = one.post("/api/play", "name=New&opponent=engine%3Arandom").json();
  REQUIRE(seat["name"] == "New");
  const auto quit = one.post("/api/quit", "client_id=" + seat["client_id"].get<std::string>());
  CHECK(quit.status == 200);
}

TEST_CASE("http joining: the game of that number, or a refusal and no new table (H1)") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"}, eve{at.http(), "eve"};
  const auto game = game_of(ann.play("&engine=nim&seat=O"));
  const auto seat = bob.play("&game_id=" + game);
  CHECK(seat["game_id"] == game);
  CHECK(seat["engine"] == "nim");
  CHECK(seat["player"] == "X");
  CHECK(seat["opponent_name"] == "ann");
  const auto no = eve.post("/api/play", "&game_id=" + game);
  CHECK(no.status == 409);
  CHECK(no.code() == 111);
  CHECK(eve.post("/api/play", "&game_id=4711").code() == 102);
  CHECK(eve.post("/api/play", "&game_id=nonsense").code() == 102);
  CHECK(eve.post("/api/play", "&game_id=" + game + "&invitation=x").code() == 100);
  CHECK(waiting_games(at).empty());
  CHECK(eve.post("/api/quit").code() == 102);
  // It is one's own.
  CHECK(bob.play("&game_id=" + game)["game_id"] == game);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("http joining: of two who join a seat at once exactly one gets it (H1)") {
  hub at;
  api_player ann{at.http(), "ann"};
  for (int round = 0; round < 5; ++round) {
    const auto game = game_of(ann.play());
    std::atomic<int> seated{0}, refused{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
      all.emplace_back([&, i] {
        api_client other{at.http()};
        const auto got = other.post("/api/play", "name=p" + std::to_string(i) + "r" +
                                                     std::to_string(round) + "&game_id=" + game);
        seated += got.status == 200 ? 1 : 0;
        refused += got.code() == 111 ? 1 : 0;
      });
    for (auto& each : all) each.join();
    CHECK(seated == 1);
    CHECK(refused == 3);
    CHECK(ann.post("/api/quit").status == 200);
  }
  CHECK(waiting_games(at).empty());
}

TEST_CASE("http joining: a seat kept for a name says for whom, and others cannot take it (H1)") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"}, eve{at.http(), "eve"};
  const auto game = game_of(ann.play("&opponent=bob"));
  const auto listed = waiting_games(at);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["reserved_for"] == "bob");
  CHECK(listed[0]["kinds"] == json{"player", ""});
  CHECK(state_of(at, game)["reserved_for"] == "bob");
  const auto no = eve.post("/api/play", "&game_id=" + game);
  CHECK(no.code() == 111);
  CHECK(no.body.find("bob") != std::string::npos);
  CHECK(bob.play("&game_id=" + game)["opponent_name"] == "ann");
  CHECK_FALSE(state_of(at, game).contains("reserved_for"));
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE(
    "http joining: a seat that waits, or a game that runs, is there after a refused play (B5)") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  const auto waits = game_of(ann.play());
  for (const std::string no : {"&game_id=4711", "&invitation=none"}) {
    CHECK(ann.post("/api/play", no).code() == 102);
    CHECK(waiting_games(at).size() == 1);
  }
  CHECK(game_of(bob.play("&game_id=" + waits)) == waits);
  for (const std::string no : {"&game_id=4711", "&invitation=none", "&engine=chess"}) {
    CHECK(ann.post("/api/play", no).status >= 400);
    CHECK(state_of(at, waits)["status"] == "running");
  }
  CHECK(ann.move(0).status == 200);
  CHECK(bob.move(1).status == 200);
  // Another game that is certain takes its place.
  api_player eve{at.http(), "eve"};
  const auto next = game_of(eve.play());
  CHECK(game_of(ann.play("&game_id=" + next)) == next);
  CHECK(state_of(at, waits)["status"] == "ended");
  // So it does while one waits.
  const auto given_up = game_of(bob.play());
  api_player dan{at.http(), "dan"};
  const auto last = game_of(dan.play());
  CHECK(last == given_up);
  CHECK(ann.post("/api/quit").status == 200);
  const auto own = game_of(ann.play()), other = game_of(eve.play("&engine=nim"));
  CHECK(game_of(ann.play("&game_id=" + other)) == other);
  CHECK(state_of(at, own)["error"]["code"] == 102);
  CHECK(waiting_games(at).empty());
  CHECK(eve.post("/api/quit").status == 200);
  CHECK(dan.post("/api/quit").status == 200);
}

TEST_CASE("http joining: a new game replaces the seat that waits, unless it is refused (B5)") {
  hub at{{"--games-max", "1"}};
  api_player ann{at.http(), "ann"}, eve{at.http(), "eve"};
  const auto waits = game_of(ann.play());
  // Clients that do not say so get the seat that they have.
  CHECK(game_of(ann.play("&engine=nim")) == waits);
  const auto unfit =
      ann.post("/api/play", "&new_game=true&engine=gomoku&options=%7B%22in_a_row%22%3A19%7D");
  CHECK(unfit.code() == 100);
  CHECK(ann.post("/api/play", "&new_game=true&opponent=bot%3Anobody").code() == 106);
  eve.play("&opponent=engine");
  CHECK(ann.post("/api/play", "&new_game=true&engine=nim").code() == 106);
  CHECK(eve.post("/api/quit").status == 200);
  at.await_count("gamehub_games_running", {}, 0);
  REQUIRE(waiting_games(at).size() == 1);
  CHECK(waiting_games(at)[0]["game_id"] == waits);
  const auto next = ann.play("&new_game=true&engine=nim");
  CHECK(next["engine"] == "nim");
  CHECK(game_of(next) != waits);
  REQUIRE(waiting_games(at).size() == 1);
  CHECK(waiting_games(at)[0]["game_id"] == next["game_id"]);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE(
    "http joining: an invitation shows its game, and its host's visits do not use it (B5, H3)") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto seat = ann.play("&private=true&engine=gomoku&options=%7B%22rows%22%3A7%7D&seat=O");
  const auto invitation = seat["invitation"].get<std::string>();
  api_client guest{at.http()};
  for (int i = 0; i < 3; ++i) {
    const auto seen = look_at(guest, invitation);
    INFO(seen.dump());
    CHECK(seen["status"] == "waiting");
    CHECK(seen["yours"] == false);
    CHECK(seen["host"] == "ann");
    CHECK(seen["engine"] == "gomoku");
    CHECK(seen["options"]["rows"] == 7);
    CHECK(seen["side"] == "X");
    CHECK(seen["rows"] == 7);
    CHECK(look_at(ann.http, invitation, ann.id)["yours"] == true);
    CHECK(ann.play("&invitation=" + invitation)["game_id"] == seat["game_id"]);
  }
  api_player bob{at.http(), "bob"};
  const auto plays = bob.play("&invitation=" + invitation);
  CHECK(plays["game_id"] == seat["game_id"]);
  CHECK(plays["opponent_name"] == "ann");
  CHECK(look_at(guest, invitation)["status"] == "taken");
  CHECK(look_at(ann.http, invitation, ann.id)["yours"] == true);
  // A second visitor changes nothing.
  CHECK(guest.post("/api/play", "name=eve&invitation=" + invitation).code() == 102);
  CHECK(bob.post("/api/quit").status == 200);
  const auto next = ann.play("&private=true")["invitation"].get<std::string>();
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(look_at(guest, next) == json{{"status", "gone"}, {"yours", false}});
  CHECK(look_at(guest, "invented")["status"] == "gone");
}

TEST_CASE("http joining: private games cannot be joined, nor be found, by their ids") {
  hub at;
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"}, eve{at.http(), "eve"};
  const auto seat = ann.play("&private=true");
  const auto waits = eve.post("/api/play", "&game_id=" + game_of(seat));
  CHECK(waits.code() == 102);
  bob.play("&invitation=" + seat["invitation"].get<std::string>());
  const auto runs = eve.post("/api/play", "&game_id=" + game_of(seat));
  CHECK(runs.body == waits.body);
  CHECK(ann.post("/api/quit").status == 200);
}

TEST_CASE("http joining: players, bots and engines are told apart by the hub's data (H8)") {
  hub at;
  api_player ann{at.http(), "ann"};
  const auto game = game_of(ann.play("&opponent=engine&seat=O"));
  CHECK(state_of(at, game)["kinds"] == json{"engine", "player"});
  const auto listed = ann.http.get("/api/games").json()["games"];
  CHECK(listed[0]["kinds"] == json{"engine", "player"});
  CHECK(ann.post("/api/quit").status == 200);
  CHECK(ann.http.get("/api/replays/" + game).json()["kinds"] == json{"engine", "player"});
}

TEST_CASE("http joining: a thousand looks and joins of one address are bounded, guesses soonest") {
  hub at{{"--limit-loopback", "--http-address-rate", "100", "--guesses-per-address", "2"}};
  api_client flood{at.http(), {"127.0.0.66"}};
  int looked = 0, guessed = 0, joined = 0;
  for (int i = 0; i < 40; ++i)
    guessed += flood.get("/api/invitation?invitation=" + std::to_string(i)).status == 200 ? 1 : 0;
  CHECK(guessed <= 12);
  CHECK(at.count("gamehub_address_refusals_total", {{"limit", "guesses"}}) > 0);
  for (int i = 0; i < 1'000; ++i) {
    looked += flood.get("/api/invitation?invitation=x").status == 200 ? 1 : 0;
    joined += flood.post("/api/play", "game_id=4711&name=a" + std::to_string(i)).code() == 102;
  }
  CHECK(looked + joined < 1'000);
  CHECK(at.count("gamehub_address_refusals_total", {{"limit", "requests"}}) > 0);
  at.await("keeps no session", [&] { return at.count("gamehub_sessions") == 0; });
  CHECK(waiting_games(at).empty());
  // Others are not hindered.
  api_player ann{at.http(), "ann"}, bob{at.http(), "bob"};
  CHECK(game_of(bob.play("&game_id=" + game_of(ann.play()))) != "");
  CHECK(ann.post("/api/quit").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
