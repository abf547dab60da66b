// The log of all games, as games use it. A record is appended before anyone is told of it; what a
// game has to say waits until the journal has committed it (the commit gate).
//
// Shared by all loops: every call may come from any thread and none blocks on a device.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hub/journal/record.hpp"

namespace gamehub::journal {

// A game's log is safe up to that number.
struct commit {
  game_id game;
  record_number number = 0;
};

// Told what is safe by now. Implemented by loops. Called from any thread, also from within
// append(); it must not block.
class commit_listener {
 public:
  virtual ~commit_listener() = default;
  virtual void committed(std::span<const commit>) = 0;
};

class journal {
 public:
  virtual ~journal() = default;

  // Begins the log of a game. Requires: the id was never used.
  virtual void open(const game_header&) = 0;

  // Adds records to a game that is open, and returns the number up to which its log is committed
  // by now. What is not is told to the listener later: soon after flush(), or when the journal can
  // write again. The listener outlives the journal.
  // Requires: records are numbered on from the last ones; an `ended` record is the last of all.
  virtual record_number append(game_id, std::span<const record>, commit_listener&) = 0;

  // Whoever appended has nothing more to add for now: what waits may be written.
  virtual void flush() = 0;

  // A game that is open or has ended, as far as it is committed; nothing: there is none, it is in
  // quarantine, or it can't be read.
  virtual std::optional<game_log> find(game_id) const = 0;

  // Ended games with smaller ids, the greatest first, at most so many.
  virtual std::vector<game_id> ended_before(game_id, std::size_t most) const = 0;

  // Ids up to this one are given to no game by any later program. Takes effect soon.
  virtual void claim_games(game_id upto) = 0;

  // The committed records of a game with numbers above `after`, oldest first.
  virtual std::vector<record> read(game_id, record_number after) const = 0;

  // Games without an `ended` record, but for those in quarantine.
  virtual std::vector<game_header> open_games() const = 0;

  // Whether logs outlive the program.
  virtual bool durable() const = 0;

  // The greatest numbers that a log ever had, of those that outlive the program.
  struct numbers {
    game_id game;
    player_id player;
  };
  virtual numbers last_numbers() const = 0;

  // When the program that wrote last was alive for certain.
  virtual wall_time last_written() const = 0;

  // Why nothing can be written just now; nothing: all is well. What was appended waits meanwhile.
  virtual std::optional<std::string> trouble() const = 0;

  // More waits to be written than is good: read from no client until it is less.
  virtual bool congested() const = 0;

  // Games that are about to be replayed may take the program down. Those that are announced and not
  // reported safe before it ends are counted at its next start: suspicions() by then.
  virtual void announce_replay(std::span<const game_id>) = 0;
  virtual void replayed(std::span<const game_id>) = 0;
  virtual int suspicions(game_id) const = 0;
  // Never to be replayed again. Its log is kept, and why.
  virtual void quarantine(game_id, const std::string& why) = 0;
};

// Keeps running games and the latest `ended_kept` ended ones, for as long as the program runs.
// Commits within append().
std::unique_ptr<journal> make_memory_journal(std::size_t ended_kept);

}  // namespace gamehub::journal
