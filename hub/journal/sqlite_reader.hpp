// Logs of games that are no longer open, from the file. Shared by all loops: one read at a time, on
// a connection of its own that no writer holds up. What can't be read or is damaged is nothing.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "hub/journal/record.hpp"
#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

class log_reader {
 public:
  explicit log_reader(std::filesystem::path file) : file_(std::move(file)) {}

  std::vector<record> read(game_id, record_number after) noexcept;
  std::optional<game_log> find_ended(game_id) noexcept;
  // Smaller ids, the greatest first.
  std::vector<game_id> ended_before(game_id, std::size_t most) noexcept;

 private:
  void connect();
  // Does it on a connection that stands. False if that failed: the next time begins anew.
  template <class Work>
  bool attempt(Work) noexcept;

  std::filesystem::path file_;
  std::mutex mutex_;
  sqlite::database db_;
  sqlite::statement ended_, kept_, list_;
};

}  // namespace gamehub::journal
