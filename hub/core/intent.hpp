// What a client asks for, whatever protocol it speaks. Codecs make intents out of bytes;
// sessions act on them. Nothing here knows of sockets, actors or rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hub/core/ids.hpp"
#include "hub/core/time.hpp"

namespace gamehub {

// Says who the client is. With a secret it asks for the player of that secret instead, with
// all its running games; a name alone never brings a player back.
struct sign_in {
  std::string name;           // empty: the hub finds one
  std::string resume_secret;  // empty: a new player
  // Where nobody has that secret the new player gets it, and not one that the hub makes.
  bool proposes_secret = false;
  // A name in use, or not acceptable, is refused; else the hub makes another of it.
  bool exact_name = false;
  // Where nobody has that secret: refused, and nobody comes.
  bool only_resume = false;
};

// Waits for opponents, in one queue per engine.
struct seek {
  std::vector<std::string> engines;  // ids; those that the hub does not know are refused
  std::vector<std::string> options;  // JSON for each of them; empty or not there: its defaults
  std::uint32_t games_max = 1;       // how many games at once
  bool again = false;                // wait anew whenever a place is free, until the client goes
  bool seat_at_once = false;         // the wire tells the seat before there is an opponent
  std::optional<seat_index> seat;    // the seat it must have; none: whichever comes
  bool against_engine = false;       // the engine's own player takes the other seats
  bool reserve_game = false;         // the wire tells the game's id before there is an opponent
  bool closed = false;               // nobody joins but by the invitation that `placed` brings
  std::string invitation = {};       // joins that game; the engines are the other side's then
  std::string opponent = {};         // the name of who must sit opposite; empty: anybody
  bool only_by_name = false;         // meets only those who ask for its own name
  bool opponent_ready = false;       // refused if nobody of that name waits to be asked for
  std::string level = {};            // of the engine's own player; empty: as the wire has it
};

// A move as the wire can say it: the cell of a board, or a document or word that the engine
// reads. The text goes back with a refusal, exactly as it came.
struct move {
  enum class form : std::uint8_t { cell, document, word };

  form as = form::cell;
  std::int64_t cell = 0;
  std::string text;
};

// Plays in a game of the player's. Game zero is the only one it has.
struct play {
  game_id game;
  gamehub::move move;
};

// Gives a game up: the others win. Game zero: the only one, or the place in the queue.
struct leave {
  game_id game;
  bool only_waiting = false;  // the place in the queue alone, also of who plays
};

// Of two who wait anew for those who ask for their names: a game between them, this one in the
// first seat. Game zero: answered by placed with the game's id, and nothing more; it begins when
// this is said again with that id.
struct challenge {
  std::string opponent;
  game_id game = {};
};

// Says something at a table where the player sits, for all who watch. Game zero: the only one.
struct chat {
  game_id game;
  std::string text;
};

// Waits for the same opponents as in a game that has ended, each on the next one's side. The new
// game begins once all have asked; the house has.
struct rematch {
  game_id game;
};

using intent = std::variant<sign_in, seek, play, leave, chat, rematch, challenge>;

// Numbers the intents of one attachment, from 1. Zero: the event answers none.
using ticket = std::uint32_t;

// How far an intent for a game had got when: microseconds after it was received, at most an hour.
// Zero: it has not got there.
struct stage_times {
  std::uint32_t taken_up = 0;   // its game's loop turned to it
  std::uint32_t decided = 0;    // the engine has judged it, and the journal has it to write
  std::uint32_t committed = 0;  // the journal has written it; zero, too, where nobody waited for it
};

// What goes with an intent all the way and comes back with its answer, so that the answer
// finds its attachment and can be timed and traced.
struct receipt {
  attachment_id from;
  trace_id trace;
  instant received{};
  gamehub::ticket ticket = 0;
  stage_times stages = {};
};

struct envelope {
  gamehub::receipt receipt;
  intent what;
};

}  // namespace gamehub
