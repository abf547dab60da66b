#include "engines/check/trace_lines.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace gamehub::engines::check {

namespace {

// Keeps the order of the members.
using ordered_json = nlohmann::ordered_json;

std::vector<std::string_view> lines_of(std::string_view report) {
  std::vector<std::string_view> out;
  while (!report.empty()) {
    const auto end = std::min(report.find('\n'), report.size());
    if (const auto line = report.substr(0, end); line.starts_with(trace_line_begins))
      out.push_back(line);
    report.remove_prefix(std::min(end + 1, report.size()));
  }
  return out;
}

// Returns the steps of the game up to the line.
std::string turns_before(const std::vector<std::string_view>& lines, std::size_t at,
                         std::uint64_t seed) {
  std::string out;
  for (std::size_t i = 0; i <= at; ++i) {
    const auto line = ordered_json::parse(lines[i], nullptr, false);
    if (!line.is_object() || line.value("seed", std::uint64_t{0}) != seed) continue;
    const auto turn = line.value("turn", std::string{});
    if (!turn.empty()) out += (out.empty() ? "" : " ") + turn;
  }
  return out.empty() ? "the beginning" : out;
}

void describe(breach& out, const std::vector<std::string_view>& lines, std::size_t at,
              const ordered_json& one, const ordered_json& other) {
  out.seed = one.value("seed", std::uint64_t{0});
  out.options = one.value("options", std::string{});
  out.players = one.value("players", 0);
  out.after = turns_before(lines, at, out.seed);
  out.in_game = true;
  const auto turns =
      std::pair{one.value("turn", std::string{}), other.value("turn", std::string{})};
  if (turns.first != turns.second) {
    out.detail = "what can be done differs: drawn is " + turns.first + " here and " + turns.second +
                 " there";
    return;
  }
  for (const auto& [name, value] : one.at("a").items()) {
    const auto here = value.get<std::string>();
    const auto there = other.at("a").value(name, std::string{});
    if (out.state.empty()) out.state = here;
    if (here == there) continue;
    out.detail = name + ": " + contract::difference_part(here, there) + " here, " +
                 contract::difference_part(there, here) + " there";
    return;
  }
}

breach difference_at(const std::vector<std::string_view>& lines, std::size_t at,
                     std::string_view other_line) {
  breach out;
  out.promise = "the same game is another in another process";
  try {
    describe(out, lines, at, ordered_json::parse(lines[at]), ordered_json::parse(other_line));
  } catch (const ordered_json::exception&) {
    // The engine has overwritten the trace; compare the rest.
  }
  return out;
}

}  // namespace

std::string trace_line(const engines::contract::game_position& where,
                       const std::vector<engines::contract::aspect>& what) {
  ordered_json all = ordered_json::object();
  for (const auto& each : what) all[each.name] = each.value;
  std::string turn;
  if (!where.turns.empty()) turn = engines::contract::describe({where.turns.back()});
  ordered_json out;
  out["a"] = all;
  out["seed"] = where.seed;
  out["turn"] = turn;
  if (!where.with.options_json.empty()) out["options"] = where.with.options_json;
  if (where.with.players != 0) out["players"] = where.with.players;
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

comparison compared(const std::string& one, const std::string& other) {
  const auto here = lines_of(one);
  const auto there = lines_of(other);
  comparison out;
  const auto count = std::min(here.size(), there.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (here[i] != there[i]) {
      out.difference = difference_at(here, i, there[i]);
      return out;
    }
    // The first state of a game has no step.
    if (here[i].find("\"turn\":\"\"") != std::string_view::npos) ++out.games;
  }
  return out;
}

}  // namespace gamehub::engines::check
