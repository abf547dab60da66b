// The durable journal and its writer thread, for any log store. Public calls come from any thread;
// tests construct it with smaller bounds. The store is used by the thread that constructs this
// object, then by the writer thread.
#pragma once

#include "hub/journal/clock_watch.hpp"
#include "hub/journal/durable_journal.hpp"
#include "hub/journal/group_commit.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/read_queue.hpp"
#include "hub/journal/shared_log.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gamehub::journal {

// A log that this member has adopted.
struct adopted_log {
  member_id member;
  std::vector<game_header> games;     // to be replayed; from now on open games of this journal
  base::wall_time last_written{};     // the member lived until then at least
  std::optional<std::string> damage;  // of its rows; the games without damage are there
};

// Returns how long the writer of a shared log waits after a batch of this many games that took so
// long to write. Half of that time makes batches half as large again, for which hubs and their
// database do less work. After a small batch it does not wait: the hub has little to do, and a
// pause would only make its moves slower.
std::chrono::nanoseconds pause_after(std::size_t games, std::chrono::nanoseconds took);

class log_writer : public durable_journal {
 public:
  // Opens the store; throws what its open() throws. `log_trouble` is called on the writer thread
  // when trouble() begins (with its text) and when it ends (with an empty text).
  log_writer(std::unique_ptr<log_store>, retention_settings, const writer_tuning&,
             std::function<void(std::string_view)> log_trouble);
  // Writes the pending records, if the store can write them.
  ~log_writer() override;

