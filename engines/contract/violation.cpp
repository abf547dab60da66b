#include "engines/contract/violation.hpp"

namespace gamehub::engines::contract {

std::string in_hex(std::string_view bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!out.empty()) out += ' ';
    out += digits[byte / 16];
    out += digits[byte % 16];
  }
  return out;
}

std::string describe(const std::vector<step>& turns) {
  if (turns.empty()) return "the beginning";
  std::string out;
  for (const auto& each : turns) {
    if (!out.empty()) out += ' ';
    out += each.seat == chance ? "chance" : std::to_string(each.seat);
    out += ':' + each.text;
  }
  return out;
}

std::string describe(const game_position& where) {
  if (!where.in_game) return "before any game";
  auto out = "seed " + std::to_string(where.seed) + ", after " + describe(where.turns);
  if (!where.with.options_json.empty()) out += ", options " + where.with.options_json;
  if (where.with.players != 0) out += ", " + std::to_string(where.with.players) + " players";
  return out;
}

std::string describe(const violation& what) {
  auto out = what.promise;
  if (!what.detail.empty()) out += ": " + what.detail;
  return out + " (" + describe(what.where) + ')';
}

}  // namespace gamehub::engines::contract
