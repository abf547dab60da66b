#include "gateways/http/response_bodies.hpp"
#include "gateways/http/schemas.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <array>

using namespace gamehub;
using namespace gamehub::gateways::http;
using nlohmann::json;

TEST_CASE("http leaderboard: has the members of its schema, the best player first") {
  const std::array best{leaderboard_row{"dot \"1\"", 1520.34, 80.06, 10, 6, 1, 3, true},
                        leaderboard_row{"dash", 1480, 350, 1, 0, 0, 1, false}};
  const auto all = json::parse(leaderboard("nim", best));
  CHECK(all["engine"] == "nim");
  REQUIRE(all["players"].size() == 2);
  const auto& first = all["players"][0];
  CHECK(first["rank"] == 1);
  CHECK(first["name"] == "dot \"1\"");
  CHECK(first["rating"] == 1520.3);
  CHECK(first["deviation"] == 80.1);
  CHECK(first["games"] == 10);
  CHECK(first["online"] == true);
  CHECK(all["players"][1]["rank"] == 2);
  CHECK(all.size() == shapes::leaderboard.members.size());
  CHECK(first.size() == shapes::ranked_player.members.size());
  for (const auto& each : shapes::ranked_player.members)
    CHECK(first.contains(std::string{each.name}));
}

TEST_CASE("http leaderboard: without players the list is empty") {
  CHECK(leaderboard("nim", {}) == R"({"engine":"nim","players":[]})");
}
