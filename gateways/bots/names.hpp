// The names of engines in this protocol: the prefix of method names (TicTacToe.NextMove) and the
// name of the game (TICTACTOE), derived from the title. Plain functions, any thread.
#pragma once

#include "hub/core/wire.hpp"

#include <string>
#include <string_view>

namespace gamehub::gateways::bots {

// Return the ASCII letters and digits of the title, or of the id if the title has none; game_name()
// in capitals.
std::string method_prefix(const engine_traits&);
std::string game_name(const engine_traits&);

// True if `game` names this engine: by the game's name in any case, or by its id.
bool names_game(std::string_view game, const engine_traits&);

}  // namespace gamehub::gateways::bots
