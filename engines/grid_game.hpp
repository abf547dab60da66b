// The base of a game on a board of cells, where an action is the cell that it marks. A class
// derives from grid_game<itself>, or grid_game<itself, players>, and defines board(), at() and
// winner(); the base derives from these the cells, the JSON of moves, the view and the scores. A
// member that the class defines replaces the base's. The base has no data, so the bytes of a match
// are those of the class. cell_set is a set of cells for its state. Plain values, any thread.
#pragma once

#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace gamehub::engines {

// `Game` defines:
//   grid board() const                  the size, which is constant during a match
//   int at(int cell) const              the seat whose mark is in the cell; no_seat: it is free
//   int winner() const                  the seat that has won; no_seat: none has
// and to_move(), apply() and the description, as every engine does. Optional:
//   static constexpr const char* marks  the letter of each seat, if they are not X and O
//   void details(writer& out) const     further members of the view: out << R"(,"moves":)" << n
template <class Game, int Players = 2>
class grid_game {
 public:
  static constexpr const char* marks = "XO";
  static constexpr int no_seat = Players;

  // Every free cell.
  void legal_actions(int, action_list& out) const {
    for (int cell = 0; cell < cell_count(); ++cell)
      if (self().at(cell) == no_seat) out.add(cell);
  }

  void scores(std::span<double> out) const {
    const int winner = self().winner();
    for (int seat = 0; seat < Players; ++seat)
      out[static_cast<std::size_t>(seat)] = winner == no_seat ? 0 : winner == seat ? 1 : -1;
  }

  reason from_json(int, std::string_view text, action& out) const {
    const grid size = self().board();
    const auto given = json::members(text, {"row", "column"});
    if (!given) return reasons::out_of_bounds;
    const auto row = json::index((*given)[0], size.rows);
    const auto column = json::index((*given)[1], size.columns);
    if (!row || !column) return reasons::out_of_bounds;
    out = *row * size.columns + *column;
    return nullptr;
  }

  void to_json(action cell, writer& out) const {
    const int columns = self().board().columns;
    out << R"({"type":"move","row":)" << cell / columns << R"(,"column":)" << cell % columns << '}';
  }

  // The rows of the board, the details of the class, and the mark of the winner.
  void view(int viewer, writer& out) const {
    const grid size = self().board();
    out << R"({"board":[[)";
    for (int cell = 0; cell < size.cells(); ++cell) {
      if (cell % size.columns != 0)
        out << ',';
      else if (cell != 0)
        out << "],[";
      write_mark(self().glyph(viewer, cell), out);
    }
    out << "]]";
    self().details(out);
    out << R"(,"winner":)";
    write_mark(mark_of(self().winner()), out);
    out << '}';
  }
  void details(writer&) const {}

  char glyph(int, int cell) const { return mark_of(self().at(cell)); }

  reason action_at(int, std::int64_t cell, action& out) const {
    if (cell < 0 || cell >= cell_count()) return reasons::out_of_bounds;
    out = cell;
    return nullptr;
  }

  std::int64_t cell_of(action cell) const { return cell >= 0 && cell < cell_count() ? cell : -1; }

 protected:
  int cell_count() const noexcept { return self().board().cells(); }

  // Returns why no mark can be placed in the cell, or nullptr: it is off the board, or not free.
  reason refusal(action cell) const noexcept {
    if (cell < 0 || cell >= cell_count()) return reasons::out_of_bounds;
    return self().at(static_cast<int>(cell)) == no_seat ? nullptr : reasons::space_not_empty;
  }

  bool is_full() const noexcept {
    int cell = 0;
    while (cell < cell_count() && self().at(cell) != no_seat) ++cell;
    return cell == cell_count();
  }

  // How many cells the longest straight line through this one has with the mark of this one.
  int line_length(int cell) const noexcept {
    int longest = 1;
    for (const auto [rows, columns] : {grid{0, 1}, grid{1, 0}, grid{1, 1}, grid{1, -1}})
      longest = std::max(longest, run(cell, rows, columns) + 1 + run(cell, -rows, -columns));
    return longest;
  }

  // The mark of a seat, the blank for no_seat.
  static constexpr char mark_of(int seat) {
    return seat == no_seat ? GAMEHUB_BLANK : Game::marks[seat];
  }

  // Writes a mark as JSON: a text, or null for the blank.
  static void write_mark(char mark, writer& out) {
    if (mark == GAMEHUB_BLANK)
      out << "null";
    else
      out << std::string_view{std::array{'"', mark, '"'}.data(), 3};
  }

 private:
  const Game& self() const noexcept { return static_cast<const Game&>(*this); }

  // The number of adjacent cells in this direction with the mark of this one.
  int run(int cell, int row_step, int column_step) const noexcept {
    const grid size = self().board();
    int row = cell / size.columns + row_step;
    int column = cell % size.columns + column_step;
    int length = 0;
    for (; row >= 0 && row < size.rows && column >= 0 && column < size.columns &&
           self().at(row * size.columns + column) == self().at(cell);
         row += row_step, column += column_step)
      ++length;
    return length;
  }
};

// A set of the cells 0 to Cells - 1. Its bytes have no gaps.
// Requires: each cell is below Cells; has() accepts those below `capacity`.
template <int Cells>
class cell_set {
 public:
  // The cells that have a bit. Those from Cells on are empty unless the bytes were loaded.
  static constexpr int capacity = (Cells + 63) / 64 * 64;

  bool has(int cell) const noexcept { return (words_[index(cell)] >> (cell % 64) & 1U) != 0; }
  void add(int cell) noexcept { words_[index(cell)] |= bit(cell); }
  void remove(int cell) noexcept { words_[index(cell)] &= ~bit(cell); }

  int count() const noexcept {
    int out = 0;
    for (const auto word : words_) out += std::popcount(word);
    return out;
  }

  // Adds the cells below `end` that are in neither set to the list.
  static void list_free(const cell_set& a, const cell_set& b, int end, action_list& out) {
    int first = 0;
    for (std::size_t i = 0; first < end; ++i, first += 64) {
      std::uint64_t free = ~(a.words_[i] | b.words_[i]);
      if (end - first < 64) free &= (std::uint64_t{1} << (end - first)) - 1;
      for (; free != 0; free &= free - 1) out.add(first + std::countr_zero(free));
    }
  }

 private:
  static constexpr std::size_t index(int cell) { return static_cast<std::size_t>(cell / 64); }
  static constexpr std::uint64_t bit(int cell) { return std::uint64_t{1} << (cell % 64); }

  std::array<std::uint64_t, static_cast<std::size_t>(capacity / 64)> words_{};
};

}  // namespace gamehub::engines
