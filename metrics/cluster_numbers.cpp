#include "metrics/cluster_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

void collect_cluster(const std::optional<cluster_numbers>& now,
                     std::vector<prometheus::MetricFamily>& out) {
  using prometheus::MetricType;
  const auto one = [&](const char* name, const char* help, MetricType type, auto value) {
    family to{out, name, help, type};
    if (now) to.add({}, static_cast<double>(value(*now)));
  };
  using numbers = cluster_numbers;
  one("gamehub_cluster_members", "Hubs of the cluster that live, as this one sees it.",
      MetricType::Gauge, [](const numbers& n) { return n.members; });
  one("gamehub_cluster_adoptions_total", "Hubs whose games this one has taken over.",
      MetricType::Counter, [](const numbers& n) { return n.adoptions; });
  one("gamehub_cluster_adopted_games_total", "Games that were taken over from other hubs.",
      MetricType::Counter, [](const numbers& n) { return n.games_adopted; });
  one("gamehub_cluster_released_games_total",
      "Games that this hub handed over to others: in a drain, or because it lacks their engine.",
      MetricType::Counter, [](const numbers& n) { return n.games_released; });
  one("gamehub_cluster_adoption_seconds_total", "Total duration of takeovers.", MetricType::Counter,
      [](const numbers& n) { return std::chrono::duration<double>{n.adopting}.count(); });
  one("gamehub_cluster_claims_total",
      "Transactions that claim or free names and secrets of players.", MetricType::Counter,
      [](const numbers& n) { return n.key_changes; });
  one("gamehub_cluster_claims_failed_total", "Those that failed, and are repeated.",
      MetricType::Counter, [](const numbers& n) { return n.key_changes_failed; });
  one("gamehub_cluster_claim_seconds_total", "Total duration of these transactions.",
      MetricType::Counter,
      [](const numbers& n) { return std::chrono::duration<double>{n.changing_keys}.count(); });
}

}  // namespace gamehub::metrics
