#include "gateways/bots/bots.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::gateways::bots {
namespace {

TEST_CASE("bots engines: refuses games that no call has a form for, with the reason") {
  const auto why_not = [](const engine_traits& engine) {
    return describe().unsupported_reason(engine).value_or("");
  };
  engine_traits board;
  board.id = "tictactoe";
  board.marks = "XO";
  board.rows = board.columns = 3;
  board.actions_max = 9;
  CHECK(why_not(board).empty());
  auto without_cells = board;
  without_cells.marks.clear();
  CHECK(why_not(without_cells) == "has no board of cells");
  auto alone = board;
  alone.players = 1;
  CHECK(why_not(alone) == "is for one player");
  auto hidden = board;
  hidden.perfect_information = false;
  CHECK(why_not(hidden) == "shows a board that is not the whole game");
  // A call of a table has the view of its seat.
  hidden.players = 3;
  CHECK(why_not(hidden).empty());
}

}  // namespace
}  // namespace gamehub::gateways::bots
