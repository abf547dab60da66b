// The durable journal's connection to its file, by which one thread writes: batches, whole logs and
// suspicions in one transaction, and deletion in pieces. Owned by the writer thread; what fails
// throws sqlite::error and leaves the file as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <unordered_map>

#include "hub/journal/sqlite.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_gathering.hpp"
#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::journal {

class sqlite_store {
 public:
  struct contents {
    open_game_recovery logs;
    std::unordered_map<game_id, int> suspicions;
    std::uint64_t ended = 0, quarantined = 0;
  };

  sqlite_store(std::filesystem::path, durability, std::chrono::milliseconds lock_max);

  // Brings the file to the newest schema, counts replays that did not come to their end, and reads
  // all but ended games. Throws unusable_file, too.
  contents open();

  // Writes one transaction. Requires: `row` is what append_row() made of the batch.
  void write(const batch&, std::string_view row);
  // Whether a transaction that seemed to fail was written after all. Opens the file anew, in case
  // the connection is what suffers.
  bool has_after_failure(batch_number);

  // Deletes up to `most` ended games, the oldest, that ended before; returns how many.
  std::uint64_t delete_ended(wall_time before, std::int64_t most);

  std::uint64_t bytes_used();
  int log_pages() const { return log_pages_; }
  // Empties the write-ahead log into the file, as far as readers let it.
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
