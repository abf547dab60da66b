// Gomoku, and every other m,n,k-game: two players mark the cells of an m × n board, and at least k
// in a line win. The example of options, and of a board that is too large for some protocols.
#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gamehub::engines::gomoku {

namespace {

constexpr int side_max = 19;
constexpr int cells_max = side_max * side_max;

constexpr const char* schema =
    R"({"type":"object","properties":{)"
    R"("rows":{"type":"integer","minimum":3,"maximum":19,"default":15},)"
    R"("columns":{"type":"integer","minimum":3,"maximum":19,"default":15},)"
    R"("in_a_row":{"type":"integer","minimum":3,"maximum":19,"default":5}},)"
    R"("additionalProperties":false})";

// A set of cells, numbered row by row.
using cell_set = std::array<std::uint64_t, (cells_max + 63) / 64>;

bool has(const cell_set& set, int cell) {
  return (set[static_cast<std::size_t>(cell / 64)] >> (cell % 64) & 1U) != 0;
}

int count(const cell_set& set) {
  int out = 0;
  for (const auto word : set) out += std::popcount(word);
  return out;
}

}  // namespace

class game {
 public:
  static constexpr description about{.id = "gomoku",
                                     .title = "Gomoku",
                                     .actions_max = cells_max,
                                     .plies_max = cells_max,
                                     .actions_end = cells_max,
                                     .options_schema = schema};
  static constexpr face_description face{
      .blurb = "Five stones in a row on an open board.",
      .rules = {"The players take turns and place one stone on a free point; black begins. Stones "
                "are never moved or taken away.",
                "The first player with five or more own stones in a row, in a column or on a "
                "diagonal wins. The options set the size of the board and the length of the line.",
                "If the board is full and no player has such a line, the game is a draw."},
      .board = "lines",
      .pieces = {"black-stone", "white-stone"},
      .marks = {"Black", "White"},
      .line = 5,
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="2">)"
              R"(<path d="M6 3v18M12 3v18M18 3v18M3 6h18M3 12h18M3 18h18" stroke-width="1"/>)"
              R"(<circle cx="6" cy="18" r="2.5" fill="currentColor"/>)"
              R"(<circle cx="12" cy="12" r="2.5" fill="currentColor"/>)"
              R"(<circle cx="18" cy="6" r="2.5" fill="white"/>)"
              R"(</svg>)"};
  static constexpr const char* marks = "XO";

  reason set_up(std::string_view options, int) {
    rows_ = static_cast<std::uint8_t>(json::integer_or(options, "rows", rows_));
    columns_ = static_cast<std::uint8_t>(json::integer_or(options, "columns", columns_));
    in_a_row_ = static_cast<std::uint8_t>(json::integer_or(options, "in_a_row", in_a_row_));
    return in_a_row_ <= std::max(rows_, columns_) ? nullptr : "line-too-long";
  }
  int players() const { return 2; }

  seats to_move() const noexcept {
    if (winner_ != nobody || played_ == static_cast<std::uint32_t>(cells())) return 0;
    return only(static_cast<int>(played_ % 2));
  }

  void legal_actions(int, action_list& out) const {
    int first = 0;
    for (std::size_t i = 0; first < cells(); ++i, first += 64) {
      std::uint64_t free = ~(marked_[0][i] | marked_[1][i]);
      if (cells() - first < 64) free &= (std::uint64_t{1} << (cells() - first)) - 1;
      for (; free != 0; free &= free - 1) out.add(first + std::countr_zero(free));
    }
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= cells()) return reasons::out_of_bounds;
    const int cell = static_cast<int>(a);
    if (taken(cell)) return reasons::space_not_empty;
    auto& own = marked_[static_cast<std::size_t>(seat)];
    own[static_cast<std::size_t>(cell / 64)] |= std::uint64_t{1} << (cell % 64);
    ++played_;
    if (completes(own, cell)) winner_ = static_cast<std::uint8_t>(seat);
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[0] = winner_ == 0 ? 1 : winner_ == 1 ? -1 : 0;
    out[1] = -out[0];
  }

  reason from_json(int, std::string_view text, action& out) const {
    const auto row = json::index(text, "row", rows_);
    const auto column = json::index(text, "column", columns_);
    if (!row || !column) return reasons::out_of_bounds;
    out = *row * columns_ + *column;
    return nullptr;
  }

  void to_json(action cell, writer& out) const {
    out << R"({"type":"move","row":)" << cell / columns_ << R"(,"column":)" << cell % columns_
        << '}';
  }

  void view(int viewer, writer& out) const {
    out << R"({"board":[)";
    for (int cell = 0; cell < cells(); ++cell) {
      out << (cell == 0 ? "[" : cell % columns_ == 0 ? "],[" : ",");
      write_mark(glyph(viewer, cell), out);
    }
    out << R"(]],"in_a_row":)" << in_a_row_ << R"(,"winner":)";
    write_mark(winner_ == nobody ? GAMEHUB_BLANK : marks[winner_], out);
    out << '}';
  }

  // The turns alternate, the size is valid, and a line is the end of the game.
  bool valid() const {
    const auto fits = [](int size) { return size >= 3 && size <= side_max; };
    if (!fits(rows_) || !fits(columns_) || in_a_row_ < 3 || in_a_row_ > std::max(rows_, columns_))
      return false;
    for (int cell = 0; cell < cells_in_set; ++cell)
      if (taken(cell) && (cell >= cells() || (has(marked_[0], cell) && has(marked_[1], cell))))
        return false;
    const int first = count(marked_[0]);
    const int second = count(marked_[1]);
    if ((first != second && first != second + 1) ||
        played_ != static_cast<std::uint32_t>(first + second))
      return false;
    const bool lines[2] = {has_line(marked_[0]), has_line(marked_[1])};
    if (winner_ == nobody) return !lines[0] && !lines[1];
    return winner_ == (played_ + 1) % 2 && lines[winner_] && !lines[1 - winner_];
  }

  grid board() const { return {rows_, columns_}; }

  char glyph(int, int cell) const {
    return has(marked_[0], cell) ? marks[0] : has(marked_[1], cell) ? marks[1] : GAMEHUB_BLANK;
  }

  reason action_at(int, std::int64_t cell, action& out) const {
    if (cell < 0 || cell >= cells()) return reasons::out_of_bounds;
    out = cell;
    return nullptr;
  }

  std::int64_t cell_of(action cell) const { return cell < cells() ? cell : -1; }

 private:
  static constexpr std::uint8_t nobody = 2;
  static constexpr int cells_in_set = 64 * static_cast<int>(cell_set{}.size());

  static void write_mark(char mark, writer& out) {
    if (mark == GAMEHUB_BLANK)
      out << "null";
    else
      out << '"' << mark << '"';
  }

  int cells() const { return rows_ * columns_; }
  bool taken(int cell) const { return has(marked_[0], cell) || has(marked_[1], cell); }

  // Returns the number of consecutive cells of the set in a direction.
  int run(const cell_set& set, int cell, int down, int right) const {
    int out = 0;
    int row = cell / columns_ + down;
    int column = cell % columns_ + right;
    while (row >= 0 && row < rows_ && column >= 0 && column < columns_ &&
           has(set, row * columns_ + column)) {
      ++out;
      row += down;
      column += right;
    }
    return out;
  }

  // True if a cell of the set is part of a winning line.
  bool completes(const cell_set& set, int cell) const {
    constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& [down, right] : directions)
      if (run(set, cell, down, right) + 1 + run(set, cell, -down, -right) >= in_a_row_) return true;
    return false;
  }

  bool has_line(const cell_set& set) const {
    for (int cell = 0; cell < cells(); ++cell)
      if (has(set, cell) && completes(set, cell)) return true;
    return false;
  }

  // The cells of X and of O.
  std::array<cell_set, 2> marked_{};
  std::uint32_t played_ = 0;
  std::uint8_t rows_ = 15;
  std::uint8_t columns_ = 15;
  std::uint8_t in_a_row_ = 5;
  std::uint8_t winner_ = nobody;
};

}  // namespace gamehub::engines::gomoku

GAMEHUB_ENGINE(gamehub::engines::gomoku::game);
