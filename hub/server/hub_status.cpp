#include "hub/server/hub_status.hpp"

#include "hub/base/text.hpp"
#include "hub/cluster/member_watch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::server {
namespace {

void add_games(const std::vector<const metrics::cells*>& loops, admin::hub_status& to) {
  const auto engines = loops.empty() ? 0 : loops.front()->engines.size();
  for (std::size_t e = 0; e < engines; ++e) {
    std::int64_t ended = 0, started = 0;
    for (const auto* loop : loops)
      for (const auto& by_reason : loop->engines[e].games_finished)
        for (const auto& games : by_reason) ended += games.value();
    // Ended games are read first: a game that ends meanwhile must not count as ended but not begun.
    std::atomic_thread_fence(std::memory_order_acquire);
    for (const auto* loop : loops) {
      started += loop->engines[e].games_started.value();
      to.players_waiting += loop->engines[e].players_waiting.value();
    }
    to.games_ended += ended;
    to.games_running += std::max<std::int64_t>(0, started - ended);
  }
}

void add_wires(const status_sources& from, admin::hub_status& to) {
  for (std::size_t w = 0; w < from.wires.size(); ++w) {
    auto& out = to.wires.emplace_back();
    out.name = from.wires[w];
    for (const auto* loop : from.loops) {
      const auto& wire = loop->wires[w];
      out.players += wire.sessions_open.value();
      out.connections += wire.connections_open.value();
      for (const auto& moves : wire.moves) {
        to.moves_accepted += moves.accepted.value();
        to.moves_refused += moves.refused.value();
      }
    }
    to.players_here += out.players;
  }
  std::sort(to.wires.begin(), to.wires.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

// A member that is silent for so long will be adopted soon.
constexpr std::chrono::milliseconds silence{750};

void add_cluster(const status_sources& from, admin::hub_status& to) {
  std::vector<cluster::member_row> rows;
  for (const auto& each : from.cluster) rows.push_back(each.row);
  for (const auto& [row, silent_for] : from.cluster) {
    auto& out = to.cluster.emplace_back();
    out.id = row.id.value;
    out.address = row.address;
    out.version = row.build;
    out.games = static_cast<std::int64_t>(row.games);
    out.state = row.adopted_by                                     ? "adopted"
                : row.id == from.self                              ? "here"
                : row.left && cluster::waits_for_engine(row, rows) ? "waits for an engine"
                : row.left                                         ? "left"
                : silent_for >= silence                            ? "silent"
                                                                   : "alive";
    if (row.adopted_by) out.adopted_by = row.adopted_by->value;
    out.link = row.link;
    for (const auto& link : from.links) {
      if (link.id != row.id) continue;
      out.link_out = link.up_out;
      out.link_in = link.up_in;
      out.link_why = link.why;
    }
    if (!row.taken) out.beat_seconds_ago = std::chrono::duration<double>{silent_for}.count();
  }
}

}  // namespace

status_sources counts_of(const std::vector<open_wire>& wires, const loop_threads& loops) {
  status_sources out;
  for (const auto& w : wires) out.wires.emplace_back(w.protocol->name);
  for (std::size_t i = 0; i < loops.all_count(); ++i) out.loops.push_back(&loops.cells(i));
  return out;
}

admin::hub_status status_of(const status_sources& from) {
  admin::hub_status out;
  out.version = from.version;
  // A clock that was set back must not make the time negative.
  if (from.process.start_seconds)
    out.up_seconds = std::max(0.0, from.now_seconds - *from.process.start_seconds);
  out.ready = !from.unready;
  out.why = from.unready.value_or("");
  out.failing = from.failing;
  out.plugins = from.plugins;
  add_games(from.loops, out);
  add_wires(from, out);
  add_cluster(from, out);
  std::int64_t busiest = 0;
  for (const auto* loop : from.loops) {
    out.games_failed += loop->loop.games_failed.value();
    out.bots_online += loop->bots.online.value();
    busiest = std::max(busiest, loop->loop.busy_nanoseconds.value());
    auto& each = out.each_loop.emplace_back();
    each.busy_seconds = static_cast<double>(loop->loop.busy_nanoseconds.value()) / 1e9;
    for (const auto& wire : loop->wires) {
      each.players += wire.sessions_open.value();
      each.connections += wire.connections_open.value();
    }
  }
  out.loops = from.loops.size();
  if (out.up_seconds > 0) out.busiest = static_cast<double>(busiest) / 1e9 / out.up_seconds;
  out.bot_games_running = static_cast<std::int64_t>(from.league.running);
  out.bot_games_waiting = static_cast<std::int64_t>(from.league.waiting);
  out.league_ok = from.league.ok;
  out.journal_ok = from.journal.ok;
  if (from.journal.file) {
    out.journal_pending_records = static_cast<std::int64_t>(from.journal.file->pending_records);
    out.journal_file_bytes = static_cast<std::int64_t>(from.journal.file->file_bytes);
  }
  out.resident_memory_bytes = from.process.resident_bytes.value_or(0);
  return out;
}

std::string clients_by_wire(const admin::hub_status& of) {
  std::string out;
  for (const auto& w : of.wires) {
    if (w.players == 0 && w.connections == 0) continue;
    if (!out.empty()) out += "; ";
    out += w.name + ": " + base::counted(static_cast<std::uint64_t>(w.players), "player") + ", " +
           base::counted(static_cast<std::uint64_t>(w.connections), "connection");
  }
  return out;
}

}  // namespace gamehub::server
