// Wording: what the members of a client's line mean, and the lines that the hub writes. Knows JSON
// and this protocol's words, but nothing of who plays what. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gateways/json.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"

namespace gamehub::gateways::turns {

// The number of a game on one connection.
using wire_game = std::int64_t;

// The members that this protocol knows, as they stand in a line; all others are ignored.
struct client_line {
  json::value type, name, supported_games, max_games, options, resume, game_id, payload;
};

// Nothing, if the line is not one JSON object.
std::optional<client_line> read_line(std::string_view line);

// What `connect` asks for. It wants no new games if games_max is 0 (max_games is 0 or less).
sign_in sign_in_of(const client_line& connect);
seek seek_of(const client_line& connect);

// The text of a move: what the payload says, or as it stands where it is no string.
std::string move_text(const json::value& payload);

void append_name(const signed_in&, std::string& out);
// No game could be waited for, and why. Known to those alone who give options.
void append_no_game(std::string_view name, const refused&, std::string& out);
// The engine is named only if `engine` is not empty.
void append_start(wire_game, std::string_view engine, std::string& out);
// The engine's document of the game with the type "state" put before its members.
void append_state(wire_game, std::string_view document, std::string& out);
void append_turn(wire_game, std::string& out);
void append_repeat_turn(wire_game, const refused&, std::string& out);
void append_close(wire_game, std::string& out);

// The document with its member "winner" set: the engine knows nothing of players who leave. A
// document that is no JSON object stays as it is.
std::string with_winner(const std::string& document, seat_index winner, std::string_view marks);

}  // namespace gamehub::gateways::turns
