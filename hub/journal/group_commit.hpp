// The in-memory half of the durable journal: the logs of open games, and the batch of pending
// records, which is committed in one transaction. Owned by log_writer, which locks its mutex around
// every call; functions that need no lock say so.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/journal.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/recovery.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gamehub::journal {

// Bounds of the durable journal that no setting changes. Tests make them small.
struct writer_tuning {
  // Bytes of batches that are retained for open games. Above this, the complete logs of the oldest
  // games are written. The bound limits the reading at a start, and lets most games end before
  // their records are written twice.
  std::uint64_t redo_bytes_max = 64 << 20;
  // Bounds of that work, and of the deletion of batches, in one transaction.
  std::size_t kept_per_transaction_max = 128;
  std::uint64_t freed_per_transaction_max = 1 << 20;
  // Fewer bytes of batches are not deleted yet: one deletion of many takes less than each alone.
  std::uint64_t freed_per_transaction_min = 16 << 10;

  // The longest time that records stay pending without a flush().
  std::chrono::milliseconds unflushed_max{50};

  // Pause after a failure; it doubles each time.
  std::chrono::milliseconds retry_min{50}, retry_max{1'000};
  std::size_t pending_max = limits::journal_pending_max;

  // Ended games that are deleted in one transaction, and the pause between two deletions.
  std::int64_t deleted_at_once = 200;
  std::chrono::milliseconds deletion_pause{25};
  std::chrono::milliseconds idle_pause{1'000};

  // Returns the time of day, from which the age of ended games is computed, and the time that
  // verifies it.
  std::function<base::wall_time()> now;
  std::function<base::instant()> steady_now;

  // Games that are asleep are those of all members of a shared log: the writer sets it.
  bool shares_sleepers = false;

  // There is no writer thread: a simulation calls log_writer::step(). What was not written when
  // the journal is destroyed is lost.
  bool by_hand = false;
};

// An open game is to leave memory.
struct sleep_request {
  sleep_entry entry;
  std::function<void(game_id)> then;
};

struct open_game {
  std::string log;  // the header, then the records
  record_number appended = 0;
  std::atomic<record_number> committed{0};
  batch_number anchor = 0;  // the first batch with records that no row of `kept` has; 0: none
  batch_number touched_in = 0;
  std::uint32_t touched_at = 0;
  std::shared_ptr<const sleep_request> leaving;  // null: it stays
  batch_number left_in = 0;                      // the batch that has it asleep
  bool kept = false;     // there is a row of `kept`, or will be with the batch that is written
  bool closed = false;   // ended, in quarantine, or handed over: no more records
  bool adopted = false;  // the log of another member has it, and this one has no row of it yet
  // It was asleep: the row of that is there, with its first records.
  std::optional<open_log::filed_row> filed;
};

// The contents of one transaction.
struct batch {
  enum class closing : std::uint8_t { no, ended, quarantined, released };

  // One game with new records.
  struct touch {
    game_id id;
    open_game* game = nullptr;
    commit_listener* listener = nullptr;
    record_number before = 0, last = 0;
    closing how = closing::no;
    bool opened_here = false;  // its header is in this batch
    bool was_kept = false;
    batch_number anchor = 0;  // if the game is closed
    base::wall_time ended{};
    std::string why;         // of the quarantine
    bool suspected = false;  // this and the next: of a game that is released
    std::vector<std::string> keys;
    bool own_keys = false;  // as of released_game
  };
  // A game's header (0 records) or records, in `bytes`.
  struct batch_part {
    std::uint32_t touch = 0, records = 0;
    std::size_t bytes = 0;
  };
  // The complete log of a game that continues.
  struct copy {
    game_id id;
    std::string log;
    record_number records = 0;
    batch_number released = 0;
    std::shared_ptr<const sleep_request> sleeps = nullptr;  // not null: it leaves memory
    bool was_kept = false, was_filed = false;               // of one that does
  };
  batch_number number = 0;
  std::string bytes;
  std::vector<batch_part> parts;
  std::vector<touch> touches;
  std::vector<game_id> anchored;
  std::vector<copy> copies;
  std::vector<log_batch::suspicion> suspicions;
  std::vector<game_id> replayed;
  std::vector<game_id> leaving;  // games that are to leave memory
  std::vector<game_id> woken;    // as of log_batch
  std::size_t records = 0;
  journal::numbers last;
  bool claims = false;  // it reserves ids that no record has
  base::wall_time at{};
  batch_number free_below = 0;  // batches with smaller numbers can be deleted

  // Returns true if there is nothing to write.
  bool empty() const { return can_wait() && leaving.empty(); }
  // Returns true if no output waits for it: games may leave memory later.
  bool can_wait() const { return touches.empty() && suspicions.empty() && !claims; }
  void clear();
};

// Appends the row of the batch: the entries of all games that are still open after it.
void append_row(const batch&, std::string& out);

// Describes the batch for a store. Views in `out` are valid until `batch` or `row` changes.
// Requires: `row` is what append_row() made of the batch.
void describe(const batch&, std::string_view row, log_batch& out);

class group_commit_buffer {
 public:
  explicit group_commit_buffer(const writer_tuning&);

  // Takes the recovered logs, except those in quarantine. `asleep` games are not among them.
  void load(open_game_recovery&, std::uint64_t asleep = 0);

  // Takes the open games of a log that this member has adopted, except those that it has already.
  // The first batch that touches such a game or reports its replay has its complete log. Damaged
  // games go into quarantine. Returns the headers of the others.
  std::vector<game_header> adopt(open_game_recovery&);
  // Returns true if there is a game of which only an adopted log has a row.
  bool has_adopted() const;
  // Returns true if the game is open, or its end is not committed.
  bool has(game_id id) const { return games_.contains(id); }

  // As journal::open() and append().
  void open(const game_header&);
  record_number append(game_id, std::span<const record>, commit_listener&);
  // Records that replays begin (announced) or succeeded.
  void suspect(std::span<const game_id>, bool announced);
  // As journal::announce_move(). Returns false if there is no such open game.
  bool announce_move(game_id, commit_listener&);
  // Reserves ids up to this one.
  void claim(game_id upto);
  // Returns false if there is no such open game.
  bool quarantine(game_id, const std::string& why);

  // As journal::hand_over(). Returns false if there is no such open game.
  bool hand_over(const handed_game&);
  // The same without a listener; a suspicion and these keys go with the game.
  bool hand_over_unplayed(game_id, bool suspected, std::vector<std::string> keys);

  // As journal::put_to_sleep(). `now`: the file has the game already.
  enum class sleeping : std::uint8_t { no, soon, now };
  sleeping put_to_sleep(std::shared_ptr<const sleep_request>);
  // If the game is in memory, it stays there. Returns false if it is not, or another member may
  // take it soon, because the batch that is written has it asleep.
  bool stay_awake(game_id);
  // The game was read from the file.
  void wake(game_id, log_store::sleeping_log);
  // This member has taken the game, and has a row of `kept` for it. Returns false if it had taken
  // it before.
  bool take(game_id, const log_store::sleeping_log&);
  // Returns the number of games that only the file has. Needs no lock.
  std::uint64_t asleep() const { return asleep_.load(std::memory_order_relaxed); }

  // Returns a copy, to be parsed without the lock. Nothing: the game is not open.
  struct committed_log {
    std::string bytes;
    record_number records = 0;
    record_number appended = 0;  // with those that are not committed
  };
  std::optional<committed_log> read(game_id) const;
  // Returns the headers of all open games.
  std::vector<game_header> headers() const;

  const batch& pending() const { return pending_; }
  const journal::numbers& last() const { return pending_.last; }
  base::wall_time last_written() const { return pending_.at; }
  std::size_t open_count() const { return games_.size(); }

  // Swaps the pending batch into `out`, which was cleared, and adds the work that bounds the
  // batches in the file.
  void take(batch& out);

  // Called in this order after the batch was committed. mark_committed() needs no lock, because the
  // games of the batch stay until finish_commit(). That one removes the games that ended or sleep
  // from memory into `removed`, which the caller destroys without the lock.
  static void mark_committed(const batch&);
  // `slept` gets those that sleep now.
  using games = std::unordered_map<game_id, open_game>;
  using slept_games = std::vector<std::shared_ptr<const sleep_request>>;
  void finish_commit(const batch&, std::uint64_t row_bytes, std::vector<games::node_type>& removed,
                     slept_games& slept);

 private:
  struct redo_batch {
    batch_number number = 0;
    std::uint64_t bytes = 0;
    std::size_t open = 0;  // games that have it as anchor
    std::vector<game_id> anchored;
  };

  void write_header(game_id, open_game&);
  batch::touch* close_released(game_id);
  batch::touch& touch(game_id, open_game&);
  void own_adopted(batch& out);
  void store_leaving(batch& out);
  void retain_oldest(batch& out);
  bool retain(redo_batch&, std::size_t copies_max, batch& out);
  void free_oldest(batch& out);
  void release(batch_number anchor);

  const writer_tuning& tuning_;
  games games_;
  batch pending_;
  std::deque<redo_batch> redo_;  // the batches in the file, oldest first, without gaps
  std::uint64_t redo_bytes_ = 0;
  std::atomic<std::uint64_t> asleep_{0};
};

// Parses `upto` records of a log. Returns nothing if the log is damaged or shorter.
std::optional<game_log> log_of(std::string_view log, record_number upto);

// Parses the records of a complete log with numbers above `after`. Stops at the first that can't be
// parsed.
std::vector<record> records_of(std::string_view log, record_number upto, record_number after);

}  // namespace gamehub::journal
