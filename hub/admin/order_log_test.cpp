#include "hub/admin/order_log.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace gamehub::admin {
namespace {

using nlohmann::json;
using verb = operator_command::verb;

order order_about(std::string target) {
  order out;
  out.verb = "say";
  out.target = std::move(target);
  return out;
}

TEST_CASE("order log: records order, target, sender and status") {
  std::vector<std::string> heard;
  order_log log{[&](const order& o) { heard.push_back(o.verb + " " + o.target); }};
  CHECK(log.json() == R"({"orders":[]})");
  order o;
  o.verb = "ban";
  o.target = "eve";
  o.reason = "rude";
  o.address = "192.0.2.7";
  o.by_page = true;
  o.at = base::wall_time{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2}};
  o.status = 200;
  log.add(o);
  log.add(order_about("hello"));
  const auto list = json::parse(log.json())["orders"];
  REQUIRE(list.size() == 2);
  CHECK(list[0]["target"] == "hello");
  CHECK(list[1] == json::parse(R"({"at":"2026-01-02T00:00:00Z","order":"ban","target":"eve",
      "reason":"rude","address":"192.0.2.7","page":true,"status":200})"));
  CHECK(heard == std::vector<std::string>{"ban eve", "say hello"});
}

TEST_CASE("order log: keeps the newest orders up to its bound") {
  order_log log;
  for (std::size_t i = 0; i < orders_max + 5; ++i) log.add(order_about(std::to_string(i)));
  const auto list = json::parse(log.json())["orders"];
  REQUIRE(list.size() == orders_max);
  CHECK(list.front()["target"] == std::to_string(orders_max + 4));
  CHECK(list.back()["target"] == "5");
}

TEST_CASE("order log: bytes that are not UTF-8 are replaced") {
  order_log log;
  log.add(order_about("/arena/runs?engine=\xff"));
  CHECK(json::parse(log.json())["orders"].size() == 1);
}

TEST_CASE("order log: commands that change something are orders, lists are not") {
  operator_command c;
  for (const auto what : {verb::list_games, verb::show_game, verb::list_players,
                          verb::list_sanctions, verb::list_orders}) {
    c.what = what;
    CHECK_FALSE(order_of(c));
  }
  c.what = verb::ban;
  c.address = "192.0.2.0/24";
  c.reason = "rude";
  REQUIRE(order_of(c));
  CHECK(order_of(c)->verb == "ban");
  CHECK(order_of(c)->target == "192.0.2.0/24");
  CHECK(order_of(c)->reason == "rude");
  operator_command said;
  said.what = verb::say;
  said.text = "back soon";
  CHECK(order_of(said)->target == "back soon");
}

}  // namespace
}  // namespace gamehub::admin
