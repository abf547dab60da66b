// Games between bots, read from the journal. Plain functions; any thread.
#pragma once

#include "hub/journal/record.hpp"
#include "hub/league/match_outcome.hpp"

#include <optional>

namespace gamehub::league {

// Returns the outcome of a logged game.
match_outcome outcome_of(const journal::game_log&);

// Returns the game if both players are bots.
std::optional<journal_game> game_of_bots(const journal::game_log&);

}  // namespace gamehub::league
