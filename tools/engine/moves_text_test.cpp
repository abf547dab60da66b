#include "tools/engine/moves_text.hpp"

#include "engines/contract/move_examples.hpp"
#include "engines/host/registry.hpp"
#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace gamehub::tools::engine {
namespace {

std::string section(std::string_view id, const moves_request& with = {}) {
  return moves_section(*engines::host::registry::built_in().find(id), with);
}

TEST_CASE("moves: engines/MOVES.md is up to date") {
  std::ifstream in{GAMEHUB_ENGINES_DIR "/MOVES.md", std::ios::binary};
  const std::string kept{std::istreambuf_iterator<char>{in}, {}};
  INFO("write it by: build/gamehub-tools engine moves > engines/MOVES.md");
  CHECK(kept == moves_page({}));
}

TEST_CASE("moves: a section has the views and the moves of each player and of chance") {
  const auto text = section("kuhn-poker");
  CHECK(text.starts_with("## Kuhn Poker\n\n`kuhn-poker` 1.0.0\n\nChance draws; spectators see:\n"));
  CHECK(text.find("\nX is to move and sees:\n\n```json\n{\"cards\":[\"") != std::string::npos);
  CHECK(text.find("\n| `bet` | `{\"type\":\"move\",\"action\":\"bet\"}` | |\n") !=
        std::string::npos);
  CHECK(section("tictactoe").find("\n6 of 9 moves:\n") != std::string::npos);
  CHECK(section("tictactoe").find("` | 4 |\n") != std::string::npos);
}

TEST_CASE("moves: as JSON there are the examples that a hub has") {
  const auto built_in = engines::host::registry::built_in();
  const auto rules = *built_in.find("tictactoe");
  const auto one = nlohmann::json::parse(moves_json(rules, {}));
  CHECK(one["engine"] == "tictactoe");
  CHECK(one["title"] == "Tic-Tac-Toe");
  CHECK(one["examples"].dump() ==
        nlohmann::json::parse(
            engines::contract::examples_json(engines::contract::move_examples(rules, 1)))
            .dump());
  CHECK(one["examples"][0]["moves"][0]["json"]["type"] == "move");
  const auto all = nlohmann::json::parse(all_moves_json({}));
  CHECK(all["engines"].size() == built_in.all().size());
  CHECK(all["engines"].back() == one);
  moves_request with;
  with.options = R"({"heaps":9})";
  CHECK_THROWS_AS(moves_json(*built_in.find("nim"), with), base::usage_error);
}

TEST_CASE("moves: options and players are those of the request") {
  moves_request with;
  with.options = R"({"heaps":2})";
  CHECK(section("nim", with).find("`nim` 1.0.0, options `{\"heaps\":2}`\n") != std::string::npos);
  with.options = R"({"heaps":9})";
  CHECK_THROWS_AS(section("nim", with), base::usage_error);
  with = {};
  with.players = 4;
  CHECK(section("dots-and-boxes", with).find("\n4 is to move") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tools::engine
