// The numbers of webhooks for Prometheus. The owner of the webhooks provides them at each scrape.
// Values; used on the scraping thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// The texts are labels: few, and the same at every scrape.
struct webhook_numbers {
  bool ok = true;
  std::uint64_t on = 0, off = 0;
  std::uint64_t waiting = 0, in_flight = 0, dropped = 0;
  std::vector<std::pair<std::string_view, std::uint64_t>> registrations = {}, calls = {};
};

// Appends the metrics of webhooks; nothing: without samples.
void collect_webhooks(const std::optional<webhook_numbers>&,
                      std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
