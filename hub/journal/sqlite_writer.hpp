// The durable journal and its writer thread: the class behind open_sqlite_journal(). Public calls
// come from any thread; tests construct it with smaller bounds.
#pragma once

#include "hub/journal/clock_watch.hpp"
#include "hub/journal/sqlite_checkpointer.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_group_commit.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/journal/sqlite_reader.hpp"
#include "hub/journal/sqlite_store.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace gamehub::journal {

class sqlite_writer final : public sqlite_journal {
 public:
  sqlite_writer(const sqlite_settings&, const sqlite_tuning&,
                std::function<void(std::string_view)> log_trouble);
  ~sqlite_writer() override;

  void open(const game_header&) override;
  record_number append(game_id, std::span<const record>, commit_listener&) override;
  void flush() override;
  std::optional<game_log> find(game_id) const override;
  std::vector<game_id> ended_before(game_id, std::size_t most) const override;
  void claim_games(game_id upto) override;
  std::vector<record> read(game_id, record_number after) const override;
  std::vector<game_header> open_games() const override;
  bool durable() const override { return true; }
  numbers last_numbers() const override;
  base::wall_time last_written() const override;
  std::optional<std::string> trouble() const override;
  bool congested() const override { return congested_.load(std::memory_order_relaxed); }
  void announce_replay(std::span<const game_id>) override;
  void replayed(std::span<const game_id>) override;
  int suspicions(game_id) const override;
  void quarantine(game_id, const std::string& why) override;
  sqlite_report report() const override;
  bool left_open() const override { return lock_.left_open(); }

 private:
  void run();
  void wait_for_work(std::unique_lock<std::mutex>&);
  bool write_until_done();
  bool try_to_write(bool again);
  void begin_trouble(const std::string& text);
  void end_trouble();
  void finish_commit();
  void notify_listeners();
  void maintain(bool idle);
  void delete_old();
  // Returns true if the age of games can be computed.
  bool check_clock();
  void report_deleted(bool all);
  void maintain_log();
  void empty_log();
  void wake(std::unique_lock<std::mutex>&);
  void write_now(std::unique_lock<std::mutex>&);

  const sqlite_settings settings_;
  const sqlite_tuning tuning_;
  const std::function<void(std::string_view)> log_trouble_;

  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::condition_variable work_, written_;
  group_commit_buffer buffer_;
  std::unordered_map<game_id, int> suspicions_;
  std::string trouble_;
  sqlite_report report_;
  batch_number committed_ = 0;
  std::size_t pending_records_ = 0;  // includes the batch that is being written
  bool flushed_ = false, sleeping_ = false, stopping_ = false;

  std::atomic<bool> congested_{false};

  // Used by the writer thread alone:
  batch writing_;
  std::string row_;
  std::vector<std::pair<commit_listener*, std::vector<commit>>> commits_;
  std::vector<group_commit_buffer::games::node_type> removed_;
  std::chrono::steady_clock::time_point maintained_{};
  // Why the latest deletion step deleted games, so that another one follows.
  enum class deletion : std::uint8_t { none, by_age, by_size } deleting_ = deletion::none;
  clock_watch clock_watch_{base::wall_time{}};
  // Deleted games that on_deleted() has not been told of.
  struct unreported {
    std::uint64_t games = 0;
    std::chrono::steady_clock::time_point at{};
  } unreported_[2];
  // The write-ahead log in pages: its length now, at the last checkpoint of the checkpointer, and
  // when the writer last emptied it; and the passes of the checkpointer before that.
  struct {
    int pages = 0, moved = 0, emptied = 0, passes = 0;
  } log_;

  file_lock lock_;
  sqlite_store store_;
  mutable log_reader reader_;
  checkpointer checkpointer_;
  std::thread thread_;
};

}  // namespace gamehub::journal
