// The half of the durable journal that lies in memory: the logs of open games, and the batch of
// what waits to be written. Owned and locked by the journal; what may be called without its lock is
// said at the function.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hub/journal/journal.hpp"
#include "hub/journal/sqlite_redo.hpp"
#include "hub/journal/sqlite_tuning.hpp"

namespace gamehub::journal {

struct open_game {
  std::string log;  // the header, then the records
  record_number appended = 0;
  std::atomic<record_number> committed{0};
  batch_number anchor = 0;  // as in open_log
  batch_number touched_in = 0;
  std::uint32_t touched_at = 0;
  bool kept = false;  // there is a row of `kept`
  bool gone = false;  // nothing more may be appended
};

// What is written in one transaction.
struct batch {
  enum class leaves : std::uint8_t { no, ended, quarantined };

  // One game that did something.
  struct touch {
    game_id id;
    open_game* game = nullptr;
    commit_listener* listener = nullptr;
    record_number before = 0, last = 0;
    leaves how = leaves::no;
    bool opened_here = false;
    bool was_kept = false;
    batch_number anchor = 0;  // of a game that leaves
    wall_time ended{};
    std::string why;  // quarantined
  };
  // A game's header (no records) or records, in `bytes`.
  struct piece {
    std::uint32_t touch = 0, records = 0;
    std::size_t bytes = 0;
  };
  // The log so far of a game that goes on.
  struct copy {
    game_id id;
    std::string log;
    record_number records = 0;
    batch_number released = 0;
  };
  struct suspicion {
    game_id game;
    bool announced = false;  // or replayed
  };

  batch_number number = 0;
  std::string bytes;
  std::vector<piece> parts;
  std::vector<touch> touches;
  std::vector<game_id> anchored;
  std::vector<copy> copies;
  std::vector<suspicion> suspicions;
  std::size_t records = 0;
  journal::numbers last;
  bool claims = false;  // numbers that no record has
  wall_time at{};
  batch_number free_below = 0;  // batches that nothing needs any more

  bool empty() const { return touches.empty() && suspicions.empty() && !claims; }
  void clear();
};

// The batch's row: entries of all games but those that leave with it.
void append_row(const batch&, std::string& out);

class group_commit_buffer {
 public:
  explicit group_commit_buffer(const sqlite_tuning&);

  // Takes what the file holds; logs in quarantine or damaged are not among the open ones.
  void load(open_game_recovery&);

  void open(const game_header&);
  record_number append(game_id, std::span<const record>, commit_listener&);
  void suspect(std::span<const game_id>, bool announced);
  void claim(game_id upto);
  // Whether there was such an open game.
  bool quarantine(game_id, const std::string& why);

  // A copy, to be read without the lock; nothing: the game is not open.
  struct committed_log {
    std::string bytes;
    record_number records = 0;
  };
  std::optional<committed_log> read(game_id) const;
  std::vector<game_header> headers() const;

  const batch& pending() const { return pending_; }
  const journal::numbers& last() const { return pending_.last; }
  wall_time last_written() const { return pending_.at; }
  std::size_t open_count() const { return games_.size(); }

  // Swaps the pending batch into `out`, which was cleared, and adds the work that keeps the file's
  // batches bounded.
  void take(batch& out);

  // After the batch was committed. The first without a lock, as its games are its own until the
  // second, which takes the games that left out of memory; they die with `left`, also without one.
  static void mark_committed(const batch&);
  using games = std::unordered_map<game_id, open_game>;
  void settle(const batch&, std::uint64_t row_bytes, std::vector<games::node_type>& left);

 private:
  struct redo_batch {
    batch_number number = 0;
    std::uint64_t bytes = 0;
    std::size_t open = 0;  // games whose anchor it is
    std::vector<game_id> anchored;
  };

  void write_header(game_id, open_game&);
  batch::touch& touch(game_id, open_game&);
  void retain_oldest(batch& out);
  bool keep(redo_batch&, std::size_t copies_max, batch& out);
  void free_oldest(batch& out);
  void release(batch_number anchor);

  const sqlite_tuning& tuning_;
  games games_;
  batch pending_;
  std::deque<redo_batch> redo_;  // the file's, oldest first, without gaps
  std::uint64_t redo_bytes_ = 0;
};

// A log as values, if it is no longer than that and nothing of it is damaged.
std::optional<game_log> log_of(std::string_view log, record_number upto);

// Records above a number from a whole log; those before what can't be read.
std::vector<record> records_of(std::string_view log, record_number upto, record_number after);

}  // namespace gamehub::journal
