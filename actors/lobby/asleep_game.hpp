// What can be shown of a game that is asleep: it is read from its log, without a replay, so that
// lists wake nothing. Plain values and functions; the lobby uses them on its loop.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/base/time.hpp"
#include "hub/core/clock_rule.hpp"
#include "hub/core/event.hpp"
#include "hub/core/game_clock.hpp"
#include "hub/core/ids.hpp"
#include "hub/journal/journal.hpp"

#include <optional>

namespace gamehub::actors::lobby {

struct asleep_game {
  journal::game_log log;
  base::instant due{};                   // when its turn ends; max(): never
  std::optional<seat_set> to_move = {};  // nothing: the journal does not have it
};

// Returns the clock of the game, if its log has no other one than that. Requires: it is known who
// is to move.
game_clock clock_of(const asleep_game&, const clock_rule& otherwise, base::instant now);

// Returns the seat of a player who can come back to it, or nothing.
std::optional<seat_index> seat_of(const journal::game_log&, player_id);

// Returns the seat as its player sees it in a list of its games. The same is required.
sleeping_seat show(const asleep_game&, seat_index, const engines::host::engine&,
                   const clock_rule& otherwise, base::instant now);

}  // namespace gamehub::actors::lobby
