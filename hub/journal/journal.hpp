// The journal: the log of all games. A game appends a record before it sends any output that
// depends on it; the commit gate holds that output back until the journal has committed the record.
//
// One journal for all loops, owned by the composition. Every call may come from any thread, and
// none blocks on a device.
#pragma once

#include "hub/journal/member_id.hpp"
#include "hub/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::journal {

// The log of a game is committed up to this number.
struct commit {
  game_id game;
  record_number number = 0;
};

// Receives commits. Implemented by loops. Called from any thread, also within append(); it must not
// block.
class commit_listener {
 public:
  virtual ~commit_listener() = default;
  virtual void committed(std::span<const commit>) = 0;
};

// An open game that leaves memory, because nothing happens in it for long. The file finds it by its
// id, by its keys and by the time when it is due.
struct sleep_entry {
  game_id id;
  base::wall_time since{};  // now
  base::wall_time due{};    // when it must be awake; max(): never
  std::string listed;       // its engine, in lists of open games; empty: it is not listed
  std::vector<std::string> keys = {};  // names and digests of its players
  seat_set to_move = 0;                // whose moves it waits for, in lists
};

// A time in which no hub had the journal.
struct pause {
  base::wall_time began{}, ended{};
};

// What the file has of such a game.
struct sleeping_game {
  game_log log;
  base::wall_time due{};                 // as it fell asleep
  std::vector<pause> pauses = {};        // since then, the first at the front
  std::optional<seat_set> to_move = {};  // as of sleep_entry; nothing: an earlier hub wrote it
};

// Games that are asleep in a log that several hubs share, for journal::take_asleep().
struct sleeper_query {
  game_id game = {};                   // this one; zero: any
  std::vector<std::string> keys = {};  // with one of these; none: any
  // That were due, as they fell asleep, at this time; nothing: all.
  std::optional<base::wall_time> due = {};
  std::vector<std::string> engines = {};  // of one of these, as engine_name() has them
  std::size_t most = 1;                   // those that are due first; 0: says only whether some fit
  // None whose players are at other hubs. Those that are due are left to these hubs for some time
  // in any case.
  bool only_ours = false;
};

// The answer. What is taken is open here from then on, and asleep for no hub.
struct taken_sleepers {
  bool certain = false;  // false: the database does not answer, so ask again
  std::vector<sleeping_game> games = {};
  // Another hub with a player who has a key of the query, or has the game of it.
  member_id elsewhere = {};
  bool more = false;                             // others fit, too, or lack their engine here
  std::optional<base::wall_time> next_due = {};  // of all that are left, with these engines
  std::vector<std::pair<game_id, std::string>> damaged = {};  // in quarantine now, and why
};

// A game for journal::hand_over(), with the keys of its players (shared_log.hpp).
struct handed_game {
  game_id id;
  commit_listener* listener = nullptr;
  std::vector<std::string> keys = {};
};

class journal {
 public:
  virtual ~journal() = default;

  // Begins the log of a game. Requires: the id was never used before.
  virtual void open(const game_header&) = 0;

  // Adds records to an open game. Returns the number up to which its log is committed already. The
  // listener gets later commits: soon after flush(), or when the journal can write again. The
  // listener outlives the journal.
  // Requires: the numbers continue the log; an `ended` record is the last one of a game.
  virtual record_number append(game_id, std::span<const record>, commit_listener&) = 0;

  // Starts writing the pending records. A loop calls it once at the end of each iteration.
  virtual void flush() = 0;

  // Returns the committed log of an open or ended game. Nothing: the game does not exist, is in
  // quarantine, or can't be read.
  virtual std::optional<game_log> find(game_id) const = 0;
  // The same of an open game only. It waits for no database.
  virtual std::optional<game_log> find_open(game_id id) const { return find(id); }
  // The same with the records that are not committed, and may never be.
  virtual std::optional<game_log> find_appended(game_id id) const { return find_open(id); }

  // Returns at most `most` ended games with smaller ids, the greatest first.
  virtual std::vector<game_id> ended_before(game_id, std::size_t most) const = 0;

  // Returns true if find(), read() and ended_before() wait for a database, unless the game is open.
  virtual bool reads_wait() const { return false; }
  // Calls the function where they may wait: at once, if they never do, or else on a thread of the
  // journal. Returns false, and leaves the function unchanged, if too many wait already. A loop
  // uses it for games that do not run here.
  virtual bool read_later(std::function<void()>&& reads) {
    reads();
    return true;
  }
  // True while read_later() returns false. Any thread.
  virtual bool reads_full() const { return false; }

  // Reserves the game ids up to this one: last_numbers() of a later start includes them. Durable
  // with the next transaction.
  virtual void claim_games(game_id upto) = 0;

  // Returns the committed records of a game with numbers above `after`, oldest first.
  virtual std::vector<record> read(game_id, record_number after) const = 0;

  // Returns the games without an `ended` record, except those in quarantine.
  virtual std::vector<game_header> open_games() const = 0;

  // Returns true if logs survive the end of the program.
  virtual bool durable() const = 0;

