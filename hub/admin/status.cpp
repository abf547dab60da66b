#include "hub/admin/status.hpp"

#include "hub/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace gamehub::admin {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t mebibyte = 1024 * 1024;

std::string counted(std::int64_t n, const char* what) { return std::to_string(n) + " " + what; }

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

std::string state_of(const hub_status& s) {
  if (!s.failing.empty()) return "not well";
  return s.ready ? "ready" : "not ready";
}

std::string journal_line(const hub_status& s) {
  const std::string ok = s.journal_ok ? "ok" : "FAILS";
  if (s.journal_file_bytes == 0) return ok + ", in memory";
  return ok + ", " + counted(s.journal_pending_records, "records pending") + ", " +
         counted(s.journal_file_bytes / mebibyte, "MiB");
}

std::string bots_line(const hub_status& s) {
  return counted(s.bots_online, "online, ") +
         counted(s.bot_games_running, "of their games running, ") +
         counted(s.bot_games_waiting, "waiting") + (s.league_ok ? "" : "; their file FAILS");
}

std::string cluster_line(const hub_status& s) {
  const auto in = [&](std::string_view state) {
    return std::count_if(s.cluster.begin(), s.cluster.end(),
                         [&](const auto& m) { return m.state == state; });
  };
  return counted(in("here") + in("alive"), "hubs alive, ") + counted(in("silent"), "silent");
}

bool is_alive(const hub_status::member& m) { return m.state == "alive" || m.state == "silent"; }

// Of the link between this hub and another one.
std::string link_state_of(const hub_status::member& m) {
  if (!is_alive(m)) return "";
  if (m.link.empty()) return "no link";
  if (m.link_out && m.link_in) return "link up";
  return m.link_out ? "link out only" : m.link_in ? "link in only" : "link down";
}

ordered_json link_of(const hub_status::member& m) {
  ordered_json out{{"address", m.link}};
  if (!is_alive(m)) return out;
  out["out"] = m.link_out;
  out["in"] = m.link_in;
  if (!m.link_why.empty()) out["why"] = m.link_why;
  return out;
}

ordered_json members_of(const hub_status& s) {
  auto all = ordered_json::array();
  for (const auto& m : s.cluster) {
    ordered_json one{{"member", m.id},       {"state", m.state},
                     {"games", m.games},     {"beat_seconds_ago", m.beat_seconds_ago},
                     {"version", m.version}, {"address", m.address}};
    if (m.adopted_by != 0) one["adopted_by"] = m.adopted_by;
    if (!m.link.empty()) one["link"] = link_of(m);
    all.push_back(std::move(one));
  }
  return all;
}

template <class Value>
void read_member(const ordered_json& from, const char* name, Value& to) {
  if (const auto at = from.find(name); at != from.end()) to = at->template get<Value>();
}

// A missing group is an empty object. Throws ordered_json::exception if the member is not an
// object.
ordered_json group_of(const ordered_json& from, const char* name) {
  const auto at = from.find(name);
  if (at == from.end()) return ordered_json::object();
  return at->get_ref<const ordered_json::object_t&>();
}

void read_cluster(const ordered_json& from, hub_status& to) {
  for (const auto& each : from.value("members", ordered_json::array())) {
    auto& m = to.cluster.emplace_back();
    read_member(each, "member", m.id);
    read_member(each, "state", m.state);
    read_member(each, "games", m.games);
    read_member(each, "beat_seconds_ago", m.beat_seconds_ago);
    read_member(each, "version", m.version);
    read_member(each, "address", m.address);
    read_member(each, "adopted_by", m.adopted_by);
    const auto link = group_of(each, "link");
    read_member(link, "address", m.link);
    read_member(link, "out", m.link_out);
    read_member(link, "in", m.link_in);
    read_member(link, "why", m.link_why);
  }
}

}  // namespace

std::string text_of(const hub_status& s) {
  std::string out = "gamehub " + s.version + ", up " + duration(s.up_seconds) + ": " + state_of(s) +
                    (s.why.empty() ? "" : " (" + s.why + ")") + "\n";
  const auto line = [&](std::string name, const std::string& text) {
    name.resize(std::max<std::size_t>(10, name.size() + 1), ' ');
    out += name + text + "\n";
  };
  for (const auto& each : s.failing) line("loop", each);
  line("games", counted(s.games_running, "running, ") + counted(s.games_ended, "ended, ") +
                    counted(s.games_failed, "of them by a fault"));
  line("players",
       counted(s.players_here, "here, ") + counted(s.players_waiting, "waiting for an opponent"));
  line("moves", counted(s.moves_accepted, "made, ") + counted(s.moves_refused, "refused"));
  line("bots", bots_line(s));
  line("journal", journal_line(s));
  line("loops", std::to_string(s.loops) + ", the busiest for " +
                    std::to_string(static_cast<int>(100 * s.busiest + 0.5)) + " % of the time");
  line("memory", counted(s.resident_memory_bytes / mebibyte, "MiB"));
  if (!s.plugins.empty()) {
    const auto refused = std::count_if(s.plugins.begin(), s.plugins.end(),
                                       [](const auto& p) { return p.engine.empty(); });
    line("plugins",
         counted(std::ssize(s.plugins) - refused, "loaded, ") + counted(refused, "refused"));
  }
  for (const auto& p : s.plugins)
    if (p.engine.empty()) line("refused", p.file + ": " + p.why);
  for (const auto& w : s.wires)
    line(w.name, counted(w.players, "players") + ", " + counted(w.connections, "connections"));
  if (!s.cluster.empty()) line("cluster", cluster_line(s));
  return out;
}

