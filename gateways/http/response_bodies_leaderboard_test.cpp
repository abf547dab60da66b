#include "gateways/http/response_bodies.hpp"
#include "gateways/http/schemas.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <memory>

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

TEST_CASE("http notices: a line has the members of its schema, also of a hostile text (M12)") {
  const auto line = to_notice_line({"Back \"soon\"\n", {}}, std::chrono::milliseconds{2'500});
  REQUIRE(line.ends_with("}\n"));
  const auto said = json::parse(line);
  CHECK(said["type"] == "notice");
  CHECK(said["message"] == "Back \"soon\"\n");
  CHECK(said["milliseconds_left"] == 2'500);
  CHECK(said.size() == shapes::notice_line.members.size());
  for (const auto& each : shapes::notice_line.members) CHECK(said.contains(each.name));
}

TEST_CASE("http engines: an engine with a face shows it, and others have no such member") {
  engine_traits traits;
  traits.id = "hex";
  const auto plain =
      json::parse(engine_list(std::array{engine_account{traits, {}, {"random"}, {}}}));
  CHECK_FALSE(plain["engines"][0].contains("face"));
  CHECK(plain["engines"][0]["levels"] == json{"random"});
  const auto shown = json::parse(
      engine_list(std::array{engine_account{traits, {}, {}, R"({"blurb":"Connect.","line":3})"}}));
  CHECK(shown["engines"][0]["face"] == json{{"blurb", "Connect."}, {"line", 3}});
  // All but the examples.
  CHECK(shown["engines"][0].size() + 1 == shapes::engine.members.size());
}

TEST_CASE("http engines: one engine has examples of its moves, and an unknown one is not there") {
  engine_account hex;
  hex.traits.id = "hex";
  hex.face = "{}";
  hex.examples = R"([{"player":"X","view":{},"legal":1,"moves":[]}])";
  engine_account nim;
  nim.traits.id = "nim";
  const std::array all{hex, nim};
  const auto shown = json::parse(*engine_text(all, "hex"));
  CHECK(shown["engine"] == "hex");
  CHECK(shown["examples"] == json::parse(hex.examples));
  CHECK(shown.size() == shapes::engine.members.size());
  CHECK_FALSE(json::parse(*engine_text(all, "nim")).contains("examples"));
  CHECK_FALSE(engine_text(all, "chess"));
  CHECK_FALSE(engine_text(all, ""));
}

TEST_CASE("http games: a position with score and summary shows them") {
  game_snapshot snapshot;
  auto game = std::make_shared<game_metadata>();
  game->engine = "othello";
  snapshot.progress.game = game;
  snapshot.progress.status = game_status::running;
  CHECK_FALSE(json::parse(game_standing(snapshot, {}, {}, {})).contains("score"));
  snapshot.position.score = {3, 1};
  snapshot.position.summary = "Black leads by 2 discs.";
  const auto shown = json::parse(game_standing(snapshot, {}, {}, {}));
  CHECK(shown["score"] == json{3, 1});
  CHECK(shown["summary"] == "Black leads by 2 discs.");
}
