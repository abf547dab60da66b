#include "actors/table/engine_opponent.hpp"

#include <algorithm>

namespace gamehub::actors::table::engine_opponent {

namespace {

constexpr std::string_view name_begin = "engine (", name_end = ")";
constexpr std::string_view wire_begin = "engine:";

}  // namespace

engines::level level_or_strongest(const engines::host::engine& rules, engines::level wanted) {
  return std::min(wanted, levels_of(rules).back());
}

std::optional<std::string> unsupported_reason(const engines::host::engine& rules,
                                              std::string_view level) {
  const auto levels = levels_of(rules);
  std::string words;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (engines::to_string(levels[i]) == level) return std::nullopt;
    words += i == 0 ? "" : i + 1 < levels.size() ? ", " : " or ";
    words += engines::to_string(levels[i]);
  }
  return "plays itself as " + words + (levels.size() == 1 ? " only" : "");
}

bool is_immediate(const engines::host::engine& rules, engines::level skill) {
  if (rules.has_player()) return rules.player_immediate();
  return level_or_strongest(rules, skill) == engines::level::random;
}

std::string name_of(engines::level skill) {
  std::string name{name_begin};
  return (name += engines::to_string(skill)) += name_end;
}

bool is_engine_player_name(std::string_view name) {
  return name.starts_with(name_begin) && name.ends_with(name_end);
}

std::string log_wire_name(engines::level skill) {
  std::string wire{wire_begin};
  return wire += engines::to_string(skill);
}

std::optional<engines::level> level_of_wire(std::string_view wire) {
  if (!wire.starts_with(wire_begin)) return std::nullopt;
  return engines::level_of(wire.substr(wire_begin.size()));
}

}  // namespace gamehub::actors::table::engine_opponent
