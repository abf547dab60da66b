// Guests watch games of other hubs of a cluster: each hub has each game once for all of them, and
// follows it where it goes on.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"

#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using guests = std::vector<std::unique_ptr<api_client>>;

guests watch(hub& at, const http_table& t, std::size_t count) {
  guests out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(std::make_unique<api_client>(at.http()));
    REQUIRE(out.back()->follow(t.path + "?last_update_id=" + std::to_string(i % 3)).status == 200);
  }
  return out;
}

// Each one has read every update once, without a new connection.
void check_all(guests& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK(numbers_of(rest_of(*all[i])) == from_to(i % 3 + 1, last_update));
  }
}

// The rest of the moves, as soon as this hub has the game of the other one.
void play_on_at(hub& at, const http_table& t, const std::string& other) {
  api_client any{at.http()};
  for (std::size_t i = 2; i < std::size(moves); ++i)
    at.await("has the game of " + other, [&] {
      const auto& who = i % 2 == 0 ? t.x.id : t.o.id;
      return any.post("/api/move", "client_id=" + who + "&position=" + std::to_string(moves[i]))
                 .status == 200;
    });
}

double watched(hub& at, const std::string& side) {
  return at.count("gamehub_relay_watched_games", {{"side", side}});
}

TEST_CASE("cluster watching: the guests of a hub read a game of another one from one feed") {
  linked_hubs h{3};
  http_table t{h[0]};
  t.begin();
  auto near = watch(h[0], t, 3), far = watch(h[1], t, 30), other = watch(h[2], t, 3);
  CHECK(watched(h[1], "entry") == 1);
  CHECK(watched(h[2], "entry") == 1);
  CHECK(watched(h[0], "home") == 2);
  t.play(0, std::size(moves));
  check_all(near), check_all(far), check_all(other);
  CHECK(h[0].count("gamehub_relay_requests_total", {{"side", "home"}}) == 0);
}

TEST_CASE("cluster watching: guests read on where the game goes on when its hub is killed") {
  // The adopter is the guests' hub, or it can be another one.
  for (const std::size_t hubs : {2u, 3u}) {
    CAPTURE(hubs);
    linked_hubs h{hubs};
    http_table t{h[0]};
    t.begin();
    t.play(0, 2);
    auto far = watch(h[1], t, 6);
    h[0].process().signal(SIGKILL);
    CHECK(h[0].wait() == 128 + SIGKILL);
    play_on_at(h[1], t, "the killed hub");
    check_all(far);
  }
}

TEST_CASE("cluster watching: guests read on where the game goes on when its hub drains") {
  linked_hubs h{2};
  http_table t{h[0]};
  t.begin();
  t.play(0, 2);
  auto far = watch(h[1], t, 6);
  h[0].process().signal(SIGTERM);
  CHECK(h[0].wait() == 0);
  play_on_at(h[1], t, "the hub that has left");
  check_all(far);
}

TEST_CASE("cluster watching: a stream of several games has those of all hubs, each to its end") {
  linked_hubs h{2};
  http_table here{h[0], "stan", "kyle"};
  here.begin();
  http_table there{h[1], "wendy", "eric"};
  there.begin();
  api_client guest{h[0].http()};
  REQUIRE(guest.follow("/api/updates?games=" + here.game + "," + there.game).status == 200);
  here.play(0, std::size(moves));
  there.play(0, 2);
  h[1].process().signal(SIGKILL);
  CHECK(h[1].wait() == 128 + SIGKILL);
  for (std::size_t i = 2; i < std::size(moves); ++i)
    h[0].await("has the game of the killed hub", [&] {
      const auto& who = i % 2 == 0 ? there.x.id : there.o.id;
      api_client any{h[0].http()};
      return any.post("/api/move", "client_id=" + who + "&position=" + std::to_string(moves[i]))
                 .status == 200;
    });
  std::map<std::string, std::vector<std::uint64_t>> numbers;
  std::size_t done = 0;
  for (auto u = guest.update(); !u.is_null(); u = guest.update()) {
    if (u["type"] == "done") ++done;
    if (u.contains("update_id") && is_numbered(u))
      numbers[u["game"]].push_back(u["update_id"].get<std::uint64_t>());
  }
  CHECK(done == 2);
  CHECK(numbers[here.game] == from_to(1, last_update));
  CHECK(numbers[there.game] == from_to(1, last_update));
}

TEST_CASE("cluster watching: guests of all hubs are told, and a private game is seen by none") {
  linked_hubs h{2};
  http_table t{h[0]};
  t.begin();
  api_client near{h[0].http()};
  REQUIRE(near.follow(t.path).status == 200);
  const auto next_guest = [](api_client& at, const std::string& type) {
    auto u = next_of(at, type);
    while (!u.is_null() && u.value("player", "") != "G") u = next_of(at, type);
    return u["name"];
  };
  const auto first = next_guest(near, "connect");
  {
    api_client far{h[1].http()};
    REQUIRE(far.follow(t.path).status == 200);
    const auto second = next_guest(near, "connect");
    CHECK(next_guest(far, "connect") == second);
  }
  CHECK(next_guest(near, "disconnect").is_string());
  api_player host{h[0].http(), "wendy"};
  const std::string closed = host.play("&private=true")["game_id"];
  CHECK(api_client{h[1].http()}.get("/api/updates/" + closed).code() == 102);
  for (auto* each : {&t.x, &host}) each->post("/api/quit");
}

}  // namespace
}  // namespace gamehub::tests::system
