#include "actors/table/engine_directory.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <string>

namespace gamehub::actors::table {
namespace {

using tests::tictactoe_of_version;

engine_traits named(std::string id) {
  engine_traits t;
  t.id = std::move(id);
  return t;
}

// Nim, and TicTacToe in versions that came in no order.
engine_directory mixed() {
  engine_directory c;
  c.add(tests::spoiled_engine("nim", "nim", [](auto&) {}), named("nim"));
  for (const std::uint32_t minor : {9U, 10U, 2U})
    c.add(tests::tictactoe_of_version(1, minor), named("tictactoe"));
  return c;
}

TEST_CASE("engine_directory: finds the newest version of an id, and each by its number") {
  const auto c = mixed();
  CHECK(c.find_engine("tictactoe") == 2);
  CHECK(c.find_engine("tictactoe", "1.9.0") == 1);
  CHECK(c.find_engine("tictactoe", "1.2.0") == 3);
  CHECK_FALSE(c.find_engine("tictactoe", "1.3.0"));
  CHECK_FALSE(c.find_engine("chess"));
}

TEST_CASE("engine_directory: counts all versions of an id as one kind") {
  const auto c = mixed();
  CHECK(c.kinds() == 2);
  CHECK(c.engines[0].kind == 0);
  for (const auto i : {1U, 2U, 3U}) CHECK(c.engines[i].kind == 1);
  CHECK(c.newest(1) == 2);
  CHECK(engine_directory{}.kinds() == 0);
}

TEST_CASE("engine_directory: keeps the numbers of engines when others come, up to its bound") {
  auto c = mixed();
  const auto* nim = &c.engines[0];
  for (auto i = c.engines.size(); i < limits::engines_max; ++i)
    REQUIRE(
        c.add(tests::tictactoe_of_version(2, static_cast<std::uint32_t>(i)), named("tictactoe")));
  CHECK_FALSE(c.add(tests::tictactoe_of_version(3, 0), named("tictactoe")));
  CHECK(&c.engines[0] == nim);
  CHECK(c.find_engine("tictactoe", "1.9.0") == 1);
}

TEST_CASE("engine_directory: a protocol without a rule supports every engine") {
  wire_entry wire{"any", view_form::document, {}, nullptr};
  CHECK_FALSE(wire.why_not(named("chess")));
  wire.unsupported_reason = [](const engine_traits& e) { return std::optional{"is " + e.id}; };
  CHECK(wire.why_not(named("chess")) == "is chess");
}

engine_entry built_in(const char* id) {
  const auto rules = *engines::host::registry::built_in().find(id);
  auto traits = named(id);
  traits.rows = traits.columns = 15;
  traits.marks = "XO";
  return {rules, traits, 0};
}

TEST_CASE("engine_directory: knows what an engine's games are like with certain options") {
  const auto gomoku = built_in("gomoku");
  const auto with = [&](std::string_view options) {
    return std::get<engine_traits>(traits_for_options(gomoku, options));
  };
  CHECK(with("").options.empty());
  CHECK(with("").cells() == 225);
  CHECK(with(R"( { "columns" : 7 , "in_a_row" : 5 , "rows":7 } )").options ==
        R"({"rows":7,"columns":7})");
  CHECK(with(R"({"rows":7,"columns":8})").cells() == 56);
  CHECK(with(R"({"rows":19,"columns":19})").cells() == 361);
  CHECK(with(R"({"rows":5,"columns":5})").start == std::string(25, '-'));
  // Defaults that are spelled out are the defaults.
  CHECK(with(R"({"rows":15})").options.empty());
}

TEST_CASE("engine_directory: says which option there is no game with") {
  const auto gomoku = built_in("gomoku");
  const auto why = [&](std::string_view options) {
    return std::get<std::string>(traits_for_options(gomoku, options));
  };
  CHECK(why(R"({"rows":99})") == "option \"rows\" must be an integer from 3 to 19, not 99");
  CHECK(why(R"({"size":9})").starts_with("there is no option \"size\""));
  CHECK(why("[]") == "the options are no JSON object");
  CHECK(why(R"({"rows":3,"columns":3,"in_a_row":4})") ==
        "the options do not go together: line-too-long");
  CHECK(std::get<std::string>(traits_for_options(built_in("tictactoe"), R"({"rows":4})")) ==
        "there is no option \"rows\": this game has none");
}

}  // namespace
}  // namespace gamehub::actors::table
