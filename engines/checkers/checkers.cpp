// Checkers, or English draughts: a player who can capture must. The example of a turn of several
// actions: the first one chooses a piece by its cell, each further one is a cell that it moves to.
// So the protocols that support only cells can play it.
#include "engines/grid_game.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace gamehub::engines::checkers {

namespace {

constexpr int side = 8;
constexpr int cells = side * side;

// Only the dark squares are used. They are numbered row by row from the top left.
constexpr int squares = cells / 2;
constexpr int none = squares;

constexpr int cell_of_square(int square) {
  const int row = square / 4;
  return row * side + square % 4 * 2 + (row % 2 == 0 ? 1 : 0);
}
constexpr int square_of_cell(std::int64_t cell) {
  const auto row = static_cast<int>(cell / side);
  const auto column = static_cast<int>(cell % side);
  return row % 2 != column % 2 ? row * 4 + column / 2 : none;
}

// Directions 0 and 1 go up, as the men of X do, 2 and 3 go down.
constexpr int directions = 4;

// The square beside each square in each direction, or `none`.
constexpr auto beside = [] {
  constexpr int steps[directions][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  std::array<std::array<int, directions>, squares + 1> out{};
  for (int square = 0; square <= squares; ++square)
    for (std::size_t d = 0; d < directions; ++d) {
      const int row = cell_of_square(square) / side + steps[d][0];
      const int column = cell_of_square(square) % side + steps[d][1];
      const bool is_inside =
          square != none && row >= 0 && row < side && column >= 0 && column < side;
      out[static_cast<std::size_t>(square)][d] =
          is_inside ? square_of_cell(row * side + column) : none;
    }
  return out;
}();

constexpr int step(int square, int direction) {
  return beside[static_cast<std::size_t>(square)][static_cast<std::size_t>(direction)];
}

// A set of squares is 32 bits.
constexpr std::uint32_t bit(int square) {
  return square == none ? 0 : std::uint32_t{1} << static_cast<unsigned>(square);
}
constexpr std::uint32_t top_row = 0xf;
constexpr std::uint32_t bottom_row = 0xf0000000;
constexpr int men = 12;

// The game is a draw after 40 moves of each player without a capture and without a move of a man.
constexpr int quiet_turns_max = 80;

// Of all other turns there are at most one for each row that a man can advance and for each piece
// that can be captured.
constexpr int advances_max = 2 * men * (side - 1);
constexpr int captures_max = 2 * men;
constexpr int turns_max = (advances_max + captures_max + 1) * quiet_turns_max;

}  // namespace

class game : public grid_game<game> {
 public:
  static constexpr description about{.id = "checkers",
                                     .title = "Checkers",
                                     .actions_max = men,
                                     .plies_max = 2 * turns_max + captures_max,
                                     .actions_end = cells};
  static constexpr face_description face{
      .blurb = "Jump what you can. You must.",
      .rules =
          {"The pieces move diagonally on the dark cells. A man moves one cell forward, a king one "
           "cell in any direction. Black begins. Choose a piece, then the cell it moves to.",
           "A piece jumps over a piece of the other player onto the free cell behind it and "
           "captures it. A player who can jump must jump, and goes on jumping with the same piece "
           "as long as it can; which jump is the player's choice.",
           "A man that reaches the last row becomes a king, and the turn ends.",
           "A player who cannot move has lost. The game is a draw after 40 moves of each player "
           "without a capture and without a move of a man."},
      .board = "squares",
      .pieces = {"black-stone", "white-stone", "black-king", "white-king"},
      .marks = {"Black", "White", "Black king", "White king"},
      .score_label = "pieces",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<rect x="3" y="3" width="18" height="18" rx="2"/><path d="M12 3v18M3 12h18"/>)"
              R"(<circle cx="16.5" cy="7.5" r="3"/><circle cx="16.5" cy="7.5" r="1"/>)"
              R"(<circle cx="7.5" cy="16.5" r="3" fill="currentColor"/>)"
              R"(</svg>)"};

  seats to_move() const noexcept { return result_ == no_seat ? only(mover_) : 0; }

  void legal_actions(int, action_list& out) const {
    const auto choices = from_ == none ? movable(mover_) : targets(mover_, from_, must_jump());
    for (auto left = choices; left != 0; left &= left - 1)
      out.add(cell_of_square(std::countr_zero(left)));
  }

  reason apply(int seat, action cell) noexcept {
    if (cell < 0 || cell >= cells) return reasons::out_of_bounds;
    const int square = square_of_cell(cell);
    if (from_ == none) {
      if ((pieces(seat) & bit(square)) == 0) return "not-your-piece";
      if ((movable(seat) & bit(square)) == 0) {
        const bool is_free = targets(seat, square, false) != 0;
        return is_free ? "must-capture" : "piece-can-not-move";
      }
      from_ = static_cast<std::uint8_t>(square);
      return nullptr;
    }
    if ((targets(seat, from_, must_jump()) & bit(square)) == 0) {
      if ((taken() & bit(square)) != 0) return reasons::space_not_empty;
      return must_jump() ? "must-capture" : "out-of-reach";
    }
    move(seat, square);
    return nullptr;
  }

  // The pieces on the board.
  void score(std::span<double> out) const {
    out[0] = std::popcount(pieces_[0]);
    out[1] = std::popcount(pieces_[1]);
  }

