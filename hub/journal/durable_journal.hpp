// A journal whose logs survive the end of the program, whatever database stores them: its retention
// settings, its counters, and its interface. Owned by the composition; any thread.
#pragma once

#include "hub/journal/journal.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

namespace gamehub::journal {

// How long ended games are retained. The functions are called on the writer thread, for its log;
// null: not at all.
struct retention_settings {
  // Ended games that are older are deleted, oldest first; zero: never.
  std::chrono::days keep{0};
  // Ended games are deleted, oldest first, while the store has more bytes in use; zero: never.
  std::uint64_t bytes_max = 0;
  // States how many ended games were deleted since its last call, because of the size of the store
  // or of their age; at most once a minute for each.
  std::function<void(std::uint64_t games, bool by_size)> on_deleted = {};
  // The wall clock jumped: no game is deleted by age for the next day.
  std::function<void(std::chrono::milliseconds)> on_clock_jump = {};
};

// Counters and state of the journal, for metrics.
struct journal_report {
  std::uint64_t transactions = 0, records = 0, bytes_written = 0;
  std::uint64_t failures = 0;                                  // transactions that were retried
  std::uint64_t appends_unknown = 0, appends_conflicting = 0;  // of these, by outcome
  bool fenced = false;              // another member of a cluster owns the log
  std::uint64_t games_deleted = 0;  // by age or size
  std::uint64_t pending_records = 0;
  std::uint64_t reads_refused = 0;  // by read_later()
  std::uint64_t games_open = 0, games_ended = 0, games_quarantined = 0;
  std::uint64_t games_away = 0;         // open ones whose logs are not in memory
  std::uint64_t games_released = 0;     // handed over to other members of a cluster
  std::uint64_t file_bytes = 0;         // in use, of the store
  std::chrono::nanoseconds writing{0};  // in all transactions
  std::chrono::nanoseconds writing_max{0};
};

class durable_journal : public journal {
 public:
  // True if the hub that had the log before did not close it: it crashed or was killed.
  virtual bool left_open() const = 0;
  // Returns the counters. Any thread.
  virtual journal_report report() const = 0;
};

}  // namespace gamehub::journal
