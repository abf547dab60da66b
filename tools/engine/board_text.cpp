#include "tools/engine/board_text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <iomanip>
#include <optional>
#include <sstream>

namespace gamehub::tools::engine {
namespace {

constexpr int points = 24, bar = points + 1, off = 0;
constexpr int checkers_max = 99;
// As many checkers of a point are drawn; the last one of more is their number.
constexpr int depth = 5;

// The checkers of a seat: off, on the points 1 to 24, on the bar.
using places = std::array<int, bar + 1>;

std::optional<places> read_places(const nlohmann::json& of) {
  places out{};
  for (int at = off; at <= bar; ++at) {
    const auto name = at == off ? "off" : at == bar ? "bar" : std::to_string(at);
    const auto found = of.find(name);
    if (found == of.end()) continue;
    const bool is_count = found->is_number_unsigned() && *found <= checkers_max;
    if (!is_count) return std::nullopt;
    out[static_cast<std::size_t>(at)] = found->get<int>();
  }
  return out;
}

// What is drawn in this row of a column of checkers, counted from the edge.
std::string checker(int count, char mark, int row, const char* empty) {
  if (row >= count) return empty;
  return row == depth - 1 && count > depth ? std::to_string(count) : std::string(1, mark);
}

class points_drawing {
 public:
  points_drawing(const places& own, const places& other, char own_mark, char other_mark)
      : own_(own), other_(other), own_mark_(own_mark), other_mark_(other_mark) {}

  std::string text() {
    numbers(13, 1);
    for (int row = 0; row < depth; ++row) line(13, 1, row, other_, other_mark_);
    out_ << std::string(19, ' ') << "|   |\n";
    for (int row = depth - 1; row >= 0; --row) line(12, -1, row, own_, own_mark_);
    numbers(12, -1);
    return out_.str();
  }

 private:
  void numbers(int from, int step) {
    for (int i = 0; i < points / 2; ++i)
      out_ << (i == points / 4 ? " |bar|" : "") << std::setw(3) << from + i * step;
    out_ << " | off\n";
  }

  // A row of twelve points, and of the checkers of one seat on the bar and off.
  void line(int from, int step, int row, const places& aside, char mark) {
    for (int i = 0; i < points / 2; ++i) {
      if (i == points / 4)
        out_ << " |" << std::setw(2) << checker(aside[bar], mark, row, "") << " |";
      out_ << std::setw(3) << on_point(from + i * step, row);
    }
    const auto borne_off = row == 0 ? std::to_string(aside[off]) + ' ' + mark : "";
    out_ << " |" << (borne_off.empty() ? "" : " ") << borne_off << '\n';
  }

  std::string on_point(int point, int row) const {
    const int own = own_[static_cast<std::size_t>(point)];
    if (own > 0) return checker(own, own_mark_, row, ".");
    return checker(other_[static_cast<std::size_t>(points + 1 - point)], other_mark_, row, ".");
  }

  const places& own_;
  const places& other_;
  const char own_mark_, other_mark_;
  std::ostringstream out_;
};

}  // namespace

std::string board_kind(const engines::host::engine& rules) {
  // The host has validated it.
  const auto face = nlohmann::json::parse(rules.face(), nullptr, false);
  return face.is_object() ? face.value("board", "") : "";
}

std::string board_text(engines::grid board, std::string_view glyphs, std::string_view kind) {
  std::ostringstream out;
  const auto width = static_cast<int>(std::to_string(board.cells()).size());
  const bool shifted = kind == "hexagons";
  // Half of a shifted cell is a whole number of columns.
  const auto cell = width + 1 + (shifted ? (width + 1) % 2 : 0);
  out << std::string(static_cast<std::size_t>(width) + 1, ' ');
  for (int column = 0; column < board.columns; ++column) out << std::setw(cell) << column;
  out << '\n';
  for (int row = 0; row < board.rows; ++row) {
    out << std::setw(width) << row * board.columns << ' ';
    if (shifted) out << std::string(static_cast<std::size_t>(row * cell / 2), ' ');
    for (int column = 0; column < board.columns; ++column) {
      const char glyph = glyphs[static_cast<std::size_t>(row * board.columns + column)];
      out << std::setw(cell) << (glyph < ' ' || glyph > '~' ? '?' : glyph);
    }
    out << '\n';
  }
  return out.str();
}

std::string points_text(std::string_view view, int viewer) {
  const auto all = nlohmann::json::parse(view, nullptr, false);
  if (!all.is_object() || !all.contains("checkers")) return {};
  const auto& seats = all["checkers"];
  if (!seats.is_array() || seats.size() != 2) return {};
  const std::size_t seat = viewer == 1 ? 1 : 0;
  for (const auto& each : seats)
    if (!each.is_object()) return {};
  const auto own = read_places(seats[seat]), other = read_places(seats[1 - seat]);
  if (!own || !other) return {};
  return points_drawing{*own, *other, points_marks[seat], points_marks[1 - seat]}.text();
}

}  // namespace gamehub::tools::engine
