#include "hub/server/engine_list.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gamehub::server {
namespace {

const gateways::protocol_info boards = [] {
  gateways::protocol_info p;
  p.name = "boards";
  p.unsupported_reason = [](const engine_traits& e) -> std::optional<std::string> {
    if (e.has_cells()) return std::nullopt;
    return "has no board";
  };
  return p;
}();
const gateways::protocol_info anything = [] {
  gateways::protocol_info p;
  p.name = "anything";
  p.unsupported_reason = [](const engine_traits&) { return std::optional<std::string>{}; };
  return p;
}();
constexpr std::array<const gateways::protocol_info*, 2> protocols{&boards, &anything};

std::string listed(std::span<const plugins::plugin> files = {}) {
  return engine_list(engines::host::registry::built_in(), files, protocols);
}

// What stands about an engine.
std::string about(const std::string& id) {
  const auto text = "\n" + listed();
  const auto begin = text.find("\n" + id + " ");
  REQUIRE(begin != text.npos);
  return text.substr(begin + 1, text.find("\n\n", begin) - begin);
}

TEST_CASE("engine_list: lists traits, extensions and wires of an engine") {
  const auto text = about("tictactoe");
  INFO(text);
  CHECK(text.starts_with("tictactoe 1.0.0: "));
  CHECK(text.find(", 2 players\n") != text.npos);
  CHECK(text.find("  extensions  cells (3 x 3, marks XO), player") != text.npos);
  CHECK(text.find("  on          boards, anything\n") != text.npos);
  CHECK(text.find("not on") == text.npos);
}

TEST_CASE("engine_list: gives the reason why a wire does not support an engine") {
  const auto text = about("rock-paper-scissors");
  INFO(text);
  CHECK(text.find("  with        moves at the same time") != text.npos);
  CHECK(text.find("  on          anything\n") != text.npos);
  CHECK(text.find("  not on      boards: it has no board\n") != text.npos);
}

// Nim as if it had come from a file, and a file that was refused.
std::vector<plugins::plugin> two_files() {
  return {{"/plugins/nim.so", engines::host::registry::built_in().find("nim"), {}},
          {"/plugins/odd\n.so", {}, "it is no engine"}};
}

TEST_CASE("engine_list: names the file of an engine, and the refused files") {
  const auto text = listed(two_files());
  INFO(text);
  CHECK(text.find("  plugin      /plugins/nim.so\n") != text.npos);
  CHECK(text.ends_with("\nrefused: /plugins/odd?.so: it is no engine\n"));
}

TEST_CASE("engine_list: has the same data as JSON") {
  const auto text = engine_json(engines::host::registry::built_in(), two_files(), protocols);
  const auto told = nlohmann::json::parse(text);
  CHECK(text.find('\n') == text.size() - 1);
  const auto with_id = [&](const char* id) {
    for (const auto& e : told.at("engines"))
      if (e.at("id") == id) return e;
    return nlohmann::json{};
  };
  const auto tictactoe = with_id("tictactoe");
  CHECK(tictactoe.at("version") == "1.0.0");
  CHECK(tictactoe.at("players") == nlohmann::json{{"least", 2}, {"most", 2}});
  CHECK(tictactoe.at("extensions").at("cells") ==
        nlohmann::json{{"rows", 3}, {"columns", 3}, {"marks", "XO"}});
  CHECK(tictactoe.at("extensions").at("player").at("immediate") == true);
  CHECK(tictactoe.at("on") == nlohmann::json{"boards", "anything"});
  CHECK(tictactoe.at("plugin").is_null());
  const auto nim = with_id("nim");
  CHECK(nim.at("plugin") == "/plugins/nim.so");
  CHECK(nim.at("not_on") == nlohmann::json{{"boards", "it has no board"}});
  CHECK(with_id("rock-paper-scissors").at("with") ==
        nlohmann::json{"moves at the same time", "hidden information"});
  CHECK(told.at("refused") ==
        nlohmann::json::array({{{"file", "/plugins/odd\n.so"}, {"why", "it is no engine"}}}));
}

TEST_CASE("engine_list: an engine that throws is listed as refused") {
  auto registry = engines::host::registry::built_in();
  const auto throws = tests::spoiled_engine("tictactoe", "throws", [](gamehub_engine_abi& abi) {
    abi.create = [](const char*, std::size_t, std::int32_t, gamehub_reason*) -> gamehub_match* {
      throw std::runtime_error{"a test"};
    };
  });
  registry.add(throws);
  for (const bool from_file : {true, false}) {
    std::vector<plugins::plugin> files;
    if (from_file) files.push_back({"/plugins/throws.so", throws, {}});
    const std::string file = from_file ? "/plugins/throws.so" : "throws";
    CHECK(engine_list(registry, files, protocols).ends_with("\nrefused: " + file + ": a test\n"));
    const auto told = nlohmann::json::parse(engine_json(registry, files, protocols));
    CHECK(told["refused"] == nlohmann::json::array({{{"file", file}, {"why", "a test"}}}));
    CHECK(told["engines"].size() == registry.all().size() - 1);
  }
}

TEST_CASE("engine_list: has every engine") {
  const auto registry = engines::host::registry::built_in();
  for (const auto& e : registry.all()) CHECK_FALSE(about(std::string{e.id()}).empty());
}

}  // namespace
}  // namespace gamehub::server
