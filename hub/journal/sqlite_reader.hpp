// Reads the logs of ended, quarantined and sleeping games from the file, on its own connection,
// which no writer blocks. Shared by all loops; a mutex admits one read at a time. Logs that are
// damaged or can't be read count as missing.
#pragma once

#include "hub/journal/log_store.hpp"
#include "hub/journal/record.hpp"
#include "hub/journal/sqlite.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::journal {

class log_reader {
 public:
  explicit log_reader(std::filesystem::path file) : file_(std::move(file)) {}

  // As journal::read().
  std::vector<record> read(game_id, record_number after) noexcept;
  // Returns the log of an ended game.
  std::optional<game_log> find_ended(game_id) noexcept;
  // As those of log_store.
  std::optional<log_store::sleeping_log> read_asleep(game_id) noexcept;
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) noexcept;
  std::vector<game_id> asleep_before(std::string_view engine, game_id, std::size_t most) noexcept;
  std::vector<journal::due_game> due_after(journal::due_game, std::size_t most) noexcept;
  // How asleep_keys has a key.
  static std::int64_t hash_of(const std::string& key);
  void set_pauses(std::vector<pause>);
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
  sqlite::statement ended_, kept_, list_, asleep_, with_key_, asleep_list_, asleep_all_, due_;
  std::vector<pause> pauses_;
};

}  // namespace gamehub::journal
