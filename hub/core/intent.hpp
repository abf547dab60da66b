// The requests of clients, independent of the protocol. Codecs decode bytes into intents; sessions
// carry them out. Plain values; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub {

// Identifies the client. With a resume token it asks for the player of that token and its running
// games; a name alone never resumes a player.
struct sign_in {
  std::string name;           // empty: the hub chooses one
  std::string resume_secret;  // empty: a new player
  // If the token is unknown, the new player gets it instead of one that the hub makes.
  bool proposes_secret = false;
  // True: a name that is in use or not acceptable is refused. False: the hub changes it.
  bool exact_name = false;
  // If the token is unknown, sign-in is refused and no player is created.
  bool only_resume = false;
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
};

// Resigns a game: the others win. Game zero: the only game, or the place in the queue.
struct leave {
  game_id game;
  bool only_waiting = false;  // leaves only the queue, also if the player plays
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
// all have requested it; an engine opponent always agrees.
struct rematch {
  game_id game;
};

using intent = std::variant<sign_in, seek, play, leave, chat, rematch, challenge>;

// Numbers the intents of one attachment, from 1. Zero: the event answers no intent.
using ticket = std::uint32_t;

// The times at which an intent for a game reached each stage: microseconds after it was received,
// at most an hour. Zero: the stage was not reached.
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