  void open(const game_header&) override;
  record_number append(game_id, std::span<const record>, commit_listener&) override;
  void flush() override;
  std::optional<game_log> find(game_id) const override;
  std::optional<game_log> find_open(game_id) const override;
  std::optional<game_log> find_appended(game_id) const override;
  std::vector<game_id> ended_before(game_id, std::size_t most) const override;
  bool reads_wait() const override { return reads_ != nullptr; }
  bool read_later(std::function<void()>&&) override;
  bool reads_full() const override { return reads_ && reads_->full(); }
  void claim_games(game_id upto) override;
  std::vector<record> read(game_id, record_number after) const override;
  std::vector<game_header> open_games() const override;
  bool durable() const override { return true; }
  numbers last_numbers() const override;
  base::wall_time last_written() const override;
  std::optional<std::string> trouble() const override;
  // What is pending when another member owns the log stays, and nothing waits for it.
  bool congested() const override {
    return congested_.load(std::memory_order_relaxed) && !fenced();
  }
  void announce_replay(std::span<const game_id>) override;
  void replayed(std::span<const game_id>) override;
  announced announce_move(game_id, commit_listener&) override;
  void move_survived(game_id) override;
  int suspicions(game_id) const override;
  // None is taken while this member has logs of others that are not released: their games are in
  // two logs.
  std::vector<game_id> hand_over(std::span<const handed_game>) override;
  // True if logs of other members were adopted and are not released: no game can be handed over.
  bool has_other_logs() const { return has_other_logs_; }
  bool stores_away() const override { return store_->keeps_sleepers(); }
  bool shares_sleepers() const override { return tuning_.shares_sleepers; }
  // None falls asleep in a shared log before allow_sleep(), nor while this member has logs of
  // others that are not released: its games may be in two logs.
  bool may_put_to_sleep() const override {
    return stores_away() && (!shares_sleepers() || (sleep_allowed_ && !has_other_logs_));
  }
  // All members know games that are asleep.
  void allow_sleep(bool all_know_it) { sleep_allowed_ = all_know_it; }
  taken_sleepers take_asleep(const sleeper_query&) override;
  bool put_to_sleep(sleep_entry, std::function<void(game_id)> then) override;
  bool bring_back(game_id) override;
  std::optional<sleeping_game> find_asleep(game_id) const override;
  bool is_damaged(game_id) const override;
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) const override;
  std::size_t count_asleep(const std::string& key, std::size_t most) const override;
  std::vector<game_id> asleep_before(std::string_view engine, game_id before,
                                     std::size_t most) const override {
    return store_->asleep_before(engine, before, most);
  }
  std::vector<due_game> due_after(due_game after, std::size_t most) const override {
    return store_->due_after(after, most);
  }
  std::uint64_t asleep() const override { return buffer_.asleep(); }
  void quarantine(game_id, const std::string& why) override;
  journal_report report() const override;
  bool left_open() const override { return left_open_; }

  // Adopts another member of a shared log. Returns its log and those that it had adopted, except
  // what an earlier call returned; nothing: another member has it, or the database does not answer.
  // read() finds the games at once. Blocks on the database; not for loops. Throws an exception of
  // the database. Requires: the store is a shared_log.
  std::optional<std::vector<adopted_log>> adopt(member_id);
  // Takes adopted games that this hub can't replay into its own log. Suspects stay suspects, but
  // not in the log before hand_over_unplayed(): it would count twice there. Blocks on the database;
  // not for loops.
  void keep_adopted(std::span<const game_id>);
  // Hands over such games to the other members, with the keys of their players that adopted members
  // have. Returns false if this member still has logs of others. Requires: no actor plays them.
  struct unplayed_game {
    game_id id;
    std::vector<std::string> keys;
  };
  bool hand_over_unplayed(std::span<const unplayed_game>);
  // Deletes what adopt() returned last from the other logs. Requires: replayed(), keep_adopted() or
  // quarantine() was called for the games. Returns false if it must be called again.
  bool release_adopted();
  // States whether the database still has logs that adopt() returned: an earlier release_adopted()
  // may have failed, or have succeeded though it returned false.
  void note_other_logs(bool there) { has_other_logs_ = there; }
  // Returns true until it is committed that the game has ended or was handed over.
  bool is_open(game_id) const;

  // Returns true if another member owns the log. No record that is pending then will be committed,
  // and no later one: trouble() says why.
  bool fenced() const { return fenced_.load(std::memory_order_relaxed); }
  // Calls the function once if another member owns the log, now or later, on the thread that finds
  // out. It must not call this object. Empty: none; the one before is not running any more then.
  void at_fencing(std::function<void(const std::string& why)>);
  // Another member owns the log, as someone else found out. Any thread.
  void fence(const std::string& why);

  // Calls the reads that wait; from now on read_later() accepts none. Called before what they use
  // is destroyed.
  void stop_reading();

  // Calls the function with the store on the writer thread, between two batches; never, if the
  // journal ends or is fenced before that. Commits wait for it. Any thread; does not block.
  void on_store(std::function<void(log_store&)>);

  // With writer_tuning::by_hand, what the writer thread does in one round: the waiting tasks, then
  // one attempt to write a batch. Returns false if it did nothing, or could not write.
  bool step();

 private:
  // Returns the committed log of an open game.
  std::optional<group_commit_buffer::committed_log> read_open(game_id) const;
  // Returns the log of a game that is asleep; nothing: the file has no such game,
  // or a damaged one, or can't be read.
  std::optional<log_store::sleeping_log> read_asleep(game_id) const;
  struct key_games {
    std::vector<game_id> games;
    bool all = false;  // that the file has
  };
  // Returns the games of the latest rows with the key, without those that are open here.
  key_games latest_asleep(const std::string& key, std::size_t rows) const;
  // Runs a function on the writer thread, after everything that is pending now was written. Returns
  // false if the journal can't write: the function did not run.
  bool run_on_writer(const std::function<void(shared_log&)>&);
  void run();
  void run_tasks(std::unique_lock<std::mutex>&);
  void wait_for_work(std::unique_lock<std::mutex>&);
  void wait_for_group(std::unique_lock<std::mutex>&);
  void take_batch(std::unique_lock<std::mutex>&);
  bool write_until_done();
  append_outcome try_to_write();
  void begin_trouble(const append_result&);
  void end_trouble();
  void finish_commit();
  void count_closed(batch::closing);
  void notify_listeners();
  void maintain(bool idle);
  void delete_old();
  // Returns true if the age of games can be computed.
  bool check_clock();
  void report_deleted(bool all);
  void wake(std::unique_lock<std::mutex>&);
  void write_now(std::unique_lock<std::mutex>&);

  const retention_settings settings_;
  const writer_tuning tuning_;
  const std::function<void(std::string_view)> log_trouble_;

  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::condition_variable work_, written_;
  group_commit_buffer buffer_;
  std::unordered_map<game_id, int> suspicions_;
  std::string trouble_;
  std::vector<std::function<void(log_store&)>> tasks_;
  journal_report report_;
  batch_number committed_ = 0;
  std::size_t pending_records_ = 0;  // includes the batch that is being written
  bool flushed_ = false, sleeping_ = false, stopping_ = false;

  std::atomic<bool> congested_{false}, fenced_{false};
  std::atomic<bool> has_other_logs_{false};  // adopted, and not released
  std::atomic<bool> sleep_allowed_{false};   // in a shared log
  std::mutex fencing_;
  std::function<void(const std::string&)> at_fencing_;  // guarded by `fencing_`
  bool left_open_ = false;

  // Used by the writer thread alone:
  enum class batch_in_hand : std::uint8_t { none, tried, never_written } in_hand_{};  // of step()
  batch writing_;
  // The latest that was written.
  std::chrono::steady_clock::time_point written_at_{};
  std::chrono::nanoseconds took_{0};
  std::string row_;
  log_batch described_;
  std::vector<std::pair<commit_listener*, std::vector<commit>>> commits_;
  std::vector<group_commit_buffer::games::node_type> removed_;
  group_commit_buffer::slept_games slept_;
  std::chrono::steady_clock::time_point maintained_{};
  // Why the latest deletion step deleted games, so that another one follows.
  enum class deletion : std::uint8_t { none, by_age, by_size } deleting_ = deletion::none;
  clock_watch clock_watch_{base::wall_time{}};
  // Deleted games that on_deleted() has not been told of.
  struct unreported {
    std::uint64_t games = 0;
    std::chrono::steady_clock::time_point at{};
  } unreported_[2];

  // Used by the thread that adopts:
  std::unordered_set<member_id> loaded_;
  std::vector<member_id> unreleased_;

  const std::unique_ptr<log_store> store_;
  const bool shared_;                        // the store is a shared_log
  const std::unique_ptr<read_queue> reads_;  // null: the store's reads do not wait
  std::thread thread_;
};

}  // namespace gamehub::journal
