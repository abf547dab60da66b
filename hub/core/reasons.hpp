// Reasons of refusals, of closed connections and of ended games: three closed lists whose words are
// protocol answers, log words and metric labels. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace gamehub {

// Why an intent that was understood was not carried out.
enum class refusal : std::uint8_t {
  malformed,          // the move can't be parsed
  not_in_game,        // the player has no such game
  not_your_turn,      // also: the opponent has not joined yet
  out_of_bounds,      // the engine's reason: no such cell
  space_not_empty,    // the engine's reason: the cell is taken
  illegal_move,       // any other reason of the engine, given as detail
  game_over,          // the move arrived after the end of its game
  opponent_left,      // the move arrived after the opponent left or ran out of time
  already_in_game,    // the player plays or waits, and may do that once only
  unknown_engine,     // the hub has no engine of that name
  unfit_engine,       // the wire does not support the engine
  name_unacceptable,  // the detail is the word of its name_fault (hub/core/player_name.hpp)
  already_signed_in,  // a player signs in once
  cannot_resume,      // no player with that secret
  hub_full,           // a limit of the whole hub
  draining,           // the hub is stopping
  rate_limited,       // too many in too short a time
  bad_options,        // the engine refuses the options; the detail names the option and the reason
  name_taken,         // another player has that name, or one that looks like it
  opponent_away,      // the requested opponent is not connected
  muted,              // the operator muted this player
  engine_failed,      // the engine failed to begin the game
  address_limit,      // the client's address holds too many seats
  seat_taken,         // the seat of the named game is taken, or kept for another player
  engine_restarting,  // the process of the engine is being started again
  no_offer,           // the offer, answer or claim is not possible now; the detail says why
  player_elsewhere,   // the player of that secret is at another hub of the cluster
  bad_clock,          // the clock can't be had; the detail is a sentence about why
};
inline constexpr int refusal_count = 28;
// Returns the word of the reason, as protocols, logs and metrics use it.
std::string_view to_string(refusal);

// Why an attachment ended, as the side that ended it reports.
enum class close_reason : std::uint8_t {
  client_left,        // the client closed the connection, or the network failed
  protocol_error,     // the client violated its protocol
  slow_reader,        // more than outbox_bytes_max of output were queued
  handshake_timeout,  // the client sent no request
  idle,               // the client neither plays nor waits, and sends nothing
  replaced,           // its player resumed on another connection
  hub_full,           // the hub was full when it connected
  address_limit,      // too many connections or players of one address
  draining,           // the hub is stopping
  failed,             // internal error
  banned,             // its player or its address is banned
  upgraded,           // another protocol took the connection over: HTTP became a WebSocket
};
inline constexpr int close_reason_count = 12;
// Returns the word of the reason, as protocols, logs and metrics use it.
std::string_view to_string(close_reason);

// Why a game ended. The journal stores the numbers: add new reasons at the end.
enum class end_reason : std::uint8_t {
  rules,        // by the rules of the game
  left,         // a player left
  clock,        // a player's time ran out
  drained,      // the hub stopped: no result
  operator_,    // an operator ended it: no result
  failed,       // the engine or the hub failed: no result
  interrupted,  // after a restart not all players reconnected in time: no result
  agreed,       // the players agreed on a draw
};
inline constexpr int end_reason_count = 8;
// Returns the word of the reason, as protocols, logs and metrics use it.
std::string_view to_string(end_reason);

// Why a player left its game. The journal has the word, as the text of the end; that of `quit` is
// empty, as it was before there were others.
enum class leave_cause : std::uint8_t {
  quit,          // the player resigned
  disconnected,  // its last connection or stream ended, and its grace time is over
  bot_error,     // a bot answered a call with an illegal move or an error, or not at all
  banned,        // the operator banned it
  clock,         // its time ran out, and an engine plays its seat on
};
inline constexpr int leave_cause_count = 5;
// Returns the word of the cause; empty for `quit`.
std::string_view to_string(leave_cause);

}  // namespace gamehub
