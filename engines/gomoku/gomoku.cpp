// Gomoku, and every other m,n,k-game: two players mark the cells of an m × n board, and at least k
// in a line win. The example of options, and of a board that is too large for some protocols.
#include "engines/grid_game.hpp"

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

}  // namespace

class game : public grid_game<game> {
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

  reason set_up(std::string_view options, int) {
    rows_ = static_cast<std::uint8_t>(json::integer_or(options, "rows", rows_));
    columns_ = static_cast<std::uint8_t>(json::integer_or(options, "columns", columns_));
    in_a_row_ = static_cast<std::uint8_t>(json::integer_or(options, "in_a_row", in_a_row_));
    return in_a_row_ <= std::max(rows_, columns_) ? nullptr : "line-too-long";
  }
  int players() const { return 2; }

  seats to_move() const noexcept {
    if (winner_ != no_seat || played_ == static_cast<std::uint32_t>(cell_count())) return 0;
    return only(static_cast<int>(played_ % 2));
  }

  void legal_actions(int, action_list& out) const {
    set::list_free(marked_[0], marked_[1], cell_count(), out);
  }

  reason apply(int seat, action a) noexcept {
    if (const reason why = refusal(a)) return why;
    const int cell = static_cast<int>(a);
    auto& own = marked_[static_cast<std::size_t>(seat)];
    own.add(cell);
    ++played_;
    if (completes(own, cell)) winner_ = static_cast<std::uint8_t>(seat);
    return nullptr;
  }

  void details(writer& out) const { out << R"(,"in_a_row":)" << in_a_row_; }

  // The turns alternate, the size is valid, and a line is the end of the game.
  bool valid() const {
    const auto fits = [](int size) { return size >= 3 && size <= side_max; };
    if (!fits(rows_) || !fits(columns_) || in_a_row_ < 3 || in_a_row_ > std::max(rows_, columns_))
      return false;
    for (int cell = 0; cell < set::capacity; ++cell)
      if (at(cell) != no_seat &&
          (cell >= cell_count() || (marked_[0].has(cell) && marked_[1].has(cell))))
        return false;
    const int first = marked_[0].count();
    const int second = marked_[1].count();
    if ((first != second && first != second + 1) ||
        played_ != static_cast<std::uint32_t>(first + second))
      return false;
    const bool lines[2] = {has_line(marked_[0]), has_line(marked_[1])};
    if (winner_ == no_seat) return !lines[0] && !lines[1];
    return winner_ == (played_ + 1) % 2 && lines[winner_] && !lines[1 - winner_];
  }

  grid board() const { return {rows_, columns_}; }

  int at(int cell) const noexcept {
    return marked_[0].has(cell) ? 0 : marked_[1].has(cell) ? 1 : no_seat;
  }

  int winner() const { return winner_; }

 private:
  using set = cell_set<cells_max>;

  // Returns the number of consecutive cells of the set in a direction.
  int run(const set& own, int cell, int down, int right) const {
    int out = 0;
    int row = cell / columns_ + down;
    int column = cell % columns_ + right;
    while (row >= 0 && row < rows_ && column >= 0 && column < columns_ &&
           own.has(row * columns_ + column)) {
      ++out;
      row += down;
      column += right;
    }
    return out;
  }

  // True if a cell of the set is part of a winning line.
  bool completes(const set& own, int cell) const {
    constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& [down, right] : directions)
      if (run(own, cell, down, right) + 1 + run(own, cell, -down, -right) >= in_a_row_) return true;
    return false;
  }

  bool has_line(const set& own) const {
    for (int cell = 0; cell < cell_count(); ++cell)
      if (own.has(cell) && completes(own, cell)) return true;
    return false;
  }

  // The cells of X and of O.
  std::array<set, 2> marked_{};
  std::uint32_t played_ = 0;
  std::uint8_t rows_ = 15;
  std::uint8_t columns_ = 15;
  std::uint8_t in_a_row_ = 5;
  std::uint8_t winner_ = no_seat;
};

}  // namespace gamehub::engines::gomoku

GAMEHUB_ENGINE(gamehub::engines::gomoku::game);
