// The numbers of a hub's cluster for Prometheus. The owner of the membership provides them at each
// scrape. Values; used on the scraping thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

struct cluster_numbers {
  std::uint64_t members = 0;    // that live, this one too
  std::uint64_t adoptions = 0;  // by this hub
  std::uint64_t games_adopted = 0;
  std::uint64_t games_released = 0;      // handed over to other members by a drain
  std::chrono::nanoseconds adopting{0};  // from the decision until the last game is there
  // Of names and digests of secrets.
  std::uint64_t key_changes = 0, key_changes_failed = 0;
  std::chrono::nanoseconds changing_keys{0};
};

// Appends the metrics of the cluster. Without a cluster they have no samples.
void collect_cluster(const std::optional<cluster_numbers>&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
