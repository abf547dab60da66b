// The connection with which the journal writes its file: batches, complete logs and suspicions in
// one transaction, and deletion in steps. Used by the writer thread alone. A failed call throws
// sqlite::error and changes nothing in the file.
#pragma once

#include "hub/journal/sqlite.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_group_commit.hpp"
#include "hub/journal/sqlite_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <unordered_map>

namespace gamehub::journal {

class sqlite_store {
 public:
  struct contents {
    open_game_recovery logs;
    std::unordered_map<game_id, int> suspicions;
    std::uint64_t ended = 0, quarantined = 0;
  };

  sqlite_store(std::filesystem::path, durability, std::chrono::milliseconds lock_max);

  // Migrates the file, counts unfinished replays, and reads all games that have not ended. Also
  // throws unusable_file.
  contents open();

  // Writes one transaction. Requires: `row` is what append_row() made of the batch.
  void write(const batch&, std::string_view row);
  // Returns true if a transaction that reported a failure was written. Reopens the file, because
  // the connection itself may be the cause.
  bool has_after_failure(batch_number);

  // Deletes up to `most` of the oldest games that ended before this time. Returns how many.
  std::uint64_t delete_ended(base::wall_time before, std::int64_t most);

  // Returns the bytes in use of the main file.
  std::uint64_t bytes_used();
  // Returns the length of the write-ahead log.
  int log_pages() const { return log_pages_; }
  // Copies the write-ahead log to the file, as far as readers allow it.
  void empty_log();

 private:
  void connect();
  void require_in_place() const;
  void prepare();
  void write_parts(const batch&, std::string_view row);
  void write_closed(const batch::touch&);
  template <class Work>
  void transaction(Work&&);

  std::filesystem::path file_;
  file_identity identity_;
  durability safe_from_;
  std::chrono::milliseconds lock_max_;
  int log_pages_ = 0;
  std::uint64_t page_bytes_ = 0;
  sqlite::database db_;
  sqlite::statement begin_, commit_, add_batch_, add_ended_, add_kept_, drop_kept_, free_batches_,
      announce_, clear_suspicion_, oldest_, delete_upto_, pages_, free_pages_;
};

}  // namespace gamehub::journal
