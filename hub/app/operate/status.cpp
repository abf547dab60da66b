#include "hub/app/operate/status.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace gamehub::app {
namespace {

constexpr double mebibyte = 1024 * 1024;

std::int64_t count(const samples& told, std::string_view name,
                   const std::vector<samples::label>& with = {}) {
  return static_cast<std::int64_t>(told.sum(name, with).value_or(0));
}

std::string words(const samples& told, std::string_view name, std::string_view what,
                  const std::vector<samples::label>& with = {}) {
  return std::to_string(count(told, name, with)) + " " + std::string{what};
}

double up_seconds(const status& s) {
  const auto start = s.told.sum("gamehub_process_start_time_seconds");
  return start ? std::max(0.0, s.now_seconds - *start) : 0;
}

// The two greatest units.
std::string duration(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds);
  const auto days = total / 86'400, hours = total / 3'600 % 24, minutes = total / 60 % 60;
  const auto part = [](std::int64_t n, const char* unit) { return std::to_string(n) + unit; };
  if (days > 0) return part(days, " d ") + part(hours, " h");
  if (hours > 0) return part(hours, " h ") + part(minutes, " min");
  if (minutes > 0) return part(minutes, " min ") + part(total % 60, " s");
  return part(total, " s");
}

// Of the time since the start that the busiest loop was not waiting.
double busiest(const status& s) {
  const auto up = up_seconds(s);
  return up > 0 ? s.told.most("gamehub_loop_busy_seconds_total").value_or(0) / up : 0;
}

std::string version(const samples& told) {
  const auto found = told.values_of("gamehub_build_info", "version");
  return found.empty() ? "of unknown version" : found.front();
}

std::string state_of(const status& s) {
  if (!s.failing.empty()) return "not well";
  return s.ready ? "ready" : "not ready";
}

std::string journal_line(const samples& told) {
  const std::string ok = count(told, "gamehub_journal_ok") == 1 ? "ok" : "FAILS";
  const auto bytes = told.sum("gamehub_journal_file_bytes");
  if (!bytes) return ok + ", in memory";
  return ok + ", " + words(told, "gamehub_journal_pending_records", "records pending") + ", " +
         std::to_string(static_cast<std::int64_t>(*bytes / mebibyte)) + " MiB";
}

std::string bots_line(const samples& told) {
  return words(told, "gamehub_bots_online", "online, ") +
         words(told, "gamehub_arena_games", "of their games running, ", {{"state", "running"}}) +
         words(told, "gamehub_arena_games", "waiting", {{"state", "waiting"}}) +
         (count(told, "gamehub_arena_ok") == 1 ? "" : "; their file FAILS");
}

}  // namespace

std::string text_of(const status& s) {
  const auto& told = s.told;
  std::string out = "gamehub " + version(told) + ", up " + duration(up_seconds(s)) + ": " +
                    state_of(s) + (s.why.empty() ? "" : " (" + s.why + ")") + "\n";
  const auto line = [&](std::string name, const std::string& text) {
    name.resize(std::max<std::size_t>(10, name.size() + 1), ' ');
    out += name + text + "\n";
  };
  for (const auto& each : s.failing) line("loop", each);
  line("games", words(told, "gamehub_games_running", "running, ") +
                    words(told, "gamehub_games_finished_total", "ended, ") +
                    words(told, "gamehub_games_failed_total", "of them by a fault"));
  line("players", words(told, "gamehub_sessions", "here, ") +
                      words(told, "gamehub_players_waiting", "waiting for an opponent"));
  line("moves", words(told, "gamehub_moves_total", "made, ", {{"outcome", "accepted"}}) +
                    words(told, "gamehub_moves_total", "refused", {{"outcome", "refused"}}));
  line("bots", bots_line(told));
  line("journal", journal_line(told));
  line("loops", std::to_string(told.values_of("gamehub_loop_turns_total", "loop").size()) +
                    ", the busiest for " +
                    std::to_string(static_cast<int>(100 * busiest(s) + 0.5)) + " % of the time");
  line("memory", std::to_string(static_cast<std::int64_t>(
                     told.sum("gamehub_process_resident_memory_bytes").value_or(0) / mebibyte)) +
                     " MiB");
  for (const auto& wire : told.values_of("gamehub_sessions", "gateway"))
    line(wire, words(told, "gamehub_sessions", "players", {{"gateway", wire}}) + ", " +
                   words(told, "gamehub_connections", "connections", {{"gateway", wire}}));
  return out;
}

std::string json_of(const status& s) {
  const auto& told = s.told;
  nlohmann::ordered_json out;
  out["version"] = version(told);
  out["up_seconds"] = up_seconds(s);
  out["ready"] = s.ready;
  out["why"] = s.why;
  out["failing"] = s.failing;
  out["games"] = {{"running", count(told, "gamehub_games_running")},
                  {"ended", count(told, "gamehub_games_finished_total")},
                  {"failed", count(told, "gamehub_games_failed_total")}};
  out["players"] = {{"here", count(told, "gamehub_sessions")},
                    {"waiting", count(told, "gamehub_players_waiting")}};
  out["moves"] = {{"accepted", count(told, "gamehub_moves_total", {{"outcome", "accepted"}})},
                  {"refused", count(told, "gamehub_moves_total", {{"outcome", "refused"}})}};
  out["bots"] = {{"online", count(told, "gamehub_bots_online")},
                 {"games_running", count(told, "gamehub_arena_games", {{"state", "running"}})},
                 {"games_waiting", count(told, "gamehub_arena_games", {{"state", "waiting"}})},
                 {"ok", count(told, "gamehub_arena_ok") == 1}};
  out["journal"] = {{"ok", count(told, "gamehub_journal_ok") == 1},
                    {"pending_records", count(told, "gamehub_journal_pending_records")},
                    {"file_bytes", count(told, "gamehub_journal_file_bytes")}};
  out["loops"] = {{"count", told.values_of("gamehub_loop_turns_total", "loop").size()},
                  {"busiest", busiest(s)}};
  out["resident_memory_bytes"] = count(told, "gamehub_process_resident_memory_bytes");
  out["wires"] = nlohmann::ordered_json::object();
  for (const auto& wire : told.values_of("gamehub_sessions", "gateway"))
    out["wires"][wire] = {{"players", count(told, "gamehub_sessions", {{"gateway", wire}})},
                          {"connections", count(told, "gamehub_connections", {{"gateway", wire}})}};
  return out.dump() + "\n";
}

}  // namespace gamehub::app
