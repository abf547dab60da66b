#include "hub/plugins/engine_traits.hpp"

#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::plugins {
namespace {

engine_traits traits(const char* id) {
  return traits_of(engines::host::registry::built_in().find(id).value());
}

TEST_CASE("traits: of an engine with cells have its board and its marks") {
  const auto t = traits("tictactoe");
  CHECK(t.id == "tictactoe");
  CHECK_FALSE(t.title.empty());
  CHECK(t.has_cells());
  CHECK(t.marks == "XO");
  CHECK(t.rows == 3);
  CHECK(t.columns == 3);
  CHECK(t.players == 2);
  CHECK(t.players_max == 2);
  CHECK(t.start == "---------");
  CHECK(t.actions_max == 9);
  CHECK(t.perfect_information);
  CHECK_FALSE(t.simultaneous);
}

TEST_CASE("traits: tell that a board is wider than its moves") {
  const auto t = traits("connect-four");
  CHECK(t.cells() == 42);
  CHECK(t.actions_max == 7);
}

TEST_CASE("traits: tell what is on the board of a new game, and how many may play") {
  CHECK(traits("othello").start == std::string(27, '-') + "OX------XO" + std::string(27, '-'));
  CHECK(traits("nim").start.empty());
  CHECK(traits("oh-hell").players == 3);
  CHECK(traits("oh-hell").players_max == 5);
}

TEST_CASE("traits: of an engine without cells have no marks") {
  const auto t = traits("rock-paper-scissors");
  CHECK_FALSE(t.has_cells());
  CHECK(t.simultaneous);
  CHECK_FALSE(traits("kuhn-poker").perfect_information);
}

}  // namespace
}  // namespace gamehub::plugins
