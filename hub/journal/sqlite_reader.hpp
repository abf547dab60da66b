// Reads the logs of ended, quarantined and kept games from the file, on its own connection, which
// no writer blocks. Shared by all loops; a mutex admits one read at a time. Logs that are damaged
// or can't be read count as missing.
#pragma once

#include "hub/journal/log_store.hpp"
#include "hub/journal/record.hpp"
#include "hub/journal/sqlite.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

namespace gamehub::journal {

class log_reader {
 public:
  explicit log_reader(std::filesystem::path file) : file_(std::move(file)) {}

  // As journal::read().
  std::vector<record> read(game_id, record_number after) noexcept;
  // Returns the log of an ended game.
  std::optional<game_log> find_ended(game_id) noexcept;
  // As log_store::read_kept().
  std::optional<log_store::kept_log> read_kept(game_id) noexcept;
  // As journal::ended_before().
  std::vector<game_id> ended_before(game_id, std::size_t most) noexcept;

 private:
  void connect();
  // Connects if necessary and runs the function. Returns false if that failed; the next call
  // connects again.
  template <class Work>
  bool attempt(Work) noexcept;

  std::filesystem::path file_;
  std::mutex mutex_;
  sqlite::database db_;
  sqlite::statement ended_, kept_, open_, list_;
};

}  // namespace gamehub::journal
