#include "gateways/bots/bots.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::gateways::bots {
namespace {

engine_traits board_for_two() {
  engine_traits board;
  board.id = "tictactoe";
  board.marks = "XO";
  board.rows = board.columns = 3;
  board.actions_max = 9;
  return board;
}

TEST_CASE("bots engines: only an engine for one player is refused (H5)") {
  const auto why_not = [](const engine_traits& engine) {
    return describe().unsupported_reason(engine).value_or("");
  };
  const auto board = board_for_two();
  CHECK(why_not(board).empty());
  auto other = board;
  other.marks.clear();
  other.perfect_information = false;
  CHECK(why_not(other).empty());
  auto alone = board;
  alone.players = 1;
  CHECK(why_not(alone).empty());  // further players are an option
  alone.players_max = 1;
  CHECK(why_not(alone) == "is for one player, and a bot plays with others");
}

TEST_CASE("bots engines: calls have a board only of games for two without hidden information") {
  const auto board = board_for_two();
  CHECK(has_board_calls(board));
  auto at_once = board;
  at_once.simultaneous = true;
  CHECK(has_board_calls(at_once));
  auto without_cells = board;
  without_cells.marks.clear();
  auto hidden = board;
  hidden.perfect_information = false;
  auto alone = board;
  alone.players = 1;
  auto three = board;
  three.players = 3;
  for (const auto& other : {without_cells, hidden, alone, three})
    CHECK_FALSE(has_board_calls(other));
}

}  // namespace
}  // namespace gamehub::gateways::bots
