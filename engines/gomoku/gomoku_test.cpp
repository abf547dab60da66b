#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solver.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gamehub::engines::gomoku {
namespace {

std::string sized(int rows, int columns, int in_a_row) {
  return "{\"rows\":" + std::to_string(rows) + ",\"columns\":" + std::to_string(columns) +
         ",\"in_a_row\":" + std::to_string(in_a_row) + "}";
}

host::match start(const std::string& options = "") {
  return std::get<host::match>(tests::built_in("gomoku").create(options));
}

int mover(const host::match& m) { return m.to_move() == only(0) ? 0 : 1; }

std::string refusal(const std::string& options) {
  const auto made = tests::built_in("gomoku").create(options);
  const auto* why = std::get_if<std::string>(&made);
  return why == nullptr ? "" : *why;
}

// Whether X has won a 7 × 9 game of four in a row in which it marked these cells, and O as many
// others, chosen so that O never gets near a line.
bool wins(const std::vector<action>& cells) {
  host::match m = start(sized(7, 9, 4));
  std::vector<action> others{0, 2, 4, 6, 8, 54, 56, 58, 60, 62};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    REQUIRE(m.apply(0, cells[i]) == nullptr);
    if (m.over()) return i + 1 == cells.size();
    const auto free = std::find_if(others.begin(), others.end(), [&](action a) {
      return std::find(cells.begin(), cells.end(), a) == cells.end();
    });
    REQUIRE(m.apply(1, *free) == nullptr);
    others.erase(free);
  }
  return false;
}

TEST_CASE("gomoku: keeps the engine contract") {
  const auto rules = tests::built_in("gomoku");
  tests::check_engine_contract(rules, {.playouts = 2});
  tests::check_engine_contract(rules, {.options_json = sized(3, 3, 3), .playouts = 40});
  tests::check_engine_contract(rules, {.options_json = sized(7, 4, 4), .playouts = 10});
  tests::check_engine_contract(rules, {.options_json = sized(19, 19, 3), .playouts = 10});
}

TEST_CASE("gomoku: is 15 by 15 and five in a row unless it is told otherwise") {
  CHECK(start().cells() == grid{15, 15});
  CHECK(start(R"({"rows":19})").cells() == grid{19, 15});
  CHECK(start(sized(3, 19, 19)).cells() == grid{3, 19});
  CHECK(refusal(R"({"rows":2})") == "bad-option");
  CHECK(refusal(R"({"columns":20})") == "bad-option");
  CHECK(refusal(R"({"side":9})") == "unknown-option");
  CHECK(refusal(sized(4, 5, 6)) == "line-too-long");
  CHECK(refusal(sized(4, 6, 6)).empty());
}

// The numbers of tic-tac-toe, which this is with three, three and three.
int games_of(const host::match& m) {
  if (m.over()) return 1;
  std::vector<action> legal;
  m.legal_actions(mover(m), legal);
  int out = 0;
  for (const auto a : legal) {
    host::match next = m.clone();
    next.apply(mover(m), a);
    out += games_of(next);
  }
  return out;
}

TEST_CASE("gomoku: has as many games on the smallest board as tic-tac-toe") {
  CHECK(games_of(start(sized(3, 3, 3))) == 255168);
}

// As in the table of Uiterwijk and van den Herik, "The advantage of the initiative", Information
// Sciences 2000: three in a row are a draw on 3 by 3, and a win of the first player with one more
// column.
TEST_CASE("gomoku: three in a row are a draw on three by three, and won on a larger board") {
  tests::solver square, wide, tall;
  CHECK(square.value(start(sized(3, 3, 3))) == 0);
  // What is left of the 5,478 positions without the 958 that are over.
  CHECK(square.positions() == 5478 - 958);
  CHECK(wide.value(start(sized(3, 4, 3))) == 1);
  CHECK(tall.value(start(sized(4, 3, 3))) == 1);
}

