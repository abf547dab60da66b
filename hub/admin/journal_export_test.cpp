#include "hub/admin/journal_export.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/logged_games.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::admin {
namespace {

using nlohmann::json;
using tests::archive_in_memory;
using tests::logged_game;
using tests::won_game;

json exported(const journal::archived_game& game) {
  static const auto engines = engines::host::registry::built_in();
  std::string line;
  game_writer{engines}.append(game, line);
  INFO(line);
  REQUIRE(line.ends_with("}\n"));
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(line.find("digest") == line.npos);
  return json::parse(line);
}

TEST_CASE("export: says of a game who played, what was done when, and the result") {
  const auto game = exported(tests::won_game(17));
  CHECK(game["game"] == 17);
  CHECK(game["state"] == "ended");
  CHECK(game["engine"] == "tictactoe");
  CHECK(game["version"].get<std::string>().size() >= 5);
  CHECK(game["opened"] == "2026-01-02T03:04:05.678Z");
  CHECK(game["seats"] == json::parse(R"([{"seat":0,"player":1,"name":"ann","wire":"turns"},
                                         {"seat":1,"player":2,"name":"bob","wire":"turns"}])"));
  REQUIRE(game["records"].size() == 9);
  auto number = 0;
  for (const auto& each : game["records"]) {
    CHECK(each["number"] == ++number);
    CHECK(each["time"] == "2026-01-02T03:04:05.678Z");
  }
  const auto& move = game["records"][4];
  CHECK(move["what"] == "moved");
  CHECK(move["seat"] == 1);
  CHECK(move["action"] == 3);
  CHECK(move["text"].is_string());
  CHECK(move["hash"].get<std::string>().size() == 16);
  CHECK_FALSE(move.contains("hidden"));
  CHECK(game["records"].back()["reason"] == "rules");
  CHECK(game["result"] == json::parse(R"({"reason":"rules","winner":0,"scores":[1.0,-1.0]})"));
}

TEST_CASE("export: shows the hidden characters of names from an older journal (S18)") {
  const std::string name = "a\x1b[31m\u009b\u202e\u200bb";
  auto game = tests::won_game(1);
  for (auto& each : game.records)
    if (each.what == journal::record::kind::joined && each.seat == 0) each.text = name;
  static const auto engines = engines::host::registry::built_in();
  std::string line;
  game_writer{engines}.append(game, line);
  // In seats and in records, and the JSON means the same.
  const std::string seen = R"("name":"a\u001b[31m\u009b\u202e\u200bb")";
  CHECK(line.find(seen) != line.rfind(seen));
  CHECK(json::parse(line)["seats"][0]["name"] == name);
  for (const auto* hidden : {"\x1b", "\u009b", "\u202e", "\u200b"})
    CHECK(line.find(hidden) == line.npos);
}

TEST_CASE("export: tells ends off the board and games that go on") {
  auto game = tests::logged_game(1, "tictactoe", {4});
  CHECK(exported(game)["result"].is_null());
  CHECK(exported(game)["state"] == "open");
  auto& last = game.records.emplace_back();
  last.number = game.records.size();
  last.what = journal::record::kind::ended;
  last.why = end_reason::operator_;
  last.text = "it is \"late\"";
  auto said = exported(game);
  CHECK(said["records"].back()["text"] == "it is \"late\"");
  CHECK(said["result"] == json::parse(R"({"reason":"operator","winner":null,"scores":[0.0,0.0]})"));
  game.records.back().why = end_reason::left;
  game.records.back().seat = 1;
  CHECK(exported(game)["result"] ==
        json::parse(R"({"reason":"left","winner":1,"scores":[-1.0,1.0]})"));
}

TEST_CASE("export: tells what was said, and who left") {
  auto game = tests::logged_game(1, "tictactoe", {4});
  const auto add = [&](journal::record::kind what, int seat) -> journal::record& {
    auto& r = game.records.emplace_back();
    r.number = game.records.size();
    r.what = what;
    r.seat = static_cast<std::int16_t>(seat);
    return r;
  };
  CHECK_FALSE(exported(game)["records"][0].contains("closed"));
  game.records.front().action = 1;
  add(journal::record::kind::said, 1).text = "a \"good\" one";
  add(journal::record::kind::left, 1);
  add(journal::record::kind::ended, 0).why = end_reason::left;
  const auto said = exported(game);
  CHECK(said["records"][0]["closed"] == true);
  CHECK(said["records"][4]["what"] == "said");
  CHECK(said["records"][4]["seat"] == 1);
  CHECK(said["records"][4]["text"] == "a \"good\" one");
  CHECK(said["records"][5]["what"] == "left");
  CHECK(said["records"][5]["seat"] == 1);
}

TEST_CASE("export: leaves the engine's words out where it does not know the game") {
  const auto has_text = [](const journal::archived_game& game, std::size_t at) {
    return exported(game)["records"][at].contains("text");
  };
  auto older = tests::won_game(1);
  older.header.engine_version = "0.0.1";
  CHECK_FALSE(has_text(older, 3));
  CHECK(exported(older)["result"] == json::parse(R"({"reason":"rules","winner":0})"));
  auto poison = tests::won_game(1);
  poison.state = journal::game_state::quarantined;
  poison.note = "took the hub down";
  CHECK_FALSE(has_text(poison, 3));
  CHECK(exported(poison)["note"] == "took the hub down");
  auto wrong = tests::won_game(1);
  wrong.records[5].action = 3;
  CHECK(has_text(wrong, 4));
  CHECK_FALSE(has_text(wrong, 5));
  CHECK_FALSE(has_text(wrong, 7));
  CHECK(exported(wrong)["records"].size() == 9);
}

TEST_CASE("export: an engine that throws leaves its own words out, and nothing else") {
  static std::string_view thrower;
  static const auto throws = [](std::string_view name) {
    if (name == thrower) throw std::runtime_error{"a test"};
  };
  const auto rules = tests::spoiled_engine("tictactoe", "throws", [](gamehub_engine_abi& abi) {
    using tests::healthy_engine;
    abi.create = [](const char* options, std::size_t size, std::int32_t players,
                    gamehub_reason* why) -> gamehub_match* {
      throws("create");
      return healthy_engine("tictactoe").create(options, size, players, why);
    };
    abi.to_move = [](const gamehub_match* m) -> std::uint64_t {
      throws("to_move");
      return healthy_engine("tictactoe").to_move(m);
    };
    abi.players = [](const gamehub_match* m) -> std::int32_t {
      throws("players");
      return healthy_engine("tictactoe").players(m);
    };
  });
  engines::host::registry engines;
  engines.add(rules);
  auto game = won_game(1);
  game.header.engine = "throws";
  for (const std::string_view name : {"", "create", "to_move", "players"}) {
    CAPTURE(name);
    thrower = name;
    std::string line;
    game_writer{engines}.append(game, line);
    const auto said = json::parse(line);
    CHECK(said["records"][3].contains("text") == (name != "create"));
    CHECK(said["result"].contains("scores") == name.empty());
    CHECK(said["records"].size() == game.records.size());
  }
}

TEST_CASE("export: writes the games that were asked for and names those that are not there") {
  archive_in_memory all{{tests::won_game(1), tests::won_game(2), tests::won_game(3)}};
  const auto engines = engines::host::registry::built_in();
  std::string out;
  const auto keep = [&](std::string_view text) {
    out += text;
    return true;
  };
  CHECK(export_games(all, {}, engines, keep).empty());
  CHECK(std::count(out.begin(), out.end(), '\n') == 3);
  out.clear();
  const std::vector<game_id> asked{{2}, {4}, {5}};
  CHECK(export_games(all, asked, engines, keep) == std::vector<game_id>{{4}, {5}});
  CHECK(json::parse(out)["game"] == 2);
  CHECK(no_such_games(asked, "/hub/journal.db") ==
        "the journal /hub/journal.db has no games 2, 4, 5: gamehub journal export lists those it "
        "has");
}

TEST_CASE("export: stops when nobody takes the lines") {
  std::vector<journal::archived_game> games;
  for (std::uint64_t i = 1; i < 3'000; ++i) games.push_back(tests::won_game(i));
  archive_in_memory all{std::move(games)};
  auto heard = 0;
  export_games(all, {}, engines::host::registry::built_in(), [&](std::string_view) {
    ++heard;
    return heard > 100;
  });
  CHECK(heard <= 2);
}

}  // namespace
}  // namespace gamehub::admin
