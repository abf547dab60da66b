#include "metrics/arena_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

using prometheus::MetricFamily;
using prometheus::MetricType;

void collect_arena(const arena_numbers& now, std::vector<MetricFamily>& out) {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  family{out, "gamehub_arena_ok", "1 while the league's file can be written.", MetricType::Gauge}
      .add({}, now.ok ? 1.0 : 0.0);
  family{out, "gamehub_arena_here", "1 at the hub of a cluster that has the bots and the league.",
         MetricType::Gauge}
      .add({}, now.here ? 1.0 : 0.0);
  family bots{out, "gamehub_arena_bots", "Registered bots, by state.", MetricType::Gauge};
  for (const auto& [state, count] : now.bots) bots.add({{"state", state}}, number(count));
  family games{out, "gamehub_arena_games", "Scheduled games that have not ended.",
               MetricType::Gauge};
  games.add({{"state", "waiting"}}, number(now.waiting));
  games.add({{"state", "running"}}, number(now.running));
  family ended{out, "gamehub_arena_ended_total",
               "Scheduled games that ended, by the loser's reason, a draw, or none.",
               MetricType::Counter};
  for (const auto& [how, count] : now.ended) ended.add({{"result", how}}, number(count));
  family{out, "gamehub_arena_runs", "Running tournaments.", MetricType::Gauge}.add(
      {}, number(now.runs_active));
}

}  // namespace gamehub::metrics
