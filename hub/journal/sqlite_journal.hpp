// The durable journal: one SQLite file in WAL mode, written by group commit. Records collect in
// memory while the writer thread commits the previous batch in one transaction, so that one
// transaction serves all games with moves meanwhile. README.md describes the file format, and the
// behaviour when the file can't be written. Owned by the composition; any thread.
#pragma once

#include "hub/core/durability.hpp"
#include "hub/journal/journal.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gamehub::journal {

// The file can't be used. The text is one sentence for the operator: the fault, the file, the
// remedy.
class unusable_file : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct sqlite_settings {
  std::filesystem::path file;  // created with its folders if it does not exist
  durability safe_from = durability::process;
  // Ended games that are older are deleted, oldest first; zero: never.
  std::chrono::days keep{0};
  // Ended games are deleted, oldest first, while the file has more bytes in use; zero: never.
  std::uint64_t bytes_max = 0;
  // Called on the writer thread for its log; null: not at all. The first states how many ended
  // games were deleted since its last call, because of the size of the file or of their age; at
  // most once a minute for each.
  std::function<void(std::uint64_t games, bool by_size)> on_deleted = {};
  // The wall clock jumped: no game is deleted by age for the next day.
  std::function<void(std::chrono::milliseconds)> on_clock_jump = {};
};

// Counters and state of the journal, for metrics.
struct sqlite_report {
  std::uint64_t transactions = 0, records = 0, bytes_written = 0;
  std::uint64_t failures = 0;       // transactions that were retried
  std::uint64_t games_deleted = 0;  // by age or size
  std::uint64_t pending_records = 0;
  std::uint64_t games_open = 0, games_ended = 0, games_quarantined = 0;
  std::uint64_t file_bytes = 0;         // in use, of the main file
  std::chrono::nanoseconds writing{0};  // in all transactions
  std::chrono::nanoseconds writing_max{0};
};

class sqlite_journal : public journal {
 public:
  // True if the hub that had the file before did not close it: it crashed or was killed.
  virtual bool left_open() const = 0;
  // Returns the counters. Any thread.
  virtual sqlite_report report() const = 0;
};

// Opens the file, migrates it to the current schema, locks it against other hubs, and reads the
// open games. `log_trouble` is called on the writer thread when trouble() begins (with its text)
// and when it ends (with an empty text). Throws unusable_file. Destroying the journal writes the
// pending records, if the file can be written.
std::unique_ptr<sqlite_journal> open_sqlite_journal(
    const sqlite_settings&, std::function<void(std::string_view)> log_trouble);

}  // namespace gamehub::journal
