#include "tools/bench/board.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::tools::bench {
namespace {

board of(std::string_view cells) {
  board b;
  for (int i = 0; i < 9; ++i) b.mark(i, cells[static_cast<std::size_t>(i)]);
  return b;
}

// Plays one game by the book and returns its end.
ending play_by(move_script& book, int opening, int& length) {
  auto b = board{}.with(opening);
  for (length = 1; ending_of(b) == ending::none; ++length) {
    const auto cell = book.next(b);
    REQUIRE(b.is_free(cell));
    b = b.with(cell);
  }
  return ending_of(b);
}

TEST_CASE("board: knows how a game has ended") {
  CHECK(ending_of(of("XXX-OO---")) == ending::x_won);
  CHECK(ending_of(of("O--XO-X-O")) == ending::o_won);
  CHECK(ending_of(of("XOXXOOOXX")) == ending::draw);
  CHECK(ending_of(of("XOXXOOO-X")) == ending::none);
  CHECK(ending_of(board{}) == ending::none);
}

TEST_CASE("board: follows from another by one move, or by one of each side") {
  CHECK(follows(of("---------"), of("----X----")));
  CHECK(follows(of("----X----"), of("X---X-O--")));
  CHECK_FALSE(follows(of("----X----"), of("----X----")));
  CHECK_FALSE(follows(of("----X----"), of("X--------")));
  CHECK_FALSE(follows(of("----X----"), of("X---X----")));
  CHECK_FALSE(follows(of("---------"), of("----O----")));
  CHECK_FALSE(follows(of("---------"), of("XOX------")));
}

TEST_CASE("scripts: every opening leads to a whole game of 5 to 9 moves, with all ends") {
  move_script book;
  int ends[4] = {};
  for (int game = 0; game < 13; ++game) {
    int length = 0;
    const auto end = play_by(book, game < 8 ? game : move_script::common_opening, length);
    CHECK(length >= 5);
    CHECK(length <= 9);
    ++ends[static_cast<int>(end)];
  }
  CHECK(ends[static_cast<int>(ending::x_won)] > 0);
  CHECK(ends[static_cast<int>(ending::o_won)] > 0);
  CHECK(ends[static_cast<int>(ending::draw)] > 0);
}

TEST_CASE("scripts: a board of no script gets a legal move") {
  move_script book;
  for (const auto* cells : {"XO-------", "XOXOX-O--", "--O-XX--O"}) {
    const auto b = of(cells);
    CHECK(b.is_free(book.next(b)));
  }
}

}  // namespace
}  // namespace gamehub::tools::bench
