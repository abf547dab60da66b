// Events as the hub sends them, for tests of codecs: one of each kind by hand, and any number by
// dice, sensible or not. Plain functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "engines/dice.hpp"
#include "hub/core/event.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::tests {

// What the hub knows of TicTacToe.
engine_traits tictactoe_traits();

// The game that all events made by hand are about.
inline constexpr game_id tested_game{7};

// An event about the tested game that answers no intent, and one that does.
event told(decltype(event::what) what);
event answered(decltype(event::what) what);

// The board row by row and as TicTacToe's own document, with X and O for what is taken.
position_ref position_of(const std::string& cells, seat_set prompted);
position_ref final_position(const std::string& cells, end_reason why,
                            std::optional<seat_index> winner);

// From signing in to the first position of a game in which this seat is to move.
std::vector<event> beginning(seat_index seat = 0);

// Any kind of event about any of a few games. With hostile texts where a client or an engine may
// have brought them in.
event any_event(engines::dice&);

}  // namespace gamehub::tests
