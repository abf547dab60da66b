#include "engines/process/reply_validation.hpp"

#include "engines/host/display_text.hpp"
#include "engines/json.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace gamehub::engines::process {

namespace {

constexpr int side_max = 1024;

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_word(std::string_view text) {
  return !text.empty() && is_printable(text) && text.find(' ') == text.npos;
}

// True for a JSON object on one line.
bool is_object(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (std::any_of(text.begin(), text.end(), control)) return false;
  json::reader from{text};
  json::value found;
  if (!from.any(found) || found.what != json::kind::object) return false;
  from.blanks();
  return from.at_end();
}

bool ascends(const std::vector<action>& all) {
  return std::adjacent_find(all.begin(), all.end(), std::greater_equal<>{}) == all.end();
}

bool may_be_moving(const state_summary& s) {
  if (s.to_move == only(chance)) return true;
  return (s.to_move & ~(only(s.players) - 1)) == 0;
}

std::string chance_fault(const state_summary& s, const description& d) {
  const bool at_chance = s.to_move == only(chance);
  if (at_chance == s.draws.empty()) return "says who draws and what is drawn, and both can't be";
  if (s.draws.size() != s.weights.size() || s.draws.size() > d.actions_max || !ascends(s.draws))
    return "lists draws that can't be";
  if (std::find(s.weights.begin(), s.weights.end(), 0U) != s.weights.end())
    return "lists a draw that is never made";
  return {};
}

std::string board_fault(const state_summary& s, const description& d) {
  if (!d.marks) return s.size == grid{} ? "" : "has a board and no cells";
  if (s.size.rows < 1 || s.size.columns < 1 || s.size.rows > side_max || s.size.columns > side_max)
    return "has a board of an impossible size";
  return {};
}

std::string legal_fault(const query_result& a, const query& q, const state_summary& s,
                        const description& d) {
  if (a.actions.size() > d.actions_max) return "lists more actions than it declares";
  if (!ascends(a.actions)) return "lists actions that do not ascend";
  if (!a.actions.empty() && !holds(s.to_move, q.seat))
    return "lists actions of a seat that may not act";
  return {};
}

// A seat without a score has not-a-number.
std::string score_fault(const query_result& a, const query& q, const state_summary& s) {
  const auto count = q.what == query::kind::score ? static_cast<std::size_t>(s.players) : 0;
  const auto infinite = [](double n) { return std::isinf(n); };
  if (a.scores.size() != count || std::any_of(a.scores.begin(), a.scores.end(), infinite))
    return "has a score that is not one number for each player";
  return {};
}

std::string text_fault(const query_result& a, const query& q, const state_summary& s,
                       const description& d) {
  using kind = query::kind;
  switch (q.what) {
    case kind::to_text: return is_word(a.bytes) ? "" : "has a text for an action that is no word";
    case kind::to_json: return is_object(a.bytes) ? "" : "has JSON for an action that is no object";
    case kind::view: return is_object(a.bytes) ? "" : "shows a view that is no JSON object";
    case kind::glyphs:
      if (a.bytes.size() != static_cast<std::size_t>(s.size.cells()) || !is_printable(a.bytes))
        return "shows a board that is not of its size or not printable";
      return {};
    case kind::save:
      return a.bytes.size() <= d.state_bytes_max ? "" : "saves more bytes than it declares";
    case kind::summary:
      return a.bytes.size() <= GAMEHUB_SUMMARY_BYTES_MAX && host::is_display_text(a.bytes)
                 ? ""
                 : "has a summary that is no line of text, or too long";
    default: return a.bytes.empty() ? "" : "gives a text that was not asked for";
  }
}

}  // namespace

bool is_reason(std::string_view word) {
  return !word.empty() && word.size() <= reason_bytes_max &&
         std::all_of(word.begin(), word.end(), base::is_id_character);
}

std::string validate(const description& d) {
  constexpr std::size_t name_bytes_max = 64;
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (d.id.size() > name_bytes_max) return "has an id that is too long";
  if (d.title.size() > 4 * name_bytes_max || std::any_of(d.title.begin(), d.title.end(), control) ||
      d.title.find('\0') != d.title.npos)
    return "has a title that is too long or not printable";
  if (d.options_schema && (d.options_schema->size() > text_bytes_max ||
                           d.options_schema->find('\0') != d.options_schema->npos))
    return "has a schema of its options that is too long or not text";
  if (d.face && d.face->find('\0') != d.face->npos) return "has a face that is not text";
  if (d.marks && !is_printable(*d.marks)) return "has marks that are not printable";
  constexpr std::uint64_t most = message_bytes_max / 16;
  if (d.actions_max > most) return "declares more actions than can be told";
  return {};
}

std::string validate(const state_summary& s, const description& d, const state_summary* before) {
  if (s.players < d.players_min || s.players > d.players_max)
    return "has a number of players that it does not declare";
  if (before != nullptr && (s.players != before->players || s.size != before->size))
    return "changes its players or its board in a match";
  if (!may_be_moving(s)) return "asks a seat to move that is not there";
  if (auto wrong = board_fault(s, d); !wrong.empty()) return wrong;
  const auto scored = s.to_move == 0 ? static_cast<std::size_t>(s.players) : 0;
  if (s.scores.size() != scored) return "has scores that are not of its players";
  if (!std::all_of(s.scores.begin(), s.scores.end(), [](double n) { return std::isfinite(n); }))
    return "has a score that is no number";
  return chance_fault(s, d);
}

std::string validate(const query_result& a, const query& q, const state_summary& s,
                     const description& d) {
  using kind = query::kind;
  if (!a.reason.empty() && !is_reason(a.reason)) return "gives a reason that is no word";
  if (a.failed || !a.reason.empty()) return {};
  if (a.bytes.size() > std::max<std::uint64_t>(text_bytes_max, d.state_bytes_max))
    return "gives a text that is too long";
  if (q.what == kind::legal_actions) return legal_fault(a, q, s, d);
  if (!a.actions.empty()) return "lists actions that were not asked for";
  if (auto wrong = score_fault(a, q, s); !wrong.empty()) return wrong;
  if (q.what == kind::cell_of && (a.number < -1 || a.number >= s.size.cells()))
    return "names a cell that is not on the board";
  return text_fault(a, q, s, d);
}

std::string validate(const reply& said, const request& asked) {
  if (!said.reason.empty() && !is_reason(said.reason)) return "gives a reason that is no word";
  const bool done = !said.failed && said.reason.empty();
  const bool plays = asked.what == request::kind::play;
  // A move that can't be read makes no state.
  const bool made = plays ? said.state.has_value() : asked.what != request::kind::ask;
  if (said.state.has_value() != (done && made))
    return "tells a state that was not asked for, or none";
  const std::size_t first = plays && !said.failed ? 1 : 0;
  if (said.answers.size() != (done && (made || !plays) ? asked.queries.size() : first))
    return "answers more or less than it was asked";
  if (plays && made && (said.answers.front().failed || !said.answers.front().reason.empty()))
    return "plays a move that it can't read";
  return {};
}

}  // namespace gamehub::engines::process
