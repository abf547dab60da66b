// Watches all games of an evening: what any client is told of one must agree with its log, with the
// rules and with what its opponent is told. It reads the journal, which players can't; guests also
// ask it what they may play.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "actors/catalog.hpp"
#include "engines/engine.hpp"
#include "hub/core/event.hpp"
#include "tests/support/late_journal.hpp"

namespace gamehub::tests {

// Something that must never happen has happened.
class violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Who sits behind one or, after coming back, several connections.
using identity = std::uint64_t;

class referee {
 public:
  referee(const actors::catalog& directory, const late_journal& log) : directory_(directory), log_(log) {}

  // What somebody was told. Throws foul.
  void check_started(identity, game_id, const started&);
  void check_position(identity, game_id, const position&, view_form);

  // When somebody asked for a game of an engine, once, and when it heard that it waits.
  struct wait {
    std::uint64_t asked = 0, answered = 0;
  };
  void waited(identity who, wait when) { waits_[who] = when; }
  void stop_waiting(identity who) { waits_.erase(who); }

  // A match as the committed log has it, or nothing if that is not known yet.
  std::optional<engines::match> match_of(game_id) const;
  const engines::engine& rules_of(game_id) const;
  const std::vector<std::string>& players_of(game_id id) const { return games_.at(id).players; }

  // Requires: every actor has gone and everything is committed. Throws foul.
  void check_logs() const;

  // What the logs count. Requires: everything is committed.
  struct tally {
    std::int64_t games = 0, moves = 0;
    std::map<std::pair<int, int>, std::int64_t> ended;  // by winner (-1: none) and reason
  };
  tally count() const;

  std::size_t games() const { return games_.size(); }

 private:
  struct game {
    std::uint16_t engine = 0;
    std::vector<std::string> players;
    std::map<seat_index, identity> seats;
    std::map<seat_index, wait> waits;  // of those who asked once
    std::optional<outcome> how;
  };

  engines::match replay(game_id, journal::record_number upto) const;
  void check_order(const game&);

  const actors::catalog& directory_;
  const late_journal& log_;
  std::map<game_id, game> games_;
  std::map<identity, wait> waits_;
};

}  // namespace gamehub::tests
