// Dots and Boxes for three to five players: the player to move draws a line between two
// neighbouring dots. Who draws the fourth line of a box owns it and moves again. When all lines are
// drawn, the player with the most boxes wins. The example of a game for more than two players.
#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>

namespace gamehub::engines::dots_and_boxes {

namespace {

constexpr int side_max = 8;
constexpr int players_max = 5;
constexpr int boxes_max = side_max * side_max;
constexpr int lines_max = 2 * side_max * (side_max + 1);

constexpr const char* schema =
    R"({"type":"object","properties":{)"
    R"("rows":{"type":"integer","minimum":2,"maximum":8,"default":4},)"
    R"("columns":{"type":"integer","minimum":2,"maximum":8,"default":4}},)"
    R"("additionalProperties":false})";

}  // namespace

class game {
 public:
  static constexpr description about{.id = "dots-and-boxes",
                                     .title = "Dots and Boxes",
                                     .players_min = 3,
                                     .players_max = players_max,
                                     .actions_max = lines_max,
                                     .plies_max = lines_max,
                                     .options_schema = schema};
  static constexpr face_description face{
      .blurb = "Draw the fourth line, own the box, draw again.",
      .rules = {"A grid of dots is given. The players take turns and draw one line between two "
                "neighbouring dots, across or down.",
                "A player who draws the fourth line of a box owns the box and draws another line.",
                "When all lines are drawn, the player with the most boxes wins. If several players "
                "have as many, there is no winner."},
      .score_label = "boxes",
      .icon =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
          R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
          R"(<path d="M5 5h7v7H5zM12 5h7M5 12v7"/>)"
          R"(<circle cx="5" cy="5" r="1.5"/><circle cx="12" cy="5" r="1.5"/><circle cx="19" cy="5" r="1.5"/>)"
          R"(<circle cx="5" cy="12" r="1.5"/><circle cx="12" cy="12" r="1.5"/>)"
          R"(<circle cx="19" cy="12" r="1.5"/><circle cx="5" cy="19" r="1.5"/>)"
          R"(<circle cx="12" cy="19" r="1.5"/><circle cx="19" cy="19" r="1.5"/>)"
          R"(</svg>)"};

  reason set_up(std::string_view options, int players) {
    rows_ = static_cast<std::uint8_t>(json::integer_or(options, "rows", rows_));
    columns_ = static_cast<std::uint8_t>(json::integer_or(options, "columns", columns_));
    players_ = static_cast<std::uint8_t>(players);
    return nullptr;
  }
  int players() const { return players_; }

  seats to_move() const noexcept { return is_full() ? 0 : only(mover_); }

  void legal_actions(int, action_list& out) const {
    for (int line = 0; line < lines(); ++line)
      if (!is_drawn(line)) out.add(line);
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= lines()) return reasons::out_of_bounds;
    const int line = static_cast<int>(a);
    if (is_drawn(line)) return "line-is-drawn";
    drawn_[static_cast<std::size_t>(line / 8)] |= static_cast<std::uint8_t>(1U << line % 8);
    // A line has a box on each side, except at the border.
    const auto [row, column] = place(line);
    bool moves_again = own_if_closed(row, column, seat);
    if (is_horizontal(line))
      moves_again |= own_if_closed(row - 1, column, seat);
    else
      moves_again |= own_if_closed(row, column - 1, seat);
    if (!moves_again) mover_ = static_cast<std::uint8_t>((seat + 1) % players_);
    return nullptr;
  }

  // The lead over the best of the others, as a part of all boxes: -1 to 1.
  void scores(std::span<double> out) const {
    const auto owned = count_boxes();
    for (int seat = 0; seat < players_; ++seat) {
      int best = 0;
      for (int other = 0; other < players_; ++other)
        if (other != seat) best = std::max(best, owned[static_cast<std::size_t>(other)]);
      out[static_cast<std::size_t>(seat)] =
          static_cast<double>(owned[static_cast<std::size_t>(seat)] - best) / (rows_ * columns_);
    }
  }

  void score(std::span<double> out) const {
    const auto owned = count_boxes();
    std::copy_n(owned.begin(), out.size(), out.begin());
  }

  void summary(writer& out) const {
    int drawn = 0;
    for (int line = 0; line < lines(); ++line) drawn += is_drawn(line) ? 1 : 0;
    out << drawn << " of " << lines() << " lines are drawn.";
  }

  // "h:1:2" is the horizontal line above the box in row 1 and column 2, "v:1:2" the vertical line
  // to the left of it. Rows and columns are counted from 0.
  reason from_text(int, std::string_view text, action& out) const {
    if (text.size() != 5 || (text[0] != 'h' && text[0] != 'v') || text[1] != ':' || text[3] != ':')
      return reasons::malformed;
    const int row = text[2] - '0';
    const int column = text[4] - '0';
    if (row < 0 || row > 9 || column < 0 || column > 9) return reasons::malformed;
    const bool horizontal = text[0] == 'h';
    if (row > rows_ - (horizontal ? 0 : 1) || column > columns_ - (horizontal ? 1 : 0))
      return reasons::out_of_bounds;
    out = horizontal ? horizontal_at(row, column) : vertical_at(row, column);
    return nullptr;
  }

