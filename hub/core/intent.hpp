// The requests of clients, independent of the protocol. Codecs decode bytes into intents; sessions
// carry them out. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/offer.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/seat_filler.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub {

// What a client can do, as it has shown.
struct client_features {
  bool wants_actions = false;   // the legal actions with each prompt
  bool resumes = true;          // comes back by its resume token after the hub was restarted
  bool answers_offers = false;  // has words for offers of a draw or a takeback, and for answers
  // The position again when a player is away or back or has another name, or the clock runs again.
  bool wants_presence = false;
  // Asks for each game that it wants to see. So its games fall asleep while it is here and does not
  // follow them, and stay asleep when it comes back.
  bool asks_for_games = false;
};

// The player of a client of another hub of the cluster: its secret stays at that hub.
struct relayed_player {
  std::string digest;      // of its secret; empty: it cannot be resumed
  bool moves = false;      // it moves here from that hub; otherwise it is here, and resumed
  std::uint64_t from = 0;  // the number of that hub
  std::uint32_t hubs = 0;  // from the one of its client to this one
  std::vector<std::string> former_names = {};
};

// What happens to a name that is in use or not acceptable.
enum class name_choice : std::uint8_t {
  similar,  // the hub changes it, if no hub that has just died may give it back
  exact,    // it is refused
  any,      // the hub changes it at once: the client has not asked for it
};

// Identifies the client. With a resume token it asks for the player of that token and its running
// games; a name alone never resumes a player.
struct sign_in {
  std::string name;           // empty: the hub chooses one
  std::string resume_secret;  // empty: a new player
  // If the token is unknown, the new player gets it instead of one that the hub makes.
  bool proposes_secret = false;
  name_choice choice = name_choice::similar;
  // If the token is unknown, sign-in is refused and no player is created.
  bool only_resume = false;
  // Of the player's games that are asleep only this one is needed now, if it is one of them. Zero:
  // those that wait for a move of the player, or else the most urgent one; if the client asks for
  // its games, none.
  game_id game = {};
  client_features features = {};
  // Null: the client is connected to this hub.
  std::shared_ptr<const relayed_player> relayed = {};
};

// Queues for opponents, in one queue per engine.
struct seek {
  std::vector<std::string> engines;  // ids; those that the hub does not know are refused
  std::vector<std::string> options;  // JSON for each of them; empty or missing: the defaults
  std::uint32_t games_max = 1;       // how many games at once
  bool again = false;                // a standing seek: queues again whenever a place is free
  bool seat_at_once = false;         // the wire reports the seat before there is an opponent
  std::optional<seat_index> seat;    // the required seat; none: any
  bool against_engine = false;       // an engine opponent takes the other seats
  bool reserve_game = false;         // the wire reports the game's id before there is an opponent
  bool closed = false;               // others join only with the invitation that `placed` has
  std::string invitation = {};       // joins that game, with the engines of the inviting side
  std::string opponent = {};         // the required opponent's name; empty: any player
  bool only_by_name = false;         // is paired only with players that request its name
  bool opponent_ready = false;       // refused if no player of that name has a standing seek
  std::string level = {};            // of the engine opponent; empty: the wire's default
  client_features features = {};
  // A standing seek whose client may leave after a game without a word: the client is not seated
  // again at once after its first game.
  bool may_leave = false;
  game_id join = {};  // takes a free seat of this waiting game, or is refused
  // Allowed while the player waits or plays. Once it succeeds, it takes the place of the seek that
  // was there; the client leaves the game that it played. A refusal changes nothing.
  bool replaces = false;
  // The games that the player has go on beside the new one. Refused unless all are games of days.
  bool keeps = false;
  // Of three seats or more: who takes the further seats, in their order. Missing ones: anyone.
  std::vector<seat_filler> others = {};
  std::string clock = {};  // the text of a clock_rule; empty: that of the engine
  bool any_clock = false;  // of a seek that is asked for by name: also plays with other clocks
};

