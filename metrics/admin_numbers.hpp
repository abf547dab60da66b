// The numbers of the admin server for Prometheus. The hub provides them at each scrape. Values;
// used on the scraping thread.
#pragma once

#include <cstdint>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// Refused requests, by reason.
struct admin_numbers {
  std::uint64_t foreign_host = 0, web_page = 0, no_token = 0, wrong_token = 0, limited = 0;
};

// Appends the metrics of the admin server.
void collect_admin(const admin_numbers&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
