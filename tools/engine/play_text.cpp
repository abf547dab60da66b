#include "tools/engine/play_text.hpp"

#include "engines/host/display_text.hpp"
#include "hub/base/text.hpp"
#include "hub/config/option.hpp"
#include "tools/engine/board_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

namespace gamehub::tools::engine {
namespace {

using engines::host::match;

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "a", "a and b", "a, b and c"
std::string joined(const std::vector<std::string>& all) {
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i)
    out += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  return out;
}

std::string number_text(double n) {
  if (std::isnan(n)) return "none";
  std::ostringstream out;
  out << n;
  return out.str();
}

bool is_legal(engines::action a, std::span<const legal_move> legal) {
  return std::any_of(legal.begin(), legal.end(), [a](const auto& each) { return each.value == a; });
}

}  // namespace

std::string terminal_text(std::string_view text, std::size_t bytes_max) {
  const bool cut = text.size() > bytes_max;
  if (cut) {
    while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0U) == 0x80U)
      --bytes_max;
    text = text.substr(0, bytes_max);
  }
  std::string out{text};
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  if (!engines::host::is_display_text(out))
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return cut ? out + " …" : out;
}

labels::labels(const engines::host::engine& rules) {
  if (rules.has_cells())
    for (int seat = 0; seat < rules.players_max(); ++seat) marks_ += rules.mark(seat);
  else if (board_kind(rules) == "points")
    marks_ = points_marks;
  // The host has validated it.
  const auto face = nlohmann::ordered_json::parse(rules.face(), nullptr, false);
  if (!face.is_object()) return;
  if (face.contains("marks")) names_ = face["marks"].get<std::vector<std::string>>();
  if (!face.contains("actions")) return;
  for (const auto& [text, words] : face["actions"].items())
    actions_.emplace_back(text, words.get<std::string>());
}

std::string labels::seat(int seat) const {
  const auto at = static_cast<std::size_t>(seat);
  std::string mark;
  if (at < marks_.size()) mark = terminal_text(marks_.substr(at, 1));
  if (at < names_.size() && names_[at] != mark) mark += (mark.empty() ? "" : ", ") + names_[at];
  return "player " + std::to_string(seat + 1) + (mark.empty() ? "" : " (" + mark + ')');
}

std::string labels::words(const std::string& text) const {
  for (const auto& [each, words] : actions_)
    if (each == text) return words;
  return {};
}

std::string labels::move(const std::string& text) const {
  const auto said = words(text);
  const auto shown = terminal_text(text);
  const bool alike = base::same_letters(text, base::lower(said));
  return said.empty() || alike ? shown : shown + " (" + said + ')';
}

std::vector<legal_move> legal_moves(const match& m, int seat) {
  std::vector<engines::action> values;
  m.legal_actions(seat, values);
  std::vector<legal_move> out;
  for (const auto each : values) out.push_back({each, m.to_text(each)});
  return out;
}

bool numbered(std::span<const legal_move> legal) {
  return std::none_of(legal.begin(), legal.end(),
                      [](const auto& each) { return is_number(each.text); });
}

std::string list_of(std::span<const legal_move> legal, const labels& with, std::size_t count_max) {
  const bool with_numbers = numbered(legal);
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < std::min(legal.size(), count_max); ++i) {
    auto word = (with_numbers ? std::to_string(i + 1) + "." : "") + with.move(legal[i].text);
    if (column + word.size() > shown_columns_max) {
      out += '\n';
      column = 0;
    }
    out += "  " + word;
    column += word.size() + 2;
  }
  if (legal.size() > count_max)
    out += "\n  … of " + std::to_string(legal.size()) + " moves; moves lists all";
  return out + '\n';
}

std::string position_text(const engines::host::engine& rules, const match& m, int viewer) {
  std::string text, out;
  if (rules.has_cells()) {
    m.glyphs(viewer, text);
    out = board_text(m.cells(), text, board_kind(rules));
  } else {
    m.view_json(viewer, text);
    if (board_kind(rules) == "points") out = points_text(text, viewer);
    if (out.empty()) out = terminal_text(text) + '\n';
  }
  std::vector<double> score;
  m.score(score);
  if (!score.empty()) out += "score";
  for (const double each : score) out += ' ' + number_text(each);
  if (!score.empty()) out += '\n';
  m.summary(text);
  return text.empty() ? out : out + terminal_text(text) + '\n';
}

std::string result_text(const match& m, const labels& with) {
  std::vector<double> scores(static_cast<std::size_t>(m.players()));
  m.scores(scores);
  const auto best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::string> winners, all;
  for (int seat = 0; seat < m.players(); ++seat) {
    const auto each = scores[static_cast<std::size_t>(seat)];
    if (each == best) winners.push_back(with.seat(seat));
    all.push_back(with.seat(seat) + ' ' + number_text(each));
  }
  const bool alone = m.players() == 1;
  auto out = alone                             ? std::string{}
             : winners.size() == scores.size() ? "The game is a draw.\n"
             : winners.size() == 1             ? winners.front() + " has won.\n"
                                               : joined(winners) + " have won.\n";
  if (m.players() != 2) out += "The game is over: " + joined(all) + ".\n";
  return out;
}

std::variant<engines::action, command, std::string> read_move(std::string_view line, const match& m,
                                                              int seat,
                                                              std::span<const legal_move> legal,
                                                              const labels& with) {
  const std::string word{base::trimmed(line, " \t\r")};
  for (const auto& each : legal)
    if (each.text == word || (!word.empty() && with.words(each.text) == word)) return each.value;
  constexpr std::array<std::pair<std::string_view, command>, 5> commands{{{"help", command::help},
                                                                          {"moves", command::moves},
                                                                          {"view", command::view},
                                                                          {"undo", command::undo},
                                                                          {"quit", command::quit}}};
  for (const auto& [name, what] : commands)
    if (name == word) return what;
  if (numbered(legal))
    if (const auto at = config::number_in<std::size_t>(word, 1, legal.size()))
      return legal[*at - 1].value;
  const auto parsed = word.starts_with('{') ? m.from_json(seat, word) : m.from_text(seat, word);
  std::string why = parsed.reason == nullptr ? "" : parsed.reason;
  if (parsed.reason == nullptr) {
    if (is_legal(parsed.value, legal)) return parsed.value;
    const char* refused = m.clone().apply(seat, parsed.value);
    why = refused == nullptr ? "not-listed" : refused;
  }
  return config::shown(word) + " is no legal move here (" + terminal_text(why) +
         "): give one of the list; help says more";
}

}  // namespace gamehub::tools::engine
