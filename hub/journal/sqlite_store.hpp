// The log store of one SQLite file: batches, complete logs and suspicions in one transaction,
// deletion in steps, and checkpoints of the write-ahead log. The file has one log, which a lock
// guards while this object lives; so no append is fenced, and what is in the file stays there. A
// failed append is rolled back. Used by log_writer; the reading functions are for any thread.
#pragma once

#include "hub/journal/group_commit.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/sleeper_rows.hpp"
#include "hub/journal/sqlite.hpp"
#include "hub/journal/sqlite_checkpointer.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/journal/sqlite_reader.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace gamehub::journal {

// Bounds that no setting changes. Tests make them small.
struct sqlite_tuning : writer_tuning {
  // Pages of the write-ahead log at which the checkpointer copies them to the file (2 MiB: commits
  // are slower meanwhile), and at which the writer does (256 MiB): the log can restart only while
  // no commit runs.
  int log_pages_soft = 2 * 256;
  int log_pages_hard = 256 * 256;
  // How long a transaction waits while another program locks the file.
  std::chrono::milliseconds lock_max{1'000};
};

class sqlite_store final : public log_store {
 public:
  // Creates and locks the file, with its folders or not. Throws unusable_file.
  sqlite_store(std::filesystem::path, durability, const sqlite_tuning&, bool makes_folders = true);

  log_contents open() override;
  append_result append(const log_batch&) override;
  append_result confirm() override { return {append_outcome::written, {}}; }
  std::optional<std::int64_t> find_batch(batch_number) override;
  std::uint64_t delete_ended(base::wall_time before, std::int64_t most) override;
  // Of the main file.
  std::uint64_t bytes_used() override;
  void maintain() noexcept override;
  std::uint64_t maintenance_failures() const noexcept override;
  std::vector<record> read(game_id id, record_number after) noexcept override {
    return reader_.read(id, after);
  }
  std::optional<game_log> find_ended(game_id id) noexcept override {
    return reader_.find_ended(id);
  }
  std::vector<game_id> ended_before(game_id id, std::size_t most) noexcept override {
    return reader_.ended_before(id, most);
  }
  bool keeps_sleepers() const noexcept override { return true; }
  std::optional<sleeping_log> read_asleep(game_id id) noexcept override {
    return reader_.read_asleep(id);
  }
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) noexcept override {
    return reader_.asleep_with(key, most);
  }
  std::vector<game_id> asleep_before(std::string_view engine, game_id id,
                                     std::size_t most) noexcept override {
    return reader_.asleep_before(engine, id, most);
  }
  std::vector<journal::due_game> due_after(journal::due_game after,
                                           std::size_t most) noexcept override {
    return reader_.due_after(after, most);
  }
  bool begin_trial(game_id id) noexcept override { return lock_.add_note(id.value); }
  bool end_trial(game_id id) noexcept override { return lock_.remove_note(id.value); }
  void add_pause(const pause&) override;

 private:
  void connect();
  void require_in_place() const;
  void prepare();
  bool has_after_failure(const log_batch&);
  void write(const log_batch&);
  void write_parts(const log_batch&);
  void empty_log() noexcept;
  template <class Work>
  void transaction(Work&&);

  std::filesystem::path file_;
  durability safe_from_;
  std::chrono::milliseconds lock_max_;
  int log_pages_soft_, log_pages_hard_;

  file_lock lock_;
  file_identity identity_;
  batch_number last_ = 0;  // the latest batch
  bool failed_ = false;    // the last append; the connection itself may be the cause
  int log_pages_ = 0;      // the length of the write-ahead log
  std::uint64_t page_bytes_ = 0;
  sqlite::database db_;
  sqlite::statement begin_, commit_, add_batch_, add_ended_, add_kept_, drop_kept_, free_batches_,
      announce_, clear_suspicion_, oldest_, delete_upto_, pages_, free_pages_;
  sleeper_rows sleepers_;
  // The write-ahead log in pages: its length now, at the last checkpoint of the checkpointer, and
  // when the writer last emptied it; and the passes of the checkpointer before that.
  struct {
    int pages = 0, moved = 0, emptied = 0, passes = 0;
  } log_;
  std::atomic<std::uint64_t> failures_{0};
  log_reader reader_;
  checkpointer checkpointer_;
};

}  // namespace gamehub::journal
