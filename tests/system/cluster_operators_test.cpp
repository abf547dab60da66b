// Operators' orders at one hub of a cluster concern the games, players and clients of all.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

constexpr auto* token = "a-token-for-the-operator";

struct operated_hubs {
  run_result order(std::size_t hub, std::vector<std::string> words) {
    words.insert(words.begin(), hub_program());
    words.insert(words.end(),
                 {"--admin-port", std::to_string(h[hub].admin()), "--admin-token-file", file});
    return run({std::move(words), {}});
  }
  std::string done(std::size_t hub, std::vector<std::string> words) {
    const auto said = order(hub, std::move(words));
    CAPTURE(said.errors);
    CHECK(said.exit_code == 0);
    CHECK(said.errors.empty());
    return said.output;
  }
  json list(std::size_t hub, const std::string& path, const json& body = json::object()) {
    api_client c{h[hub].admin()};
    c.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
           "\r\nContent-Length: " + std::to_string(body.dump().size()) + "\r\n\r\n" + body.dump());
    const auto said = c.answer().value();
    INFO(said.body);
    CHECK(said.status == 200);
    return said.json();
  }
  // Of the member: the hubs begin one after the other on an empty database.
  static std::uint64_t number_of(std::size_t hub) { return hub + 1; }

  temporary_folder folder;
  std::string file = [this] {
    const auto path = folder.path() + "/token";
    std::ofstream{path} << token << '\n';
    return path;
  }();
  linked_hubs h{3, {"--admin-token-file", file}};
};

TEST_CASE(
    "cluster operators: games and players of all hubs are listed, and a game of any is ended") {
  operated_hubs o;
  http_table near{o.h[0]};
  near.begin();
  http_table far{o.h[1], "ann", "bob"};
  far.begin();
  turns_client eve{o.h[2].turns()};
  eve.connect("eve", "connect-four");
  REQUIRE(eve.next() == "name eve");
  o.h[2].await_waiting("connect-four", 1);
  const auto hub = [&](std::size_t i) { return "hub " + std::to_string(o.number_of(i)); };
  for (std::size_t i = 0; i < 3; ++i) {
    const auto all = o.done(i, {"games"});
    CHECK_THAT(all, Contains(near.game) && Contains("stan, kyle  " + hub(0)));
    CHECK_THAT(all, Contains(far.game) && Contains("ann, bob    " + hub(1)));
    const auto players = o.list(i, "/players", {{"limit", 9}});
    CHECK(players["players"].size() == 5);
    CHECK(players["unreached"].empty());
  }
  const auto eves = o.list(0, "/players", {{"name", "eve"}})["players"];
  REQUIRE(eves.size() == 1);
  CHECK(eves[0]["hub"] == o.number_of(2));
  CHECK(eves[0]["waits_on"] == "turns");
  far.play(0, 1);
  const json number = std::stoull(far.game);
  const auto game = o.list(2, "/game", {{"game", number}});
  CHECK(game["board"] == "X--------");
  CHECK(game["hub"] == o.number_of(1));
  CHECK_THAT(o.done(2, {"end", far.game, "--reason", "it is late"}), Contains("is told to end"));
  o.h[1].await_count("gamehub_games_running", {}, 0);
  CHECK(o.h[0].count("gamehub_games_running") == 1);
  // An ended game is in the archive that all hubs share.
  for (std::size_t i = 0; i < 3; ++i) {
    const auto ended = o.list(i, "/games", {{"status", "ended"}})["games"];
    REQUIRE(ended.size() == 1);
    CHECK(ended[0]["game"] == number);
    CHECK(ended[0]["hub"].is_null());
    CHECK(o.list(i, "/game", {{"game", number}})["outcome"]["reason"] == "operator");
  }
  CHECK(o.list(2, "/games")["games"].size() == 2);
  const auto unknown = o.order(0, {"end", far.game, "--reason", "again"});
  CHECK(unknown.exit_code == 1);
  CHECK_THAT(unknown.errors, Contains("no game " + far.game + " runs here"));
  CHECK(o.h[2].count("gamehub_relay_orders_total", {{"side", "entry"}}) > 0);
  CHECK(o.h[1].count("gamehub_relay_orders_total", {{"side", "home"}}) > 0);
  CHECK(near.x.post("/api/quit").status == 200);
}

TEST_CASE("cluster operators: a message reaches the readers of all hubs, and all see who ordered") {
  operated_hubs o;
  http_table near{o.h[0]};
  near.begin();
  http_table far{o.h[1], "ann", "bob"};
  far.begin();
  api_client here{o.h[0].http()}, there{o.h[1].http()};
  REQUIRE(here.follow(near.path).status == 200);
  REQUIRE(there.follow(far.path).status == 200);
  CHECK(o.done(2, {"say", "back in five minutes"}) == "back in five minutes\n");
  for (auto* each : {&here, &there}) {
    auto heard = each->update();
    while (heard["type"] != "chat") heard = each->update();
    CHECK(heard["name"] == "operator");
    CHECK(heard["message"] == "back in five minutes");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const auto orders = o.list(i, "/orders")["orders"];
    REQUIRE(orders.size() == 1);
    CHECK(orders[0]["order"] == "say");
    CHECK(orders[0]["hub"] == o.number_of(2));
  }
  CHECK(near.x.post("/api/quit").status == 200);
  CHECK(far.x.post("/api/quit").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
