// Checks the invariants of a simulation run: the events of every client agree with the log, with
// the rules and with the events of its opponent. It reads the journal; the simulated clients also
// ask it for legal moves. Owned by a simulation run and used on its thread.
#pragma once

#include "actors/table/engine_directory.hpp"
#include "engines/host/engine.hpp"
#include "hub/core/event.hpp"
#include "tests/support/late_journal.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gamehub::tests {

// An invariant does not hold.
class violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One player, who has one connection or, after a resume, several in turn.
using identity = std::uint64_t;

class invariant_checker {
 public:
  invariant_checker(const actors::table::engine_directory& directory, const late_journal& log)
      : directory_(directory), log_(log) {}

  // Check an event of a player. Throw violation.
  void check_started(identity, game_id, const started&);
  void check_position(identity, game_id, const position&, view_form);

  // The times at which a player sent a seek and received the reply.
  struct wait {
    std::uint64_t asked = 0, answered = 0;
  };
  void set_waiting(identity who, wait when) { waits_[who] = when; }
  void stop_waiting(identity who) { waits_.erase(who); }

  // Returns the match of the committed log, or nothing if the game is unknown or over.
  std::optional<engines::host::match> match_of(game_id) const;
  const engines::host::engine& rules_of(game_id) const;
  const std::vector<std::string>& players_of(game_id id) const { return games_.at(id).players; }

  // Checks all logs at the end. Every actor has ended and every record is committed. Throws
  // violation.
  void check_logs() const;

  // Counts games, moves and ends in the logs. Every record is committed.
  struct tally {
    std::int64_t games = 0, moves = 0;
    std::map<std::pair<int, int>, std::int64_t>
        ended;  // by winner (-1: none, 2: from the third on) and reason
  };
  tally count() const;

  std::size_t games() const { return games_.size(); }

 private:
  struct game {
    std::uint16_t engine = 0;
    std::vector<std::string> players;
    std::map<seat_index, identity> seats;
    std::map<seat_index, wait> waits;  // of seeks for one game
    std::optional<outcome> how;
  };

  engines::host::match replay(game_id, journal::record_number upto) const;
  void check_order(const game&);

  const actors::table::engine_directory& directory_;
  const late_journal& log_;
  std::map<game_id, game> games_;
  std::map<identity, wait> waits_;
};

}  // namespace gamehub::tests
