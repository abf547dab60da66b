// The port between the journal and the database that stores its log. log_writer gathers batches and
// appends them here, one at a time; a store neither gathers nor interprets them. Implementations: a
// SQLite file, and in tests a store with faults. tests/journal/log_store_contract.hpp is what every
// implementation must keep.
//
// Owned by log_writer. One thread at a time calls a store, except the functions that say otherwise.
#pragma once

#include "hub/journal/journal.hpp"
#include "hub/journal/recovery.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gamehub::journal {

// The store can't be used. The text is one sentence for the operator: the fault, the place, the
// remedy.
class unusable_log : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The content of one transaction: all of it is written, or nothing. Views are valid during
// append().
struct log_batch {
  // A game that ended: its complete log goes to the archive.
  struct ended_game {
    game_id id;
    base::wall_time ended{};
    record_number records = 0;
    std::string_view log;
    bool was_kept = false;  // its row of `kept` is deleted
  };
  // The complete log so far of a game that continues, or of one that goes into quarantine.
  struct kept_game {
    game_id id;
    record_number records = 0;
    std::string_view log;
    std::optional<std::string_view> quarantined;  // the reason
  };
  // The complete log of an open game that another member is to continue.
  struct released_game {
    game_id id;
    record_number records = 0;
    std::string_view log;
    bool was_kept = false;
    bool suspected = false;  // its suspicion is that of the new owner
    // Those of these keys of its players (shared_log.hpp) go to the new owner that members have
    // which this one has adopted; or `own_keys`: that this one has, too.
    std::vector<std::string> keys;
    bool own_keys = false;
  };
  // An open game that leaves memory; its row of `kept` is deleted.
  struct sleeping {
    game_id id;
    record_number records = 0;
    std::string_view log;
    const sleep_entry* entry = nullptr;
    bool was_kept = false;
    bool was_filed = false;  // it has a row of `asleep` from before, which is changed
  };
  struct suspicion {
    game_id game;
    bool announced = false;  // false: replayed
  };

  batch_number number = 0;
  base::wall_time at{};
  journal::numbers last;
  std::string_view entries;
  std::int64_t sum = 0;  // sum_of_batch() of the above
  std::vector<ended_game> ended;
  std::vector<kept_game> kept;
  std::vector<released_game> released;  // only in a shared log; its new owner needs engines_of()
  std::vector<sleeping> asleep;         // this and the next only if the store keeps_sleepers()
  std::vector<game_id> woken;  // their rows of `asleep` are deleted: `kept` or `ended` has them
  std::vector<suspicion> suspicions;
  batch_number free_below = 0;  // batches with smaller numbers are deleted; 0: none
};

// Returns the engines of these games, each once, as engine_name() has them.
std::set<std::string> engines_of(std::span<const log_batch::released_game>);

// How a database has names of engines: a line each.
std::string to_lines(const std::set<std::string>&);
std::set<std::string> from_lines(std::string_view);

enum class append_outcome : std::uint8_t {
  // The batch is stored, as durably as the store promises. It may be told.
  written,
  // A batch with this number and sum is there. It must not be told before confirm().
  present,
  // Another member owns the log. Nothing was written, and nothing will be: the writer stops.
  fenced,
  // Another batch has this number, the one before is missing, or it was deleted already: the
  // database went back in time, or is not the one that was opened. Nothing was written over it.
  conflict,
  // The batch was not written, or was written and the answer is lost, or will be written later.
  // Only the same batch may be appended next; the answer tells which it was.
  unknown,
};
std::string_view to_string(append_outcome);

struct append_result {
  append_outcome what = append_outcome::unknown;
  std::string why;  // a sentence for operators; empty if written or present
};

// What a store has when it opens.
struct log_contents {
  open_game_recovery logs;
  std::unordered_map<game_id, int> suspicions;
  std::uint64_t ended = 0, quarantined = 0;
  std::uint64_t asleep = 0;  // games that are not among `logs`
  // True if the hub that had the log before did not close it: it crashed or was killed.
  bool left_open = false;
};

class log_store {
 public:
  virtual ~log_store() = default;

  // Brings the schema up to date, counts unfinished replays, and reads all games that have not
  // ended. Called once, first. Throws unusable_log, or another exception of the database.
  virtual log_contents open() = 0;

  // Appends a batch whose predecessor is stored. Throws nothing that a database can cause.
  virtual append_result append(const log_batch&) = 0;

  // Makes sure that a batch which was `present` will not disappear: a row that is visible is not
  // yet on the standby. Returns written, or unknown: then the batch is appended again. Requires:
  // the last call was an append() that answered `present`.
  virtual append_result confirm() = 0;

  // Returns the checksum of the batch with this number; nothing: there is no such batch. Throws an
  // exception of the database.
  virtual std::optional<std::int64_t> find_batch(batch_number) = 0;

  // Deletes up to `most` of the oldest games that ended before this time. Returns how many. Throws
  // an exception of the database, and then deleted nothing.
  virtual std::uint64_t delete_ended(base::wall_time before, std::int64_t most) = 0;

  // Returns the bytes in use. Throws an exception of the database.
  virtual std::uint64_t bytes_used() = 0;

  // Does the maintenance of the store. Called after each batch, and when no batch was pending.
  virtual void maintain() noexcept {}
  // Returns how many steps of maintenance failed. Any thread.
  virtual std::uint64_t maintenance_failures() const noexcept { return 0; }

  // Returns true if the following functions wait for a server, so that no loop may call them.
  virtual bool reads_wait() const noexcept { return false; }
  // As the functions of the journal, about games that ended; read() also finds those in quarantine.
  // A log that is damaged or can't be read counts as missing. Any thread.
  virtual std::vector<record> read(game_id, record_number after) noexcept = 0;
  virtual std::optional<game_log> find_ended(game_id) noexcept = 0;
  virtual std::vector<game_id> ended_before(game_id, std::size_t most) noexcept = 0;

  // Returns true if open games may leave memory: batches have those that do, and the following
  // functions, as those of the journal, find them. Any thread.
  virtual bool keeps_sleepers() const noexcept { return false; }
  struct sleeping_log {
    std::string bytes;  // the header, then the records
    record_number records = 0;
    base::wall_time due{};
    std::vector<pause> pauses = {};
    bool damaged = false;
    std::optional<seat_set> to_move = {};
  };
  virtual std::optional<sleeping_log> read_asleep(game_id) noexcept { return std::nullopt; }
  virtual std::vector<game_id> asleep_with(const std::string& /*key*/,
                                           std::size_t /*most*/) noexcept {
    return {};
  }
  virtual std::vector<game_id> asleep_before(std::string_view /*engine*/, game_id,
                                             std::size_t /*most*/) noexcept {
    return {};
  }
  virtual std::vector<journal::due_game> due_after(journal::due_game,
                                                   std::size_t /*most*/) noexcept {
    return {};
  }
  // Notes that a replay or a first move of a game begins: if the program ends before end_trial(),
  // the next open() counts it as a suspicion. Returns false if that needs a batch. Any thread.
  virtual bool begin_trial(game_id) noexcept { return false; }
  // Returns false if begin_trial() did not note it. Any thread.
  virtual bool end_trial(game_id) noexcept { return false; }
  // No hub had the journal from then until now. Called once, after open(). Throws an exception of
  // the database.
  virtual void add_pause(const pause&) {}
};

// Appends a batch and resolves the cases in which it was there already. Returns `written` only if
// the batch may be told; `present` is never returned. After `unknown` call it again with the same
// batch.
append_result append_surely(log_store&, const log_batch&);

}  // namespace gamehub::journal
