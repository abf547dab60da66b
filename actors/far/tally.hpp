// Counts what a player has done in a game, by its log. Plain function; any thread.
#pragma once

#include "hub/far/messages.hpp"
#include "hub/journal/record.hpp"

#include <span>

namespace gamehub::actors::far {

// Returns how many intents of each kind the log has of this seat after the record `after`. Moves of
// an engine that plays the seat on, and the ends of offers by another cause, do not count.
gamehub::far::tally tally_of(std::span<const journal::record>, seat_index,
                             journal::record_number after);

}  // namespace gamehub::actors::far