std::string cluster_text_of(const hub_status& s) {
  if (s.cluster.empty()) return "this hub has no cluster\n";
  std::vector<base::text_row> rows;
  for (const auto& m : s.cluster) {
    const auto beat =
        m.state == "adopted"
            ? "by member " + std::to_string(m.adopted_by)
            : "beat " + std::to_string(std::lround(1'000 * m.beat_seconds_ago)) + " ms ago";
    rows.push_back({"member " + std::to_string(m.id), m.state, beat, counted(m.games, "games"),
                    link_state_of(m), m.version, m.address});
  }
  return base::text_table(rows);
}

std::string cluster_json_of(const hub_status& s) {
  return ordered_json{{"members", members_of(s)}}.dump(-1, ' ', false,
                                                       ordered_json::error_handler_t::replace) +
         "\n";
}

std::string json_of(const hub_status& s) {
  ordered_json out;
  out["version"] = s.version;
  out["up_seconds"] = s.up_seconds;
  out["ready"] = s.ready;
  out["why"] = s.why;
  out["failing"] = s.failing;
  out["games"] = {
      {"running", s.games_running}, {"ended", s.games_ended}, {"failed", s.games_failed}};
  out["players"] = {{"here", s.players_here}, {"waiting", s.players_waiting}};
  out["moves"] = {{"accepted", s.moves_accepted}, {"refused", s.moves_refused}};
  out["bots"] = {{"online", s.bots_online},
                 {"games_running", s.bot_games_running},
                 {"games_waiting", s.bot_games_waiting},
                 {"ok", s.league_ok}};
  out["journal"] = {{"ok", s.journal_ok},
                    {"pending_records", s.journal_pending_records},
                    {"file_bytes", s.journal_file_bytes}};
  out["loops"] = {{"count", s.loops}, {"busiest", s.busiest}};
  for (const auto& each : s.each_loop)
    out["loops"]["each"].push_back({{"busy_seconds", each.busy_seconds},
                                    {"players", each.players},
                                    {"connections", each.connections}});
  out["resident_memory_bytes"] = s.resident_memory_bytes;
  out["plugins"] = ordered_json::array();
  for (const auto& p : s.plugins)
    if (p.engine.empty())
      out["plugins"].push_back({{"file", p.file}, {"state", "refused"}, {"why", p.why}});
    else
      out["plugins"].push_back(
          {{"file", p.file}, {"state", "loaded"}, {"engine", p.engine}, {"version", p.version}});
  out["wires"] = ordered_json::object();
  for (const auto& w : s.wires)
    out["wires"][w.name] = {{"players", w.players}, {"connections", w.connections}};
  if (!s.cluster.empty()) out["cluster"] = {{"members", members_of(s)}};
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<hub_status> read_status(std::string_view text) {
  const auto all = ordered_json::parse(text, nullptr, false);
  if (!all.is_object()) return std::nullopt;
  hub_status s;
  try {
    read_member(all, "version", s.version);
    read_member(all, "up_seconds", s.up_seconds);
    read_member(all, "ready", s.ready);
    read_member(all, "why", s.why);
    read_member(all, "failing", s.failing);
    const auto games = group_of(all, "games"), players = group_of(all, "players");
    read_member(games, "running", s.games_running);
    read_member(games, "ended", s.games_ended);
    read_member(games, "failed", s.games_failed);
    read_member(players, "here", s.players_here);
    read_member(players, "waiting", s.players_waiting);
    const auto moves = group_of(all, "moves"), bots = group_of(all, "bots");
    read_member(moves, "accepted", s.moves_accepted);
    read_member(moves, "refused", s.moves_refused);
    read_member(bots, "online", s.bots_online);
    read_member(bots, "games_running", s.bot_games_running);
    read_member(bots, "games_waiting", s.bot_games_waiting);
    read_member(bots, "ok", s.league_ok);
    const auto journal = group_of(all, "journal"), loops = group_of(all, "loops");
    read_member(journal, "ok", s.journal_ok);
    read_member(journal, "pending_records", s.journal_pending_records);
    read_member(journal, "file_bytes", s.journal_file_bytes);
    read_member(loops, "count", s.loops);
    read_member(loops, "busiest", s.busiest);
    for (const auto& each : loops.value("each", ordered_json::array())) {
      auto& l = s.each_loop.emplace_back();
      read_member(each, "busy_seconds", l.busy_seconds);
      read_member(each, "players", l.players);
      read_member(each, "connections", l.connections);
    }
    read_member(all, "resident_memory_bytes", s.resident_memory_bytes);
    for (const auto& each : all.value("plugins", ordered_json::array())) {
      auto& p = s.plugins.emplace_back();
      read_member(each, "file", p.file);
      read_member(each, "engine", p.engine);
      read_member(each, "version", p.version);
      read_member(each, "why", p.why);
    }
    read_cluster(group_of(all, "cluster"), s);
    const auto wires = group_of(all, "wires");
    for (const auto& each : wires.items()) {
      const auto& name = each.key();
      const auto counts = group_of(wires, name.c_str());
      auto& w = s.wires.emplace_back();
      w.name = name;
      read_member(counts, "players", w.players);
      read_member(counts, "connections", w.connections);
    }
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
  return s;
}

}  // namespace gamehub::admin
