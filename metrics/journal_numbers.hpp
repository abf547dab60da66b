// What the journal tells Prometheus, as plain numbers: whoever owns the journal gives them at each
// scrape. Values; the thread that scrapes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace prometheus {
struct MetricFamily;
}

namespace gamehub::metrics {

// Of a journal that is a file.
struct journal_file_numbers {
  std::uint64_t transactions = 0, records = 0, bytes_written = 0, failures = 0;
  std::uint64_t games_deleted = 0, pending_records = 0;
  std::uint64_t games_open = 0, games_ended = 0, games_quarantined = 0;
  std::uint64_t file_bytes = 0;
  std::chrono::nanoseconds writing{0}, writing_max{0};
};

// How the journal is at the moment of a scrape, and what its games came to at the start.
struct journal_numbers {
  bool ok = true;
  std::optional<journal_file_numbers> file;  // nothing: the journal is in memory
  std::uint64_t mismatches = 0;
  std::uint64_t restored = 0, quarantined = 0, engine_missing = 0;
};

// Appends the metrics of a journal under their names. Without a file those about files have no
// samples.
void collect_journal(const journal_numbers&, std::vector<prometheus::MetricFamily>&);

}  // namespace gamehub::metrics
