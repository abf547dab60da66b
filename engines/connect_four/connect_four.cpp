// Connect Four: two players drop marks into the seven columns of a board of six rows, four in a
// line win. The example of an action that is not a cell: it is a column, and every cell of the
// column stands for it.
#include "engines/grid_game.hpp"

#include <array>
#include <bit>

namespace gamehub::engines::connect_four {

namespace {

constexpr int rows = 6;
constexpr int columns = 7;
constexpr int cells = rows * columns;

// A set of cells is 49 bits, column by column from the bottom. Each column has one bit more than
// rows, which is never set, so that no line continues from one column into the next.
constexpr int height = rows + 1;
using cell_set = std::uint64_t;

constexpr cell_set bottom_of(int column) { return cell_set{1} << (column * height); }
constexpr cell_set column_of(int column) { return bottom_of(column) * ((1U << rows) - 1); }

constexpr cell_set everywhere = [] {
  cell_set out = 0;
  for (int column = 0; column < columns; ++column) out |= column_of(column);
  return out;
}();

// True if four in a line are set, in any of the four directions.
bool has_four(cell_set set) {
  for (const int step : {1, height, height - 1, height + 1}) {
    const cell_set pairs = set & (set >> step);
    if ((pairs & (pairs >> (2 * step))) != 0) return true;
  }
  return false;
}

}  // namespace

class game : public grid_game<game> {
 public:
  static constexpr description about{.id = "connect-four",
                                     .title = "Connect Four",
                                     .actions_max = columns,
                                     .plies_max = cells,
                                     .actions_end = columns};
  static constexpr face_description face{
      .blurb = "Drop discs, line up four.",
      .rules = {"The board stands upright: seven columns of six cells. The players take turns and "
                "drop one disc into a column that is not full; it falls to the lowest free cell.",
                "The first player with four own discs in a row, in a column or on a diagonal wins.",
                "If the board is full and no player has four in a line, the game is a draw."},
      .board = "rack",
      .pieces = {"disc", "ringed-disc"},
      .line = 4,
      .drops = true,
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="2">)"
              R"(<rect x="3" y="3" width="18" height="18" rx="3"/>)"
              R"(<circle cx="8.5" cy="15.5" r="2" fill="currentColor"/>)"
              R"(<circle cx="15.5" cy="15.5" r="2"/>)"
              R"(<circle cx="8.5" cy="8.5" r="2" fill="currentColor"/>)"
              R"(</svg>)"};

  seats to_move() const noexcept {
    const int played = std::popcount(taken());
    // Only the last mover can have four in a line.
    if (played == cells || has_four(marked_[played % 2 == 0 ? 1 : 0])) return 0;
    return only(played % 2);
  }

  void legal_actions(int, action_list& out) const {
    for (int column = 0; column < columns; ++column)
      if (!full(column)) out.add(column);
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= columns) return reasons::out_of_bounds;
    const int column = static_cast<int>(a);
    if (full(column)) return reasons::space_not_empty;
    // Adding the bottom bit carries through the marks into the first free cell.
    marked_[static_cast<std::size_t>(seat)] |=
        (taken() + bottom_of(column)) & ~taken() & column_of(column);
    return nullptr;
  }

  reason from_json(int, std::string_view text, action& out) const {
    const auto column = json::index(text, "column", columns);
    if (!column) return reasons::out_of_bounds;
    out = *column;
    return nullptr;
  }

  void to_json(action column, writer& out) const {
    out << R"({"type":"move","column":)" << column << '}';
  }

  // Every mark has support, the turns alternate, and no move follows a four.
  bool valid() const {
    if ((taken() & ~everywhere) != 0 || (marked_[0] & marked_[1]) != 0) return false;
    for (int column = 0; column < columns; ++column) {
      const cell_set stack = (taken() & column_of(column)) >> (column * height);
      if ((stack & (stack + 1)) != 0) return false;
    }
    const int ahead = std::popcount(marked_[0]) - std::popcount(marked_[1]);
    if (ahead != 0 && ahead != 1) return false;
    return !has_four(marked_[ahead == 1 ? 1 : 0]);
  }

  grid board() const { return {rows, columns}; }

  int at(int cell) const {
    const cell_set place = bottom_of(cell % columns) << (rows - 1 - cell / columns);
    return (marked_[0] & place) != 0 ? 0 : (marked_[1] & place) != 0 ? 1 : no_seat;
  }

  int winner() const { return has_four(marked_[0]) ? 0 : has_four(marked_[1]) ? 1 : no_seat; }

  reason action_at(int, std::int64_t cell, action& out) const {
    if (cell < 0 || cell >= cells) return reasons::out_of_bounds;
    out = cell % columns;
    return nullptr;
  }

  std::int64_t cell_of(action column) const {
    if (column < 0 || column >= columns || full(static_cast<int>(column))) return -1;
    const int used = std::popcount(taken() & column_of(static_cast<int>(column)));
    return (rows - 1 - used) * columns + column;
  }

 private:
  cell_set taken() const { return marked_[0] | marked_[1]; }
  bool full(int column) const { return (taken() & column_of(column)) == column_of(column); }

  std::array<cell_set, 2> marked_{};
};

}  // namespace gamehub::engines::connect_four

GAMEHUB_ENGINE(gamehub::engines::connect_four::game);
