// The numbers of the bot league for Prometheus. The owner of the league provides them at each
// scrape. Values; used on the scraping thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// The texts are labels: few, and the same at every scrape.
struct arena_numbers {
  bool ok = true;
  bool here = true;  // false: another hub of the cluster has the league, or no hub
  std::vector<std::pair<std::string_view, std::uint64_t>> bots = {};   // by state
  std::vector<std::pair<std::string_view, std::uint64_t>> ended = {};  // by how the loser lost
  std::uint64_t waiting = 0, running = 0;
  std::uint64_t runs_active = 0;
};

// Appends the metrics of the league.
void collect_arena(const arena_numbers&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