  void to_text(action a, writer& out) const {
    const auto [row, column] = place(static_cast<int>(a));
    out << (is_horizontal(static_cast<int>(a)) ? "h:" : "v:") << row << ':' << column;
  }

  // The lines as rows of 0 and 1, the owner of each box, and the boxes of each player.
  void view(int, writer& out) const {
    out << R"({"horizontal":)";
    table(out, rows_ + 1, columns_,
          [&](int r, int c) { out << is_drawn(horizontal_at(r, c)) + 0; });
    out << R"(,"vertical":)";
    table(out, rows_, columns_ + 1, [&](int r, int c) { out << is_drawn(vertical_at(r, c)) + 0; });
    out << R"(,"boxes":)";
    table(out, rows_, columns_, [&](int r, int c) {
      if (owner(r, c) == 0)
        out << "null";
      else
        out << owner(r, c) - 1;
    });
    const auto owned = count_boxes();
    out << R"(,"points":[)";
    for (int seat = 0; seat < players_; ++seat)
      out << (seat == 0 ? "" : ",") << owned[static_cast<std::size_t>(seat)];
    out << R"(],"mover":)";
    if (is_full())
      out << "null";
    else
      out << mover_;
    out << R"(,"winner":)";
    const auto best = std::max_element(owned.begin(), owned.end());
    if (is_full() && std::count(owned.begin(), owned.end(), *best) == 1)
      out << best - owned.begin();
    else
      out << "null";
    out << '}';
  }

  bool valid() const {
    const auto is_side = [](int n) { return n >= 2 && n <= side_max; };
    if (!is_side(rows_) || !is_side(columns_) || players_ < about.players_min ||
        players_ > players_max || mover_ >= players_)
      return false;
    for (int line = lines(); line < static_cast<int>(drawn_.size()) * 8; ++line)
      if (is_drawn(line)) return false;
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        if (owner(row, column) > players_ || (owner(row, column) != 0) != is_closed(row, column))
          return false;
    return std::all_of(owners_.begin() + rows_ * columns_, owners_.end(),
                       [](std::uint8_t owner) { return owner == 0; });
  }

 private:
  struct position {
    int row;
    int column;
  };

  // The horizontal lines have the first numbers, row by row. The vertical ones follow.
  int horizontals() const { return (rows_ + 1) * columns_; }
  int lines() const noexcept { return horizontals() + rows_ * (columns_ + 1); }
  int horizontal_at(int row, int column) const { return row * columns_ + column; }
  int vertical_at(int row, int column) const {
    return horizontals() + row * (columns_ + 1) + column;
  }
  bool is_horizontal(int line) const { return line < horizontals(); }
  position place(int line) const {
    if (is_horizontal(line)) return {line / columns_, line % columns_};
    const int i = line - horizontals();
    return {i / (columns_ + 1), i % (columns_ + 1)};
  }

  bool is_drawn(int line) const noexcept {
    return (static_cast<unsigned>(drawn_[static_cast<std::size_t>(line / 8)]) >> line % 8 & 1U) !=
           0;
  }
  bool is_full() const noexcept {
    return std::all_of(owners_.begin(), owners_.begin() + rows_ * columns_,
                       [](std::uint8_t owner) { return owner != 0; });
  }
  bool is_closed(int row, int column) const {
    return is_drawn(horizontal_at(row, column)) && is_drawn(horizontal_at(row + 1, column)) &&
           is_drawn(vertical_at(row, column)) && is_drawn(vertical_at(row, column + 1));
  }
  int owner(int row, int column) const {
    return owners_[static_cast<std::size_t>(row * columns_ + column)];
  }
  bool own_if_closed(int row, int column, int seat) {
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_ || !is_closed(row, column))
      return false;
    owners_[static_cast<std::size_t>(row * columns_ + column)] =
        static_cast<std::uint8_t>(seat + 1);
    return true;
  }

  std::array<int, players_max> count_boxes() const {
    std::array<int, players_max> out{};
    for (const auto owner : owners_)
      if (owner != 0) ++out[owner - 1U];
    return out;
  }

  template <class Cell>
  static void table(writer& out, int rows, int columns, Cell cell) {
    out << '[';
    for (int row = 0; row < rows; ++row) {
      out << (row == 0 ? "[" : ",[");
      for (int column = 0; column < columns; ++column) {
        if (column > 0) out << ',';
        cell(row, column);
      }
      out << ']';
    }
    out << ']';
  }

  std::array<std::uint8_t, (lines_max + 7) / 8> drawn_{};  // Bit i: line i.
  std::array<std::uint8_t, boxes_max> owners_{};           // The seat + 1, or 0.
  std::uint8_t rows_ = 4;
  std::uint8_t columns_ = 4;
  std::uint8_t players_ = 3;
  std::uint8_t mover_ = 0;
};

}  // namespace gamehub::engines::dots_and_boxes

GAMEHUB_ENGINE(gamehub::engines::dots_and_boxes::game);
