// How the game of a scheduled match ended, and the games of bots in the journal. Plain values; any
// thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <array>
#include <optional>
#include <string>

namespace gamehub::league {

// How a game of the hub ended.
struct match_end {
  end_reason why = end_reason::rules;
  std::optional<seat_index> winner;
};

// Returns true if a game that ended for this reason has a result.
bool has_result(end_reason);

// The outcome of a game that was opened before the hub stopped.
struct match_outcome {
  bool runs = false;
  std::optional<match_end> ended;  // absent, and not running: the journal does not have the game
};

// A game of two bots in the journal.
struct journal_game {
  game_id id;
  std::array<std::string, 2> names;  // by seat
  base::wall_time opened{};
  match_outcome outcome;
};

}  // namespace gamehub::league