  // What the board does not show: the player to move, the chosen piece, and the turns since the
  // last capture or move of a man.
  void details(writer& out) const {
    out << R"(,"turn":)";
    write_mark(result_ == no_seat ? mark_of(mover_) : GAMEHUB_BLANK, out);
    out << R"(,"chosen":)";
    if (from_ == none)
      out << "null";
    else
      out << cell_of_square(from_);
    out << R"(,"quiet":)" << quiet_;
  }

  bool valid() const {
    const bool fits = (pieces_[0] & pieces_[1]) == 0 && (kings_ & ~taken()) == 0 &&
                      (pieces_[0] & ~kings_ & top_row) == 0 &&
                      (pieces_[1] & ~kings_ & bottom_row) == 0 &&
                      std::popcount(pieces_[0]) <= men && std::popcount(pieces_[1]) <= men;
    if (!fits || mover_ > 1 || from_ > none || jumping_ > 1 || quiet_ > quiet_turns_max ||
        result_ != expected_result())
      return false;
    if (from_ == none) return jumping_ == 0;
    if (result_ != no_seat || (movable(mover_) & bit(from_)) == 0) return false;
    return jumping_ == 0 || (quiet_ == 0 && targets(mover_, from_, true) != 0);
  }

  grid board() const { return {side, side}; }

  int at(int cell) const noexcept {
    const auto place = bit(square_of_cell(cell));
    return (pieces_[0] & place) != 0 ? 0 : (pieces_[1] & place) != 0 ? 1 : no_seat;
  }

  // A king has the mark of its player as a small letter.
  char glyph(int, int cell) const {
    const char mark = mark_of(at(cell));
    const bool is_king = (kings_ & bit(square_of_cell(cell))) != 0;
    return is_king ? static_cast<char>(mark - 'A' + 'a') : mark;
  }

  int winner() const { return result_ == draw ? no_seat : static_cast<int>(result_); }

 private:
  static constexpr std::uint32_t draw = 3;

  std::uint32_t pieces(int seat) const { return pieces_[static_cast<std::size_t>(seat)]; }
  std::uint32_t taken() const { return pieces_[0] | pieces_[1]; }
  bool is_king(int square) const { return (kings_ & bit(square)) != 0; }
  bool must_jump() const { return jumping_ != 0 || can_jump(mover_); }

  // Returns the squares that a piece of the seat can step or jump to.
  std::uint32_t targets(int seat, int square, bool jumps) const {
    const int first = is_king(square) || seat == 0 ? 0 : 2;
    const int end = is_king(square) || seat == 1 ? directions : 2;
    std::uint32_t out = 0;
    for (int d = first; d < end; ++d) {
      const int next = step(square, d);
      if (!jumps)
        out |= bit(next);
      else if ((pieces(1 - seat) & bit(next)) != 0)
        out |= bit(step(next, d));
    }
    return out & ~taken();
  }

  std::uint32_t with_targets(int seat, bool jumps) const {
    std::uint32_t out = 0;
    for (auto left = pieces(seat); left != 0; left &= left - 1) {
      const int square = std::countr_zero(left);
      if (targets(seat, square, jumps) != 0) out |= bit(square);
    }
    return out;
  }

  bool can_jump(int seat) const { return with_targets(seat, true) != 0; }

  // Returns the pieces that may be chosen.
  std::uint32_t movable(int seat) const {
    const auto jumping = with_targets(seat, true);
    return jumping != 0 ? jumping : with_targets(seat, false);
  }

  // Requires: the chosen piece can move to the square.
  void move(int seat, int square) {
    const int from = from_;
    const bool was_king = is_king(from);
    const bool jumps = must_jump();
    auto& own = pieces_[static_cast<std::size_t>(seat)];
    own = (own & ~bit(from)) | bit(square);
    if (was_king) kings_ = (kings_ & ~bit(from)) | bit(square);
    if (jumps) capture_between(seat, from, square);
    quiet_ = static_cast<std::uint8_t>(jumps || !was_king ? 0 : quiet_ + 1);
    const bool is_crowned = !was_king && (bit(square) & (seat == 0 ? top_row : bottom_row)) != 0;
    if (is_crowned) kings_ |= bit(square);
    if (jumps && !is_crowned && targets(seat, square, true) != 0) {
      from_ = static_cast<std::uint8_t>(square);
      jumping_ = 1;
      return;
    }
    from_ = none;
    jumping_ = 0;
    mover_ = static_cast<std::uint8_t>(1 - seat);
    result_ = expected_result();
  }

  void capture_between(int seat, int from, int to) {
    for (int d = 0; d < directions; ++d)
      if (const int over = step(from, d); step(over, d) == to) {
        pieces_[static_cast<std::size_t>(1 - seat)] &= ~bit(over);
        kings_ &= ~bit(over);
      }
  }

  std::uint32_t expected_result() const {
    if (movable(mover_) == 0) return 1U - mover_;
    return quiet_ >= quiet_turns_max ? draw : no_seat;
  }

  // The pieces of X, who is black and moves first, and of O; and the kings of both.
  std::array<std::uint32_t, 2> pieces_{0xfff00000, 0x00000fff};
  std::uint32_t kings_ = 0;
  std::uint8_t mover_ = 0;
  std::uint8_t from_ = none;        // The square of the chosen piece.
  std::uint8_t jumping_ = 0;        // 1: the piece has jumped in this turn and goes on.
  std::uint8_t quiet_ = 0;          // Turns since the last capture or move of a man.
  std::uint32_t result_ = no_seat;  // The seat that has won; no_seat: the game runs; or draw.
};

}  // namespace gamehub::engines::checkers

GAMEHUB_ENGINE(gamehub::engines::checkers::game);
