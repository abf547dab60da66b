// The durable journal with its bounds: what open_sqlite_journal() makes. Tests make it with bounds
// of their own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_gathering.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/journal/sqlite_log_mover.hpp"
#include "hub/journal/sqlite_reader.hpp"
#include "hub/journal/sqlite_store.hpp"
#include "hub/journal/sqlite_tuning.hpp"

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
  wall_time last_written() const override;
  std::optional<std::string> trouble() const override;
  bool congested() const override { return congested_.load(std::memory_order_relaxed); }
  void announce_replay(std::span<const game_id>) override;
  void replayed(std::span<const game_id>) override;
  int suspicions(game_id) const override;
  void quarantine(game_id, const std::string& why) override;
  sqlite_report report() const override;

 private:
  void run();
  void wait_for_work(std::unique_lock<std::mutex>&);
  bool write_until_done();
  bool try_to_write(bool again);
  void begin_trouble(const std::string& text);
  void end_trouble();
  void settle();
  void tell();
  void tend(bool idle);
  void delete_old();
  void tend_log();
  void empty_log();
  void wake(std::unique_lock<std::mutex>&);
  void write_now(std::unique_lock<std::mutex>&);

  const sqlite_settings settings_;
  const sqlite_tuning tuning_;
  const std::function<void(std::string_view)> log_trouble_;

  mutable std::mutex mutex_;
  // What the mutex guards:
  std::condition_variable work_, written_;
  group_commit_buffer buffer_;
  std::unordered_map<game_id, int> suspicions_;
  std::string trouble_;
  sqlite_report report_;
  batch_number committed_ = 0;
  std::size_t pending_records_ = 0;  // also those in the batch that is being written
  bool flushed_ = false, sleeping_ = false, stopping_ = false;

  std::atomic<bool> congested_{false};

  // What only the writer's thread touches, once it runs:
  batch writing_;
  std::string row_;
  std::vector<std::pair<commit_listener*, std::vector<commit>>> told_;
  std::vector<group_commit_buffer::games::node_type> left_;
  std::chrono::steady_clock::time_point tended_{};
  bool more_to_delete_ = false;
  // The write-ahead log in pages: now, at the last pass of the mover, when it was to begin anew.
  struct {
    int pages = 0, moved = 0, emptied = 0, passes = 0;
  } log_;

  file_lock lock_;
  sqlite_store store_;
  mutable log_reader reader_;
  checkpointer mover_;
  std::thread thread_;
};

}  // namespace gamehub::journal
