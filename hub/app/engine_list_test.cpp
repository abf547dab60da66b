#include "hub/app/engine_list.hpp"

#include <array>
#include <optional>

#include "tests/support/catch.hpp"

namespace gamehub::app {
namespace {

const gateways::protocol boards = [] {
  gateways::protocol p;
  p.name = "boards";
  p.unfit = [](const engine_traits& e) -> std::optional<std::string> {
    if (e.has_cells()) return std::nullopt;
    return "has no board";
  };
  return p;
}();
const gateways::protocol anything = [] {
  gateways::protocol p;
  p.name = "anything";
  p.unfit = [](const engine_traits&) { return std::optional<std::string>{}; };
  return p;
}();
constexpr std::array<const gateways::protocol*, 2> protocols{&boards, &anything};

std::string listed() { return engine_list(engines::registry::built_in(), protocols); }

// What stands about an engine.
std::string about(const std::string& id) {
  const auto text = "\n" + listed();
  const auto begin = text.find("\n" + id + " ");
  REQUIRE(begin != text.npos);
  return text.substr(begin + 1, text.find("\n\n", begin) - begin);
}

TEST_CASE("engine_list: says what an engine is, has and fits") {
  const auto text = about("tictactoe");
  INFO(text);
  CHECK(text.starts_with("tictactoe 1.0.0: "));
  CHECK(text.find(", 2 players\n") != text.npos);
  CHECK(text.find("  extensions  cells (3 x 3, marks XO), player") != text.npos);
  CHECK(text.find("  on          boards, anything\n") != text.npos);
  CHECK(text.find("not on") == text.npos);
}

TEST_CASE("engine_list: says why an engine does not fit a wire") {
  const auto text = about("rock-paper-scissors");
  INFO(text);
  CHECK(text.find("  with        moves at the same time") != text.npos);
  CHECK(text.find("  on          anything\n") != text.npos);
  CHECK(text.find("  not on      boards: it has no board\n") != text.npos);
}

TEST_CASE("engine_list: has every engine") {
  const auto registry = engines::registry::built_in();
  for (const auto& e : registry.all()) CHECK_FALSE(about(std::string{e.id()}).empty());
}

}  // namespace
}  // namespace gamehub::app
