// The log of all games, as games use it. A record is appended before anyone is told of it; what a
// game has to say waits until the journal has committed it (the commit gate).
//
// Shared by all loops: every call may come from any thread and none blocks on a device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hub/journal/record.hpp"

namespace gamehub::journal {

// Told that a game's log is safe up to a number. Implemented by loops. Called from any thread, also
// from within append(); it must not block.
class commit_listener {
 public:
  virtual ~commit_listener() = default;
  virtual void committed(game_id, record_number) = 0;
};

class journal {
 public:
  virtual ~journal() = default;

  // Begins the log of a game. Requires: the id was never used.
  virtual void open(const game_header&) = 0;

  // Adds records to a game that is open, and returns the number up to which its log is committed
  // by now. What is not is told to the listener later, unless the journal fails for good.
  // Requires: records are numbered on from the last ones; an `ended` record is the last of all.
  virtual record_number append(game_id, std::span<const record>, commit_listener&) = 0;

  // The committed records of a game with numbers above `after`, oldest first.
  virtual std::vector<record> read(game_id, record_number after) const = 0;

  // Games without an `ended` record.
  virtual std::vector<game_header> open_games() const = 0;
};

// Keeps running games and the latest `ended_kept` ended ones, for as long as the program runs.
// Commits within append().
std::unique_ptr<journal> make_memory_journal(std::size_t ended_kept);

}  // namespace gamehub::journal
