// TicTacToe for the load: the rules, to check the hub's messages, and short legal games to play.
// Plain values, any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace gamehub::tools::bench {

// Nine cells, row by row, as one mask of bits for X and one for O.
struct board {
  std::uint16_t x = 0, o = 0;

  friend bool operator==(const board&, const board&) = default;

  constexpr unsigned used() const { return static_cast<unsigned>(x) | o; }
  constexpr int moves() const { return std::popcount(used()); }
  constexpr bool is_free(int cell) const {
    return cell >= 0 && cell < 9 && ((used() >> cell) & 1) == 0;
  }
  // X begins, so the number of marks decides the turn.
  constexpr bool x_to_move() const { return moves() % 2 == 0; }
  constexpr board with(int cell) const {
    const auto bit = static_cast<std::uint16_t>(1U << cell);
    auto b = *this;
    auto& mine = x_to_move() ? b.x : b.o;
    mine = static_cast<std::uint16_t>(mine | bit);
    return b;
  }
  constexpr void mark(int cell, char glyph) {
    const auto bit = static_cast<std::uint16_t>(1U << cell);
    if (glyph == 'X') x = static_cast<std::uint16_t>(x | bit);
    if (glyph == 'O') o = static_cast<std::uint16_t>(o | bit);
  }
};

enum class ending : std::uint8_t { none, x_won, o_won, draw };

constexpr bool has_line(std::uint16_t marks) {
  for (const unsigned line : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U})
    if ((marks & line) == line) return true;
  return false;
}

constexpr ending ending_of(board b) {
  if (has_line(b.x)) return ending::x_won;
  if (has_line(b.o)) return ending::o_won;
  return b.used() == 0777 ? ending::draw : ending::none;
}

// True if one move, or one move of each side, leads from one board to the other.
bool follows(board before, board after);

// Games of 5 to 9 moves: won by X, won by O and drawn. Each of the cells 0 to 7 opens only one
// game, so a board with one mark there identifies its game while no other one is opened with that
// cell. Cell 8 opens many games.
class move_script {
 public:
  static constexpr int common_opening = 8;

  move_script();

  // A legal move, from a script if the board belongs to one. Requires: no side has won, a cell is
  // free, and it is not the first move.
  int next(board);

 private:
  static constexpr std::size_t index_of(board b) {
    return static_cast<std::size_t>(b.x) | static_cast<std::size_t>(b.o) << 9;
  }

  std::vector<std::int8_t> next_by_board_;
  std::vector<std::int8_t> common_replies_;
  std::size_t replies_given_ = 0;
};

}  // namespace gamehub::tools::bench
