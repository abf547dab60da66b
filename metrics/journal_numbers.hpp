// The numbers of the journal for Prometheus. The owner of the journal provides them at each scrape.
// Values; used on the scraping thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// The numbers of a journal in a file or in a cluster's database.
struct journal_file_numbers {
  std::uint64_t transactions = 0, records = 0, bytes_written = 0, failures = 0;
  std::uint64_t appends_unknown = 0, appends_conflicting = 0;
  bool fenced = false;
  std::uint64_t games_deleted = 0, pending_records = 0, reads_refused = 0;
  std::uint64_t games_open = 0, games_ended = 0, games_quarantined = 0;
  std::uint64_t file_bytes = 0;
  std::chrono::nanoseconds writing{0}, writing_max{0};
};

// The state of the journal at a scrape, and the results of its recovery at start.
struct journal_numbers {
  bool ok = true;
  std::optional<journal_file_numbers> file;  // nothing: the journal is in memory
  std::uint64_t mismatches = 0;
  std::uint64_t restored = 0, quarantined = 0, engine_missing = 0;
};

// Appends the metrics of the journal. Without a file, those of the file have no samples.
void collect_journal(const journal_numbers&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