  // The greatest ids in all logs that survive the end of the program.
  struct numbers {
    game_id game;
    player_id player;
  };
  virtual numbers last_numbers() const = 0;

  // Returns the time of the latest record: the previous program ran until then at least.
  virtual base::wall_time last_written() const = 0;

  // Returns why the journal can't write now, or nothing if it can. Appended records stay pending
  // meanwhile.
  virtual std::optional<std::string> trouble() const = 0;

  // Returns true if too many records are pending. Loops then stop reading from clients.
  virtual bool congested() const = 0;

  // A replay may crash the program. A game that is announced and not reported as replayed before
  // the program ends gets one more suspicion at the next start.
  virtual void announce_replay(std::span<const game_id>) = 0;
  virtual void replayed(std::span<const game_id>) = 0;
  // The same for what the engine does with a restored game at its first move, for loops: returns at
  // once. If it is pending, the listener gets a commit of the game's last record once more when the
  // announcement is written. Requires: the game is open, and all its records are committed.
  // move_survived() withdraws it.
  enum class announced : std::uint8_t { no, pending, done };
  virtual announced announce_move(game_id, commit_listener&) { return announced::no; }
  virtual void move_survived(game_id) {}
  // Returns how many starts ended during a replay of this game.
  virtual int suspicions(game_id) const = 0;
  // Gives open games to the other members of a cluster, in one step: whichever takes them continues
  // them, and has those of their keys that this hub has. A listener gets a commit of the last
  // record once more when that is written, and the game is not open here any more. Returns those,
  // of which nothing is changed, that no other member could take. Requires: all records of the
  // games are committed, and none is appended later.
  virtual std::vector<game_id> hand_over(std::span<const handed_game> games) {
    std::vector<game_id> none;
    for (const auto& g : games) none.push_back(g.id);
    return none;
  }

  // Returns true if open games may leave memory: put_to_sleep() has an effect.
  virtual bool stores_away() const { return false; }
  // The game leaves memory with the next transaction: from then on only the file has it, and it is
  // not open here. `then` is called with its id when that is so, on any thread or within this call,
  // unless bring_back() was called before. Returns false, and changes nothing, if there is no such
  // open game. Requires: stores_away(), all records of the game are committed, and none is appended
  // before bring_back().
  virtual bool put_to_sleep(sleep_entry, std::function<void(game_id)> /*then*/) { return false; }
  // The game is open here again. Returns false, and changes nothing, if it can't be read now, or
  // shares_sleepers() and it leaves memory with the transaction that is under way: then `then` is
  // called. Reads the file: a part of a loop's iteration, as the following.
  virtual bool bring_back(game_id) { return true; }

  // Returns true if games that are asleep are those of all hubs of a cluster. Then find_asleep(),
  // asleep_with(), count_asleep() and asleep_before() wait for the database, and are for functions
  // of read_later(); due_after() and asleep() find none.
  virtual bool shares_sleepers() const { return false; }
  // Returns true if put_to_sleep() takes games now. Any thread.
  virtual bool may_put_to_sleep() const { return stores_away(); }
  // Takes games that are asleep. At each moment a game is open at one hub, or asleep. Waits for the
  // database; one thread at a time. Requires: shares_sleepers().
  virtual taken_sleepers take_asleep(const sleeper_query&) { return {}; }

  // Returns a game that only the file has; nothing: it has no such game, or can't read it.
  virtual std::optional<sleeping_game> find_asleep(game_id) const { return std::nullopt; }
  // Returns true if the file has such a game, but its log was damaged there.
  virtual bool is_damaged(game_id) const { return false; }
  // Returns at most `most` of the latest games with the key that only the file has, those that are
  // due first.
  virtual std::vector<game_id> asleep_with(const std::string& /*key*/, std::size_t /*most*/) const {
    return {};
  }
  // Returns how many games asleep_with() would find. Takes as long as `most` is large, and not as
  // long as a player has games.
  virtual std::size_t count_asleep(const std::string& key, std::size_t most) const {
    return asleep_with(key, most).size();
  }
  // The following also find games that were brought back, as they fell asleep before. Returns at
  // most `most` games that are listed under the engine (empty: any) with smaller ids, the greatest
  // first.
  virtual std::vector<game_id> asleep_before(std::string_view /*engine*/, game_id,
                                             std::size_t /*most*/) const {
    return {};
  }
  // Returns at most `most` games that were due, as they fell asleep, after `after`, which is a time
  // and the game with the greatest id of that time; the first at the front.
  using due_game = std::pair<base::wall_time, game_id>;
  virtual std::vector<due_game> due_after(due_game /*after*/, std::size_t /*most*/) const {
    return {};
  }
  // Returns the number of games that only the file has.
  virtual std::uint64_t asleep() const { return 0; }

  // Excludes a game that is open, or asleep, from all later replays. The journal retains its log
  // and the reason.
  virtual void quarantine(game_id, const std::string& why) = 0;
};

// Returns a journal in memory. It holds the running games and the latest `ended_kept` ended ones
// until the program ends, and commits within append().
std::unique_ptr<journal> make_memory_journal(std::size_t ended_kept);

}  // namespace gamehub::journal
