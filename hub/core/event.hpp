// The messages of the hub to a client, independent of the protocol. Sessions deliver events to
// attachments; codecs encode them. Exactly one event answers each intent and carries its receipt;
// events without a receipt go to all attachments of a player.
//
// Values, copied between loops. A position is shared and immutable.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gamehub {

// The answer to sign_in. The secret is the resume token of this player; only its client gets it.
struct signed_in {
  std::string name;
  std::string secret;
  bool returned = false;    // the player was resumed
  std::uint32_t games = 0;  // its running games: started and position follow for each
};

// The answer to seek and rematch: the player is queued, or about to be seated. The seat and
// event.game are known already if the wire requested them.
struct placed {
  std::string engine;
  std::string marks;  // one glyph per seat ("XO"); empty for engines without cells
  std::optional<seat_index> seat;
  std::string invitation = {};          // of a closed game: the secret with which others join
  std::uint16_t rows = 0, columns = 0;  // of the board; 0: no board
  bool begins = false;                  // all opponents are present: started follows
};

// A game begins for this player, or continues on a new attachment. A position follows.
struct started {
  std::string engine;
  std::string marks;                         // as in placed
  std::vector<std::string> players;          // names, by seat
  seat_index seat = 0;                       // of this player
  std::vector<base::wall_time> visits = {};  // the last activity of each seat
};

// How a game ended.
struct outcome {
  end_reason reason = end_reason::rules;
  std::optional<seat_index> winner;  // none: a draw, or an end without a result
  std::vector<double> scores;        // by seat

  // Returns true if the game ended by the rules without a winner.
  bool draw() const { return reason == end_reason::rules && !winner; }
};

// A game as one viewer class may see it after the latest record: one player, or all for whom the
// same rendering is valid. Rendered only in the form that they use.
struct position {
  std::uint64_t number = 0;  // of the latest record of the game's log
  // The seat that moved; none: start, resume, an end by no move, or spectators may not know it.
  std::optional<seat_index> by;
  seat_set to_move = 0;
  seat_set prompted = 0;  // those of them whose turn has just begun
  std::uint16_t rows = 0, columns = 0;
  std::string cells;     // form::cells: one glyph per cell, row by row, '-' is blank
  std::string document;  // form::document: the engine's JSON
  std::optional<gamehub::outcome> outcome;  // once it is decided: by the rules, or by the end
};

// The intent was not carried out, with the reason.
struct refused {
  refusal why = refusal::malformed;
  std::string detail;  // the engine's text, if it has one
  move what;           // of a refused play, unchanged
};

// The intent was carried out; there is no other result.
struct done {};

using position_ref = std::shared_ptr<const position>;

struct event {
  receipt answers;  // ticket 0: the event answers no intent
  game_id game;     // none: the event is not about a game
  std::variant<signed_in, placed, started, position_ref, refused, done> what;
};

}  // namespace gamehub
