// The durable journal: one SQLite file in WAL mode. Records gather in memory while a thread of the
// journal's own writes what gathered before, one transaction a batch; so a commit costs a game a
// few bytes and the hub one transaction for all games that moved meanwhile. How it lies in the
// file, and what happens when the file can't be written: README.md beside this header.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hub/journal/journal.hpp"

namespace gamehub::journal {

// A file that can't be used: one sentence for people that says what, where and how to mend it.
class unusable_file : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class durability : std::uint8_t {
  process,  // a commit outlives the program, but not the machine's power
  power,    // a commit is on the device
};

struct sqlite_settings {
  std::filesystem::path file;  // made with its folders if it is not there
  durability safe_from = durability::process;
  // Ended games are deleted, oldest first, that ended longer ago; zero: never.
  std::chrono::days keep{0};
  // Ended games are deleted, oldest first, while the file's contents are bigger; zero: never.
  std::uint64_t bytes_max = 0;
};

// What the journal did and how it is, for metrics. Any thread may ask.
struct sqlite_report {
  std::uint64_t transactions = 0, records = 0, bytes_written = 0;
  std::uint64_t failures = 0;       // transactions that had to be tried again
  std::uint64_t games_deleted = 0;  // by age or size
  std::uint64_t pending_records = 0;
  std::uint64_t games_open = 0, games_ended = 0, games_quarantined = 0;
  std::uint64_t file_bytes = 0;         // in use, of the main file
  std::chrono::nanoseconds writing{0};  // in transactions, over all time
  std::chrono::nanoseconds writing_max{0};
};

class sqlite_journal : public journal {
 public:
  virtual sqlite_report report() const = 0;
};

// Opens the file, brings it to the current schema, takes it for this program alone as the one that
// writes games, and reads the open games. `log_trouble` is called on the journal's thread when
// trouble() begins (with its text) and ends (with an empty one). Throws unusable_file.
// Destroying the journal writes what waits, if that can be done.
std::unique_ptr<sqlite_journal> open_sqlite_journal(
    const sqlite_settings&, std::function<void(std::string_view)> log_trouble);

}  // namespace gamehub::journal
