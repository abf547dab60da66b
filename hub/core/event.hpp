// What the hub tells a client, whatever protocol it speaks. Sessions hand events to
// attachments; codecs make bytes of them. Every intent is answered by exactly one event that
// carries its receipt; events without a receipt go to all attachments of a player.
//
// Values: they are copied freely between loops; a position is shared and never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"
#include "hub/core/time.hpp"

namespace gamehub {

// The answer to sign_in. The secret brings this player back; it is nobody else's business.
struct signed_in {
  std::string name;
  std::string secret;
  bool returned = false;    // it was here before
  std::uint32_t games = 0;  // that it plays, and is shown now: started and position follow
};

// The answer to seek and rematch: the player waits, or is about to be seated. The seat is known
// already where the wire asked for it at once, and so is event.game.
struct placed {
  std::string engine;
  std::string marks;  // one glyph a seat ("XO"), empty for engines without cells
  std::optional<seat_index> seat;
  std::string invitation = {};          // of a closed game: a secret, by which others join
  std::uint16_t rows = 0, columns = 0;  // of its board; 0: it has none
  bool begins = false;                  // nobody is waited for: started follows
};

// A game begins for this player, or goes on for it on a new attachment. A position follows.
struct started {
  std::string engine;
  std::string marks;                   // as in placed
  std::vector<std::string> players;    // names, by seat
  seat_index seat = 0;                 // this player's
  std::vector<wall_time> visits = {};  // when each seat was last heard of
};

// How a game ended.
struct outcome {
  end_reason reason = end_reason::rules;
  std::optional<seat_index> winner;  // none: a draw, or nobody's loss
  std::vector<double> scores;        // by seat

  // Ended by the rules or by a loss, and nobody won.
  bool draw() const { return reason == end_reason::rules && !winner; }
};

// A game as one player may see it after its latest record. Rendered only in the forms that
// the player's wire asked for.
struct position {
  std::uint64_t number = 0;      // of the latest record of the game's log
  std::optional<seat_index> by;  // who moved; none: the beginning, a resume or an end off the board
  seat_set to_move = 0;
  seat_set prompted = 0;  // those of them whose turn has just begun
  std::uint16_t rows = 0, columns = 0;
  std::string cells;     // form::cells: one glyph a cell, row by row, '-' is blank
  std::string document;  // form::document: the engine's own JSON
  std::optional<gamehub::outcome> outcome;
};

// Not carried out, and why.
struct refused {
  refusal why = refusal::malformed;
  std::string detail;  // the engine's own word, where it has one
  move what;           // of a refused play, as it came
};

// Carried out; nothing to show for it.
struct done {};

using position_ref = std::shared_ptr<const position>;

struct event {
  receipt answers;  // ticket 0: answers nothing
  game_id game;     // none: not about a game
  std::variant<signed_in, placed, started, position_ref, refused, done> what;
};

}  // namespace gamehub
