// What engines are called on this wire: the prefix of their methods (TicTacToe.NextMove) and the
// name of their game (TICTACTOE), made from their titles. Plain functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "hub/core/wire.hpp"

namespace gamehub::gateways::bots {

// The title without anything but letters and digits of ASCII; of an engine whose title has none,
// its id the same way.
std::string method_prefix(const engine_traits&);
std::string game_name(const engine_traits&);

// Whether a bot means this engine: by the name of its game, in any case, or by its id.
bool names_game(std::string_view game, const engine_traits&);

// A bot's name or version: short enough, printable, nothing that makes it look like another.
bool acceptable_name(std::string_view);

}  // namespace gamehub::gateways::jsonrpc
