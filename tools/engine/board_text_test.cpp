#include "tools/engine/board_text.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tools/engine/play_text.hpp"

#include <string>
#include <variant>

namespace gamehub::tools::engine {
namespace {

using engines::host::match;

engines::host::engine drawn_rules(std::string_view id) {
  return *engines::host::registry::built_in().find(id);
}

TEST_CASE("board text: hexagons are a rhombus") {
  const auto rules = drawn_rules("hex");
  auto m = std::get<match>(rules.create(R"({"side":4})"));
  REQUIRE(m.apply(0, 5) == nullptr);
  CHECK(position_text(rules, m, 0)
            .starts_with("      0   1   2   3\n"
                         " 0    -   -   -   -\n"
                         " 4      -   X   -   -\n"
                         " 8        -   -   -   -\n"
                         "12          -   -   -   -\n"));
}

TEST_CASE("board text: the points of Backgammon are those of the viewer") {
  const auto rules = drawn_rules("backgammon");
  const auto m = std::get<match>(rules.create({}));
  const std::string first =
      " 13 14 15 16 17 18 |bar| 19 20 21 22 23 24 | off\n"
      "  X  .  .  .  O  . |   |  O  .  .  .  .  X | 0 O\n"
      "  X  .  .  .  O  . |   |  O  .  .  .  .  X |\n"
      "  X  .  .  .  O  . |   |  O  .  .  .  .  . |\n"
      "  X  .  .  .  .  . |   |  O  .  .  .  .  . |\n"
      "  X  .  .  .  .  . |   |  O  .  .  .  .  . |\n"
      "                   |   |\n"
      "  O  .  .  .  .  . |   |  X  .  .  .  .  . |\n"
      "  O  .  .  .  .  . |   |  X  .  .  .  .  . |\n"
      "  O  .  .  .  X  . |   |  X  .  .  .  .  . |\n"
      "  O  .  .  .  X  . |   |  X  .  .  .  .  O |\n"
      "  O  .  .  .  X  . |   |  X  .  .  .  .  O | 0 X\n"
      " 12 11 10  9  8  7 |bar|  6  5  4  3  2  1 | off\n";
  CHECK(position_text(rules, m, 0).starts_with(first));
  CHECK(position_text(rules, m, engines::spectator).starts_with(first));
  CHECK(position_text(rules, m, 1)
            .starts_with(" 13 14 15 16 17 18 |bar| 19 20 21 22 23 24 | off\n  O  .  .  .  X  . |"));
  CHECK(labels{rules}.seat(1) == "player 2 (O, Second)");
}

TEST_CASE("board text: more checkers than a column has are a number, on the bar and off, too") {
  const auto text =
      points_text(R"({"checkers":[{"6":12,"bar":1,"off":2},{"1":7,"bar":6,"off":15}]})", 0);
  CHECK(text.find("  .  .  .  .  .  . | 6 |  .  .  .  .  .  7 |\n") != text.npos);
  CHECK(text.find("  .  .  .  .  .  . | O |  .  .  .  .  .  O | 15 O\n") != text.npos);
  CHECK(text.find("  .  .  .  .  .  . |   | 12  .  .  .  .  . |\n") != text.npos);
  CHECK(text.find("  .  .  .  .  .  . | X |  X  .  .  .  .  . | 2 X\n") != text.npos);
}

TEST_CASE("board text: a view of another form is not drawn") {
  for (const auto* view :
       {"", "[]", "{}", R"({"checkers":1})", R"({"checkers":[{}]})", R"({"checkers":[{},1]})",
        R"({"checkers":[{},{"3":-1}]})", R"({"checkers":[{},{"3":100}]})",
        R"({"checkers":[{},{"3":"x"}]})", R"({"checkers":[{},{},{}]})"})
    CHECK(points_text(view, 0).empty());
  CHECK_FALSE(points_text(R"({"checkers":[{},{"25":4}]})", 0).empty());
}

}  // namespace
}  // namespace gamehub::tools::engine
