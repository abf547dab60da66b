// Why the hub says no, why a connection ends, why a game ends: three closed lists that are
// answers to clients, log words and metric labels at once. Plain values, any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace gamehub {

// The answer to an intent that was understood and not carried out.
enum class refusal : std::uint8_t {
  malformed,          // no move can be read from it
  not_in_game,        // the player has no such game
  not_your_turn,      // also: the opponent has not come yet
  out_of_bounds,      // the engine's word: no such place
  space_not_empty,    // the engine's word: taken
  illegal_move,       // any other word of the engine's, given as detail
  game_over,          // the move crossed the end of its game
  opponent_left,      // the move crossed the opponent's leaving or its clock running out
  already_in_game,    // plays or waits, and may do that once only
  unknown_engine,     // the hub has no engine of that name
  unfit_engine,       // the engine can't be played over this wire
  name_unacceptable,  // not printable, or too long
  already_signed_in,  // a player signs in once
  cannot_resume,      // no player with that secret
  hub_full,           // a limit of the whole hub
  draining,           // the hub is going down
  rate_limited,       // too many in too short a time
  bad_options,        // the engine has no such game; the detail says which option and why
  name_taken,         // somebody else has that name
  opponent_away,      // who was asked for by name is not here
  muted,              // the operator lets this player say nothing
};
inline constexpr int refusal_count = 21;
std::string_view to_string(refusal);

// Why an attachment ended, said by whichever side ended it.
enum class close_reason : std::uint8_t {
  client_left,        // the client closed, or its network did
  protocol_error,     // it said what its protocol does not know
  slow_reader,        // it let more than outbox_bytes_max wait
  handshake_timeout,  // it never asked for anything
  idle,               // it neither plays nor waits, and says nothing
  replaced,           // its player came back on another connection
  hub_full,           // no room when it came
  address_limit,      // too many connections from one address
  draining,           // the hub is going down
  failed,             // a fault of the hub's own
  banned,             // the operator keeps its player or its address out
};
inline constexpr int close_reason_count = 11;
std::string_view to_string(close_reason);

// Why a game ended. Logs keep the numbers: new ones go to the end.
enum class end_reason : std::uint8_t {
  rules,      // played to its end
  left,       // a player left
  clock,      // a player's time ran out
  drained,    // the hub went down: nobody's loss
  operator_,  // an operator ended it: nobody's loss
  failed,     // the engine or the hub failed: nobody's loss
  // The hub was away, and not everyone came back in time: nobody's loss.
  interrupted,
};
inline constexpr int end_reason_count = 7;
std::string_view to_string(end_reason);

}  // namespace gamehub