// A move in the form of the wire: the cell of a board, or a document or word that the engine
// parses. A refusal returns the text unchanged.
struct move {
  enum class form : std::uint8_t { cell, document, word };

  form as = form::cell;
  std::int64_t cell = 0;
  std::string text;
};

// Plays a move in a game of the player. Game zero: its only game.
struct play {
  game_id game;
  gamehub::move move;
  // It counts once: it may have been said before, to a hub that is gone, and been made after this
  // position. Zero: it is said for the first time.
  std::uint64_t repeated_after = 0;
};

// Resigns a game: the others win. Game zero: the only game, or the place in the queue.
struct leave {
  game_id game;
  bool only_waiting = false;  // leaves only the queue, also if the player plays
  leave_cause why = leave_cause::quit;
};

// Starts a game between two players with standing seeks by name; the sender has the first seat.
// Game zero: the answer is `placed` with a reserved game id, and no game begins; it begins with a
// second challenge that has that id.
struct challenge {
  std::string opponent;
  game_id game = {};
};

// Sends a chat message to the players and spectators of a game. Game zero: the only game.
struct chat {
  game_id game;
  std::string text;
};

// Requests a new game with the players of an ended one, with seats rotated. The game begins once
// all have requested it; an engine opponent always agrees. A standing seek waits for that game
// alone until it begins or the rematch is off; then the answer is `done`, without a seat.
struct rematch {
  game_id game;
  bool only_if_offered = false;  // refused if no other player offers it
};

// Removes the player from the hub. The answer is `done` when its name is free.
struct sign_out {};

// Gives the player another name; it keeps its token and its games. The answer is `done`.
struct change_name {
  std::string name;
};

// Declines the rematch of an ended game that another player offers; or withdraws the own offer, or
// what the player has accepted, for a player with a standing seek.
struct decline {
  gamehub::game_id game;
  offer_cause why = offer_cause::request;
  offer_step step = offer_step::declined;  // or withdrawn
};

// Offers a draw or a takeback in a running game, accepts or declines what another player offers, or
// withdraws the own offer. Offering what another player offers accepts it, but for a takeback. The
// answer is `done`; all players get an offer_update. Game zero: the only game. A rematch of an
// ended game is the intent `rematch` or `decline`.
struct offer {
  gamehub::game_id game;
  offer_kind what = offer_kind::draw;
  offer_step step = offer_step::offered;
  // A constant text: what the wire does not know in it. It is refused with this detail.
  std::string_view mistake = {};
};

// Claims the win from players that have been away for the time that the hub sets: they leave the
// game. The answer is `done`. Game zero: the only game.
struct claim {
  gamehub::game_id game;
};

// Wakes a game of the player that is asleep, and shows it. The answer is `done` when that is so, or
// a refusal. Game zero: wakes none; `done` has the most urgent ones of those that are asleep.
struct find_seat {
  gamehub::game_id game;
};

using intent = std::variant<sign_in, seek, play, leave, chat, rematch, challenge, sign_out,
                            change_name, decline, offer, claim, find_seat>;

// Numbers the intents of one attachment, from 1. Zero: the event answers no intent.
using ticket = std::uint32_t;

// The times at which an intent for a game reached each stage: microseconds after the hub of its
// player received it, at most an hour. Zero: the stage was not reached.
struct stage_times {
  std::uint32_t taken_up = 0;  // the game actor started to handle it
  std::uint32_t decided = 0;   // the engine accepted or refused it, and the journal has the record
  std::uint32_t committed =
      0;  // the record is durable; zero also if the answer did not wait for it
};

// Travels with an intent and returns with its answer: routes the answer to its attachment, and
// carries times and trace.
struct receipt {
  attachment_id from;
  trace_id trace;
  base::instant received{};
  gamehub::ticket ticket = 0;
  stage_times stages = {};
};

struct envelope {
  gamehub::receipt receipt;
  intent what;
};

}  // namespace gamehub
