#include "engines/host/description.hpp"

#include "engines/host/display_text.hpp"
#include "engines/host/face.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

namespace gamehub::engines::host {

namespace {

// Copies the part of the table that both sides know; the rest stays zero.
template <class Table>
void copy_known(Table& to, const void* from) {
  std::uint32_t size = 0;
  std::memcpy(&size, static_cast<const char*>(from) + offsetof(Table, struct_size), sizeof size);
  std::memcpy(&to, from, std::min<std::size_t>(size, sizeof(Table)));
}

std::string hex(std::uint32_t n) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n, 16).ptr;
  return "0x" + std::string{digits.data(), end};
}

std::string dotted(unsigned major, unsigned minor) {
  return std::to_string(major) + '.' + std::to_string(minor);
}

// Checks the fields that determine the size and the meaning of the rest of the table.
std::string misfit(const gamehub_engine_abi& abi) {
  if (abi.magic != GAMEHUB_ENGINE_MAGIC)
    return "it is no engine: its magic number is " + hex(abi.magic) + ", that of engines is " +
           hex(GAMEHUB_ENGINE_MAGIC);
  if (abi.abi_major != GAMEHUB_ABI_MAJOR)
    return "it is for ABI " + dotted(abi.abi_major, abi.abi_minor) + ", this hub speaks " +
           dotted(GAMEHUB_ABI_MAJOR, GAMEHUB_ABI_MINOR) + ": build it against this hub's abi.h";
  // The size of version 1.0, the minimum of this major version. It stays the end of `extension`
  // when fields are appended.
  constexpr std::size_t size_min =
      offsetof(gamehub_engine_abi, extension) + sizeof(gamehub_engine_abi::extension);
  if (abi.struct_size < size_min)
    return "its description is " + std::to_string(abi.struct_size) +
           " bytes long, that of any engine is " + std::to_string(size_min) +
           " at least: build it against this hub's abi.h";
  return {};
}

// Returns the text up to its end, or one byte more than the bound if it is longer.
std::string_view bounded(const char* text, std::size_t bytes_max) {
  return {text, strnlen(text, bytes_max + 1)};
}

bool is_id(const char* text) {
  if (text == nullptr) return false;
  const auto id = bounded(text, id_bytes_max);
  return !id.empty() && id.size() <= id_bytes_max && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool lacks_a_function(const gamehub_engine_abi& abi) {
  return !(abi.create && abi.clone && abi.destroy && abi.players && abi.to_move &&
           abi.legal_actions && abi.apply && abi.chance_outcomes && abi.audience && abi.scores &&
           abi.action_from_text && abi.action_from_json && abi.action_to_text &&
           abi.action_to_json && abi.view_json && abi.save && abi.load && abi.hash &&
           abi.extension);
}

// Returns the error in a description of valid size, or an empty string.
std::string fault(const gamehub_engine_abi& abi) {
  if (!is_id(abi.id))
    return "the engine has no id of the letters a-z, 0-9 and -, up to " +
           std::to_string(id_bytes_max) + " of them";
  const std::string name = "engine " + std::string{abi.id};
  if (abi.title == nullptr) return name + " has no title";
  const auto title = bounded(abi.title, title_bytes_max);
  if (title.size() > title_bytes_max)
    return name + " has a title that does not end after " + std::to_string(title_bytes_max) +
           " bytes";
  if (!is_display_text(title)) return name + " has a title that is no line of UTF-8";
  if (abi.options_schema != nullptr &&
      bounded(abi.options_schema, options_schema_bytes_max).size() > options_schema_bytes_max)
    return name + " has a schema of options that does not end after " +
           std::to_string(options_schema_bytes_max) + " bytes";
  if (abi.players_min < 1 || abi.players_max < abi.players_min ||
      abi.players_max > GAMEHUB_SEATS_MAX)
    return name + " is for " + std::to_string(abi.players_min) + " to " +
           std::to_string(abi.players_max) + " players, possible are 1 to " +
           std::to_string(GAMEHUB_SEATS_MAX);
  if (lacks_a_function(abi)) return name + " leaves out a function that every engine must have";
  return {};
}

std::string add_cells(adopted& rules, const std::string& name) {
  const void* found = rules.abi.extension(GAMEHUB_CELLS);
  if (found == nullptr) return {};
  copy_known(rules.cells, found);
  const gamehub_cells& cells = rules.cells;
  if (!(cells.marks && cells.size && cells.glyphs && cells.action_at && cells.cell_of))
    return name + " has the extension cells, but only a part of it";
  const auto players = static_cast<std::size_t>(rules.abi.players_max);
  const std::string_view marks{cells.marks, strnlen(cells.marks, players)};
  if (marks.size() < players) return name + " has fewer marks than players";
  if (!std::all_of(marks.begin(), marks.end(), [](char c) { return c > ' ' && c < '\x7f'; }))
    return name + " has a mark that is not printable";
  rules.has_cells = true;
  return {};
}

std::string add_player(adopted& rules, const std::string& name) {
  const void* found = rules.abi.extension(GAMEHUB_PLAYER);
  if (found == nullptr) return {};
  copy_known(rules.player, found);
  if (rules.player.choose == nullptr)
    return name + " has the extension player, but only a part of it";
  rules.has_player = true;
  return {};
}

void add_failure(adopted& rules) {
  if (const void* found = rules.abi.extension(GAMEHUB_FAILURE)) copy_known(rules.failure, found);
}

std::string add_face(adopted& rules, const std::string& name) {
  const void* found = rules.abi.extension(GAMEHUB_FACE);
  if (found == nullptr) return {};
  gamehub_face face{};
  copy_known(face, found);
  if (face.json == nullptr) return name + " has the extension face, but only a part of it";
  const auto text = bounded(face.json, GAMEHUB_FACE_BYTES_MAX);
  if (text.size() > GAMEHUB_FACE_BYTES_MAX)
    return name + " has a face that does not end after " + std::to_string(GAMEHUB_FACE_BYTES_MAX) +
           " bytes";
  const auto wrong = read_face(text, rules.face);
  return wrong.empty() ? wrong : name + " has a face " + wrong;
}

std::string add_score(adopted& rules, const std::string& name) {
  if (const void* found = rules.abi.extension(GAMEHUB_SCORE)) {
    copy_known(rules.score, found);
    if (rules.score.score == nullptr)
      return name + " has the extension score, but only a part of it";
  }
  if (const void* found = rules.abi.extension(GAMEHUB_SUMMARY)) {
    copy_known(rules.summary, found);
    if (rules.summary.summary == nullptr)
      return name + " has the extension summary, but only a part of it";
  }
  return {};
}

}  // namespace

std::string read_description(const gamehub_engine_abi* from, adopted& to) try {
  if (from == nullptr) return "there is no engine: the plugin returned nothing";
  if (auto wrong = misfit(*from); !wrong.empty()) return wrong;
  copy_known(to.abi, from);
  if (auto wrong = fault(to.abi); !wrong.empty()) return wrong;
  to.version = std::to_string(to.abi.version_major) + '.' + std::to_string(to.abi.version_minor) +
               '.' + std::to_string(to.abi.version_patch);
  const std::string name = "engine " + std::string{to.abi.id};
  if (auto wrong = add_cells(to, name); !wrong.empty()) return wrong;
  add_failure(to);
  if (auto wrong = add_face(to, name); !wrong.empty()) return wrong;
  if (auto wrong = add_score(to, name); !wrong.empty()) return wrong;
  return add_player(to, name);
} catch (...) {
  return std::string{"the engine throws when asked for an extension: "} +
         current_failure("extension").what();
}

}  // namespace gamehub::engines::host
