// The hub's own counts, from /metrics of the admin server: every game that began must have ended or
// still run. Used by the bench, on its thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tools::bench {

struct server_counters {
  std::int64_t started = 0, finished = 0, running = 0;

  bool balanced() const { return started == finished + running; }
};

// Sums over all engines, from the text of /metrics. Returns nothing if the text has no such metric.
std::optional<server_counters> read_counters(std::string_view metrics);

// Fetches the counts. Throws usage_error if nothing answers.
server_counters fetch_counters(const std::string& host, std::uint16_t admin_port);

// Fetches the counts until they are balanced and no game runs, at most for `time`: games end
// shortly after their players have left.
server_counters fetch_settled_counters(const std::string& host, std::uint16_t admin_port,
                                       std::chrono::milliseconds time);

}  // namespace gamehub::tools::bench