TEST_CASE("gomoku: sees a line in each direction, wherever it is closed") {
  for (const action step : {1, 9, 10, 8}) {
    const action first = step == 8 ? 12 : 10;
    for (int last = 0; last < 4; ++last) {
      std::vector<action> cells;
      for (int i = 0; i < 4; ++i)
        if (i != last) cells.push_back(first + i * step);
      cells.push_back(first + last * step);
      INFO("step " << step << ", last " << last);
      CHECK(wins(cells));
    }
  }
}

TEST_CASE("gomoku: counts a line that is longer than it must be") {
  CHECK(wins({20, 21, 22, 24, 25, 23}));
}

TEST_CASE("gomoku: sees no line that runs over an edge into the next row") {
  CHECK_FALSE(wins({15, 16, 17, 18}));
  CHECK_FALSE(wins({7, 17, 27, 37}));
}

TEST_CASE("gomoku: plays to the last cell of its largest board") {
  // Pairs of columns alternate, so that no line is longer than two.
  host::match m = start(sized(19, 19, 5));
  std::vector<action> of[2];
  for (action cell = 0; cell < 361; ++cell) of[(cell / 19 + cell % 19 / 2) % 2].push_back(cell);
  if (of[0].size() < of[1].size()) std::swap(of[0], of[1]);
  while (of[0].size() > of[1].size() + 1) {
    of[1].push_back(of[0].back());
    of[0].pop_back();
  }
  for (std::size_t i = 0; i < 361; ++i) {
    REQUIRE_FALSE(m.over());
    REQUIRE(m.apply(static_cast<int>(i % 2), of[i % 2][i / 2]) == nullptr);
  }
  CHECK(m.over());
  double scores[2] = {9, 9};
  m.scores(scores);
  CHECK(scores[0] == 0);
  CHECK(scores[1] == 0);
  CHECK(tests::built_in("gomoku").load(m.save()));
}

TEST_CASE("gomoku: parses a move by row and column of its board") {
  const host::match m = start(sized(4, 6, 4));
  CHECK(m.from_json(0, R"({"row":3,"column":5})").value == 23);
  CHECK(m.from_json(0, R"({"row":4,"column":0})").reason == std::string{"out-of-bounds"});
  CHECK(m.from_json(0, R"({"row":0,"column":6})").reason == std::string{"out-of-bounds"});
  CHECK(m.to_json(23) == R"({"type":"move","row":3,"column":5})");
  host::match other = m.clone();
  CHECK(other.apply(0, 24) == std::string{"out-of-bounds"});
  CHECK(m.at_cell(0, 24).reason == std::string{"out-of-bounds"});
}

// The saved bytes of a small game in which one byte is another.
bool loads_with(std::size_t at, char byte) {
  host::match m = start(sized(5, 5, 4));
  for (const action a : {0, 10, 1, 11, 2, 12, 3}) REQUIRE(m.apply(mover(m), a) == nullptr);
  auto bytes = m.save();
  REQUIRE(at < bytes.size());
  bytes[at] = byte;
  return tests::built_in("gomoku").load(bytes).has_value();
}

TEST_CASE("gomoku: loads no position that breaks the rules") {
  // Sets of 48 bytes each, four of what was played, then rows, columns, line and winner.
  CHECK(loads_with(0, 0b1111));
  CHECK_FALSE(loads_with(0, 0b0111));   // Won without a line.
  CHECK_FALSE(loads_with(0, 0b11111));  // X moved twice.
  CHECK_FALSE(loads_with(47, 1));       // Off the board.
  CHECK_FALSE(loads_with(48, 0b1));     // Two marks in one cell.
  CHECK_FALSE(loads_with(96, 8));       // More were played than there are.
  CHECK_FALSE(loads_with(100, 2));      // Too few rows.
  CHECK_FALSE(loads_with(101, 20));     // Too many columns.
  CHECK_FALSE(loads_with(102, 6));      // A line that does not fit.
  CHECK_FALSE(loads_with(103, 1));      // The other won.
  CHECK_FALSE(loads_with(103, 2));      // No winner, although there is a line.
  CHECK_FALSE(loads_with(103, 3));
}

TEST_CASE("gomoku: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("gomoku"), 1, sized(5, 6, 4));
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/gomoku/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::gomoku
