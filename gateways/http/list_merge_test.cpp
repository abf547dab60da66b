#include "gateways/http/list_merge.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using gamehub::gateways::http::merge_game_lists;

namespace {

std::string listed(const std::vector<int>& games, const std::string& next,
                   const std::string& by = "a", const std::string& more = {}) {
  std::string out;
  for (const auto each : games)
    out += (out.empty() ? "" : ",") + std::string{"{\"by\":\""} + by + "\",\"game_id\":\"" +
           std::to_string(each) + "\"}";
  return "{\"games\":[" + out + "],\"next\":" + next + more + "}";
}

std::string merged(std::vector<std::string> bodies, std::size_t limit = 50) {
  return merge_game_lists(bodies, limit);
}

}  // namespace

TEST_CASE("http lists: those of several hubs become one, the newest game first, each once") {
  CHECK(merged({listed({9, 5}, "null"), listed({7, 3}, "null")}) == listed({9, 7, 5, 3}, "null"));
  CHECK(merged({listed({5}, "null"), listed({5}, "null", "b")}) == listed({5}, "null"));
  CHECK(merged({listed({5}, "null", "a", R"(,"notice":{"message":"m"})"),
                listed({}, "null", "a", R"(,"notice":{"message":"n"})")}) ==
        listed({5}, "null", "a", R"(,"notice":{"message":"m"})"));
}

TEST_CASE("http lists: a page ends where that of a hub with more games ends, or at its limit") {
  // The second hub has more games below 7.
  CHECK(merged({listed({9, 5}, "null"), listed({8, 7}, "\"7\"")}) == listed({9, 8, 7}, "\"7\""));
  CHECK(merged({listed({9, 5}, "\"5\""), listed({8, 7}, "\"7\"")}) == listed({9, 8, 7}, "\"7\""));
  CHECK(merged({listed({9, 5}, "null"), listed({8, 7}, "null")}, 3) == listed({9, 8, 7}, "\"7\""));
  CHECK(merged({listed({9, 5}, "null"), listed({8, 7}, "null")}, 4) ==
        listed({9, 8, 7, 5}, "null"));
}

TEST_CASE("http lists: what is no list of games is left out") {
  for (const auto* other : {"", "[]", "{", R"({"error":{"code":106}})", R"({"games":7})",
                            R"({"games":[7,{"game_id":7},{"game_id":"x"}],"next":7})"})
    CHECK(merged({listed({9}, "null"), other}) == listed({9}, "null"));
}
