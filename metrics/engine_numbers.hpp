// The numbers of slow and isolated engines for Prometheus. The hub provides them at each scrape.
// Values; used on the scraping thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

struct engine_numbers {
  struct slow_calls {
    std::string engine;
    std::uint64_t count = 0;
  };
  struct isolated_engine {
    std::string engine;
    bool up = false;
    std::uint64_t restarts = 0;
  };

  std::vector<slow_calls> slow;  // of every engine
  std::vector<isolated_engine> isolated;
  std::chrono::nanoseconds longest_call{0};  // duration of the longest active call
};

// Appends the metrics of engines.
void collect_engines(const engine_numbers&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
