// Events as the hub sends them, for tests of codecs: a fixed one of each kind, and any number of
// random ones, valid or not. Plain functions, any thread.
#pragma once

#include "engines/dice.hpp"
#include "hub/core/event.hpp"
#include "hub/core/wire.hpp"

#include <string>
#include <vector>

namespace gamehub::tests {

// The traits of TicTacToe.
const engine_traits& tictactoe_traits();

// The game of all fixed events.
inline constexpr game_id tested_game{7};

// An event of the tested game without a receipt, and one with a receipt.
event told(decltype(event::what) what);
event answered(decltype(event::what) what);

// The board row by row, and as TicTacToe's document, with X and O for occupied cells.
position_ref position_of(const std::string& cells, seat_set prompted);
position_ref final_position(const std::string& cells, end_reason why,
                            std::optional<seat_index> winner);

// The events from sign-in to the first position of a game in which this seat is to move.
std::vector<event> beginning(seat_index seat = 0);

// A random event of one of a few games. Texts of clients and engines may be hostile.
event any_event(engines::rng&);

}  // namespace gamehub::tests
