#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/played_match.hpp"
#include "tests/support/solver.hpp"

#include <array>
#include <string>
#include <vector>

namespace gamehub::engines::hex {
namespace {

using tests::board;
using tests::mover;
using tests::view;

std::string sized(int side, bool swap) {
  return "{\"side\":" + std::to_string(side) + ",\"swap\":" + (swap ? "true" : "false") + "}";
}

host::match start(const std::string& options = "") {
  return std::get<host::match>(tests::built_in("hex").create(options));
}

host::match after(host::match m, const std::vector<action>& cells) {
  for (const auto cell : cells) {
    INFO(cell);
    REQUIRE(m.apply(mover(m), cell) == nullptr);
  }
  return m;
}

TEST_CASE("hex: keeps the engine contract") {
  const auto rules = tests::built_in("hex");
  tests::check_engine_contract(rules, {.playouts = 2});
  tests::check_engine_contract(rules, {.options_json = sized(3, true), .playouts = 60});
  tests::check_engine_contract(rules, {.options_json = sized(5, false), .playouts = 20});
  tests::check_engine_contract(rules, {.options_json = sized(19, true), .playouts = 1});
}

TEST_CASE("hex: is 11 by 11 with the swap rule unless it is told otherwise") {
  CHECK(start().cells() == grid{11, 11});
  CHECK(start(sized(19, false)).cells() == grid{19, 19});
  for (const char* wrong : {R"({"side":2})", R"({"side":20})", R"({"swap":1})"})
    CHECK(std::get<std::string>(tests::built_in("hex").create(wrong)) == "bad-option");
  CHECK(view(start(sized(3, true))) ==
        R"({"board":[[null,null,null],[null,null,null],[null,null,null]],)"
        R"("turn":"X","may_swap":false,"swapped":false,"winner":null})");
}

TEST_CASE("hex: has as many games of each length as cells are free, and one more by a swap") {
  const auto rules = tests::built_in("hex");
  using numbers = std::vector<std::uint64_t>;
  CHECK(tests::games_of_each_length(rules, 3, {sized(11, false), 0}) ==
        numbers{1, 121, 121 * 120, 121 * 120 * 119});
  CHECK(tests::games_of_each_length(rules, 3, {sized(11, true), 0}) ==
        numbers{1, 121, 121 * 121, 121 * (120 * 119 + 120)});
}

// John Nash: the first player has a win on every board, because an extra stone never hurts. With
// the swap rule the second player takes over a stone that wins, so it is the other way round.
TEST_CASE("hex: the first player wins on a small board, and with the swap rule the second one") {
  tests::solver without, with;
  CHECK(without.value(start(sized(3, false))) == 1);
  CHECK(with.value(start(sized(3, true))) == -1);
}

TEST_CASE("hex: a swap takes the first stone over to the mirrored cell, once") {
  const auto first = after(start(sized(3, true)), {1});
  CHECK(view(first).find(R"("turn":"O","may_swap":true,"swapped":false)") != std::string::npos);
  std::string summary;
  first.summary(summary);
  CHECK(summary == "Blue may take over the first stone.");
  auto swapped = after(first.clone(), {1});
  CHECK(board(swapped) == "---O-----");
  CHECK(swapped.to_move() == only(0));
  CHECK(view(swapped).find(R"("turn":"X","may_swap":false,"swapped":true)") != std::string::npos);
  CHECK(swapped.apply(0, 3) == std::string{"space-not-empty"});
  CHECK(swapped.apply(0, 1) == nullptr);
  CHECK(swapped.apply(1, 1) == std::string{"space-not-empty"});
  auto other = after(first.clone(), {2, 0});
  CHECK(other.apply(1, 0) == std::string{"space-not-empty"});
  CHECK(after(start(sized(3, false)), {1}).apply(1, 1) == std::string{"space-not-empty"});
}

TEST_CASE("hex: a chain bends as hexagons touch") {
  // Down and to the left is a neighbour, down and to the right is not.
  const auto won = after(start(sized(3, false)), {2, 0, 4, 1, 6});
  CHECK(won.over());
  CHECK(view(won).ends_with(R"("turn":null,"may_swap":false,"swapped":false,"winner":"X"})"));
  CHECK_FALSE(after(start(sized(3, false)), {0, 2, 4, 6, 8}).over());
  const auto lost = after(start(sized(3, false)), {0, 6, 1, 4, 8, 2});
  CHECK(lost.over());
  double scores[2];
  lost.scores(scores);
  CHECK(scores[0] == -1);
  CHECK(scores[1] == 1);
}

// Joins cells that touch, to compare with the search of the engine.
class joined_cells {
 public:
  explicit joined_cells(std::size_t count) : of_(count) {
    for (std::size_t i = 0; i < count; ++i) of_[i] = i;
  }
  std::size_t root(std::size_t at) const {
    while (of_[at] != at) at = of_[at];
    return at;
  }
  void join(std::size_t a, std::size_t b) { of_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> of_;
};

bool connects(const std::string& cells, std::size_t side, char own) {
  const auto before = side * side, behind = before + 1;
  joined_cells all{side * side + 2};
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column < side; ++column) {
      const auto at = row * side + column;
      if (cells[at] != own) continue;
      const auto line = own == 'X' ? row : column;
      if (line == 0) all.join(at, before);
      if (line == side - 1) all.join(at, behind);
      if (column + 1 < side && cells[at + 1] == own) all.join(at, at + 1);
      if (row + 1 < side && cells[at + side] == own) all.join(at, at + side);
      if (row + 1 < side && column > 0 && cells[at + side - 1] == own) all.join(at, at + side - 1);
    }
  return all.root(before) == all.root(behind);
}

TEST_CASE("hex: ends with the first chain from edge to edge, and always with one") {
  rng d{tests::seed_of_this_run()};
  INFO("GAMEHUB_SEED=" << tests::seed_of_this_run());
  for (int game = 0; game < 100; ++game) {
    const auto side = 3 + d.below(7);
    auto m = start(sized(static_cast<int>(side), d.below(2) == 0));
    std::vector<action> legal;
    while (!m.over()) {
      REQUIRE_FALSE(connects(board(m), side, 'X'));
      REQUIRE_FALSE(connects(board(m), side, 'O'));
      m.legal_actions(mover(m), legal);
      REQUIRE(m.apply(mover(m), d.one_of(legal)) == nullptr);
    }
    double scores[2];
    m.scores(scores);
    CHECK(scores[0] == (connects(board(m), side, 'X') ? 1 : -1));
    CHECK(scores[1] == (connects(board(m), side, 'O') ? 1 : -1));
  }
}

// The saved bytes of a small game in which one byte is another.
bool loads_with(const std::vector<action>& cells, std::size_t at, char byte) {
  auto bytes = after(start(sized(5, true)), cells).save();
  REQUIRE(at < bytes.size());
  bytes[at] = byte;
  return tests::built_in("hex").load(bytes).has_value();
}

TEST_CASE("hex: loads no position that breaks the rules") {
  // Sets of 48 bytes each, side, swap, swapped, the seat to move, the winner.
  const std::vector<action> moves{0, 1, 2};
  CHECK(loads_with(moves, 0, 0b101));
  CHECK_FALSE(loads_with(moves, 0, 0b111));  // Two marks in one cell.
  CHECK_FALSE(loads_with(moves, 0, 0b1));    // X has moved too rarely.
  CHECK_FALSE(loads_with(moves, 47, 1));     // Off the board.
  CHECK_FALSE(loads_with(moves, 96, 2));     // A side that is too short.
  CHECK_FALSE(loads_with(moves, 97, 1));     // One that is too long.
  CHECK_FALSE(loads_with(moves, 98, 2));
  CHECK_FALSE(loads_with(moves, 99, 1));   // Swapped, and X has more marks.
  CHECK_FALSE(loads_with(moves, 100, 0));  // The other is to move.
  CHECK_FALSE(loads_with(moves, 102, 0));  // Won without a chain.
  CHECK_FALSE(loads_with(moves, 102, 3));
  const std::vector<action> win{2, 0, 7, 1, 12, 3, 17, 4, 22};
  CHECK(loads_with(win, 102, 0));
  CHECK_FALSE(loads_with(win, 102, 2));  // No winner, although there is a chain.
  CHECK_FALSE(loads_with(win, 102, 1));
}

TEST_CASE("hex: plays the game that is kept beside it") {
  const auto now = tests::playthrough(tests::built_in("hex"), 1, sized(5, true));
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/hex/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::hex
