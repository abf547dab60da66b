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
#include <variant>
#include <vector>

namespace gamehub::gateways::turns {

// A game's number on one connection: `game_id` of the protocol.
using wire_game = std::int64_t;

// The members that this protocol knows, as written in the line; all others are ignored.
struct client_line {
  base::json::value type, name, supported_games, max_games, options, opponents, resume, wants,
      game_id, payload, what, step, clock;
};

// Parses a line. Returns nothing if it is not one JSON object.
std::optional<client_line> read_line(std::string_view line);

// What a `connect` line asks for with `wants`, and whether it shows that the client resumes.
struct wanted {
  bool actions = false, clock = false, resume = false, offers = false, presence = false;
};
wanted wants_of(const client_line& connect);

// Return the sign-in and the seek of a `connect` line. The seek wants no new games if games_max is
// 0, that is if max_games is 0 or less.
sign_in sign_in_of(const client_line& connect);
seek seek_of(const client_line& connect);
// Returns who takes the further seats of a game of three or more, or what is wrong with the list.
std::variant<std::vector<seat_filler>, std::string> fillers_of(const client_line& connect);

// Returns why `clock` is no text of a clock; empty: it is one, or missing. The hub reads the text.
std::string_view clock_mistake(const client_line& connect);

// Returns why `supported_games` names no game; empty: it names some.
std::string_view games_mistake(const client_line& connect);

// Returns the text of a move: the content of a payload string, or the JSON text of any other
// payload.
std::string move_text(const base::json::value& payload);

// Appends the reply to a `connect` line.
void append_name(const signed_in&, std::string& out);
// Appends why the client cannot wait for a game. `mistake` is that of games_mistake().
void append_no_game(std::string_view name, const refused&, std::string_view mistake,
                    std::string& out);
// Appends the start of a game. `game` names the engine once more if `names_game` is set.
// `rematch_of` is the ended game of which it is the rematch.
void append_start(wire_game, const started&, bool names_game, std::optional<wire_game> rematch_of,
                  std::string& out);
// Appends the start of a game of which no more is known.
void append_start(wire_game, std::string& out);
// Appends the engine's document with the type "state" before its members. `clock` is the JSON of
// the turn clock, `away` and `substitutes` those of seats_json(), `players` that of names_json();
// empty: none.
struct state_extras {
  std::string clock = {}, away = {}, players = {}, substitutes = {};
};
void append_state(wire_game, std::string_view document, const state_extras&, std::string& out);
// Append the prompt for a move, and the prompt after a refused move. `actions` is null for a client
// that does not want them.
void append_turn(wire_game, const seat_actions* actions, std::string_view clock, std::string& out);
void append_repeat_turn(wire_game, const refused&, bool slowed, std::string& out);
// Append the end of a game; of a game that failed without an outcome; and of the connection.
void append_close(wire_game, const outcome&, std::string_view marks, std::string& out);
void append_close_of_failed(wire_game, std::string& out);
void append_close_of_all(std::string_view word, std::string& out);

// Returns the players' clocks as JSON; empty: the game has no clock.
std::string clock_json(const game_clock&, std::string_view marks);

// Append a change of an offer, and why one was refused, for a client that wants offers.
void append_offer(wire_game, const offer_update&, std::string_view marks, std::string& out);
void append_offer_refused(wire_game, const refused&, std::string& out);
// Returns the offer or the answer of a line, without its game, or what is wrong with its words.
offer offer_of(const client_line&);

// Returns the names by seat as JSON.
std::string names_json(const std::vector<std::string>&);

// Returns a set of seats as a JSON array: their marks, or their numbers in a game without marks.
std::string seats_json(seat_set, std::string_view marks);

// Returns the last document of a game with the member "winner": the engine's, if the game ended by
// its rules and the engine shows one; else that of the outcome.
std::string with_winner(const std::string& document, const outcome&, std::string_view marks);

}  // namespace gamehub::gateways::turns
