#include "engines/host/face.hpp"

#include "engines/abi.h"
#include "engines/host/display_text.hpp"
#include "engines/json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace gamehub::engines::host {

namespace {

static_assert(face_seats_max == GAMEHUB_SEATS_MAX);

using json::value;

// Returns the text of a JSON string, or nothing for other values and other texts.
std::optional<std::string> text_of(const value& from) {
  if (from.what != json::kind::string) return std::nullopt;
  std::string out;
  const auto inside = from.spelled.substr(1, from.spelled.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\\' && std::string_view{"\"\\/"}.find(inside[++i]) == std::string_view::npos)
      return std::nullopt;
    out += inside[i];
  }
  if (!is_display_text(out)) return std::nullopt;
  return out;
}

std::string at_most(std::size_t count, std::string_view what) {
  return "has more than " + std::to_string(count) + ' ' + std::string{what};
}

std::string text_fault(const value& from, std::size_t bytes_max) {
  const auto text = text_of(from);
  if (!text) return "is no text of UTF-8 without control characters and \\u escapes";
  if (text->empty()) return "is empty";
  return text->size() > bytes_max ? at_most(bytes_max, "bytes") : "";
}

// Checks each element of an array, until the first error.
template <class Each>
std::string list_fault(const value& from, std::size_t count_max, Each each) {
  if (from.what != json::kind::array) return "is no list";
  std::string wrong;
  std::size_t count = 0;
  json::reader{from.spelled}.array(0, [&](const value& found) {
    if (wrong.empty()) wrong = each(found);
    ++count;
  });
  if (count > count_max) return at_most(count_max, "elements");
  return wrong.empty() ? wrong : "has an element that " + wrong;
}

std::string words_fault(const value& from) { return text_fault(from, face_words_bytes_max); }

std::string piece_fault(const value& from) {
  const auto text = text_of(from);
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  if (!text || text->empty() || text->size() > face_piece_bytes_max ||
      !std::all_of(text->begin(), text->end(), fits))
    return "is no word of a-z and -, up to " + std::to_string(face_piece_bytes_max) + " of them";
  return {};
}

std::string board_fault(const value& from) {
  for (const char* board : {"squares", "lines", "felt", "rack", "hexagons", "points"})
    if (from.what == json::kind::string && json::says(from.spelled, board)) return {};
  return "is not squares, lines, felt, rack, hexagons or points";
}

std::string actions_fault(const value& from) {
  if (from.what != json::kind::object) return "are no object";
  std::string wrong;
  std::size_t count = 0;
  json::reader{from.spelled}.object(0, [&](std::string_view name, const value& words) {
    ++count;
    if (wrong.empty()) wrong = words_fault({json::kind::string, name});
    if (wrong.empty()) wrong = words_fault(words);
  });
  if (count > face_actions_max) return at_most(face_actions_max, "members");
  return wrong.empty() ? wrong : "have a member that " + wrong;
}

std::string group_fault(const value& from) {
  if (from.what != json::kind::object) return "is no object";
  std::size_t count = 0;
  json::reader{from.spelled}.object(0, [&](std::string_view, const value&) { ++count; });
  const auto title = json::member(from.spelled, "title");
  const auto actions = json::member(from.spelled, "actions");
  if (count != 2 || !title || !actions) return "has other members than title and actions";
  if (auto wrong = words_fault(*title); !wrong.empty()) return "has a title that " + wrong;
  if (auto wrong = list_fault(*actions, face_actions_max, words_fault); !wrong.empty())
    return "has a list of actions that " + wrong;
  return {};
}

std::string line_fault(const value& from) {
  const auto number = json::integer(from);
  return number && *number >= 2 && *number <= static_cast<std::int64_t>(face_line_max)
             ? ""
             : "is no number from 2 to " + std::to_string(face_line_max);
}

std::string drops_fault(const value& from) {
  return from.what == json::kind::boolean ? "" : "is not true or false";
}

std::string svg_fault(const value& from) {
  const auto text = text_of(from);
  if (!text) return "is no text of UTF-8 without control characters and \\u escapes";
  auto wrong = icon_fault(*text);
  return wrong.empty() ? wrong : "is an image " + wrong;
}

struct face_member {
  const char* name;
  std::string (*fault)(const value&);
};

constexpr std::array<face_member, 11> face_members{
    {{"blurb", [](const value& v) { return text_fault(v, face_blurb_bytes_max); }},
     {"rules",
      [](const value& v) {
        return list_fault(v, face_paragraphs_max, [](const value& each) {
          return text_fault(each, face_paragraph_bytes_max);
        });
      }},
     {"board", board_fault},
     {"pieces", [](const value& v) { return list_fault(v, face_seats_max, piece_fault); }},
     {"marks",
      [](const value& v) {
        return list_fault(v, face_seats_max,
                          [](const value& each) { return text_fault(each, face_mark_bytes_max); });
      }},
     {"line", line_fault},
     {"drops", drops_fault},
     {"actions", actions_fault},
     {"groups", [](const value& v) { return list_fault(v, face_groups_max, group_fault); }},
     {"score_label", words_fault},
     {"icon", svg_fault}}};

}  // namespace

std::string read_face(std::string_view json, std::string& to) {
  std::string out = "{";
  for (const auto& each : face_members) {
    const auto found = json::member(json, each.name);
    if (!found) return "that is no JSON object in UTF-8";
    if (found->what == json::kind::missing) continue;
    if (auto wrong = each.fault(*found); !wrong.empty())
      return "whose " + std::string{each.name} + ' ' + wrong;
    if (out.size() > 1) out += ',';
    out += '"' + std::string{each.name} + "\":" + std::string{found->spelled};
  }
  to = std::move(out) + '}';
  return {};
}

}  // namespace gamehub::engines::host
