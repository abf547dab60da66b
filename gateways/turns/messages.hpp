// Parsing of a client's line and formatting of the hub's lines. Knows JSON and the members of this
// protocol, but no game state. Plain functions, any thread.
#pragma once

#include "hub/base/json.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::turns {

// A game's number on one connection: `game_id` of the protocol.
using wire_game = std::int64_t;

// The members that this protocol knows, as written in the line; all others are ignored.
struct client_line {
  base::json::value type, name, supported_games, max_games, options, resume, game_id, payload;
};

// Parses a line. Returns nothing if it is not one JSON object.
std::optional<client_line> read_line(std::string_view line);

// Return the sign-in and the seek of a `connect` line. The seek wants no new games if games_max is
// 0, that is if max_games is 0 or less.
sign_in sign_in_of(const client_line& connect);
seek seek_of(const client_line& connect);

// Returns the text of a move: the content of a payload string, or the JSON text of any other
// payload.
std::string move_text(const base::json::value& payload);

// Appends the reply to a `connect` line.
void append_name(const signed_in&, std::string& out);
// Appends why the client cannot wait for a game. Sent only to clients that give options.
void append_no_game(std::string_view name, const refused&, std::string& out);
// Appends the start of a game. The engine is named only if `engine` is not empty.
void append_start(wire_game, std::string_view engine, std::string& out);
// Appends the engine's document with the type "state" before its members.
void append_state(wire_game, std::string_view document, std::string& out);
// Append the prompt for a move, and the prompt after a refused move.
void append_turn(wire_game, std::string& out);
void append_repeat_turn(wire_game, const refused&, std::string& out);
// Appends the end of a game.
void append_close(wire_game, std::string& out);

// Returns the document with its member "winner" set, because an engine does not know that a player
// left or ran out of time. A document that is not a JSON object is returned unchanged.
std::string with_winner(const std::string& document, seat_index winner, std::string_view marks);

}  // namespace gamehub::gateways::turns
