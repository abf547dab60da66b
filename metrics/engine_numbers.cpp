#include "metrics/engine_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

using prometheus::MetricType;

void collect_engines(const engine_numbers& now, std::vector<prometheus::MetricFamily>& out) {
  family slow{out, "gamehub_engine_calls_slow_total",
              "Engine calls that exceeded the time limit for calls.", MetricType::Counter};
  for (const auto& each : now.slow)
    slow.add({{"engine", each.engine}}, static_cast<double>(each.count));
  family{out, "gamehub_engine_longest_call_seconds", "Duration of the longest active engine call.",
         MetricType::Gauge}
      .add({}, std::chrono::duration<double>{now.longest_call}.count());
  family up{out, "gamehub_engine_up", "1 while the process of an isolated engine runs.",
            MetricType::Gauge};
  family restarts{out, "gamehub_engine_restarts_total",
                  "Restarts of the process of an isolated engine.", MetricType::Counter};
  for (const auto& each : now.isolated) {
    up.add({{"engine", each.engine}}, each.up ? 1.0 : 0.0);
    restarts.add({{"engine", each.engine}}, static_cast<double>(each.restarts));
  }
}

}  // namespace gamehub::metrics
