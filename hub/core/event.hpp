// The messages of the hub to a client, independent of the protocol. Sessions deliver events to
// attachments; codecs encode them. Exactly one event answers each intent and carries its receipt;
// events without a receipt go to all attachments of a player.
//
// Values, copied between loops. A position is shared and immutable.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/clock_rule.hpp"
#include "hub/core/game_clock.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/offer.hpp"
#include "hub/core/reasons.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::uint16_t seats = 2;              // of the game
  std::string start = {};  // the cells that it begins with, as spectators see them; as in position
  std::optional<clock_rule> clock = {};  // as in game_terms
};

// Who sits on a seat, by the hub's own data: a name can claim anything. Substitute: an engine plays
// on for a player who left or ran out of time.
enum class seat_kind : std::uint8_t { free, player, bot, engine, substitute };
// Returns the word of the kind, as protocols use it; of a free seat none.
constexpr std::string_view to_string(seat_kind k) {
  switch (k) {
    case seat_kind::free: return "";
    case seat_kind::player: return "player";
    case seat_kind::bot: return "bot";
    case seat_kind::engine: return "engine";
    case seat_kind::substitute: return "substitute";
  }
  return "";
}

// What does not change during a game and no other message names. All its players share it.
struct game_terms {
  std::string version;                     // of the engine
  std::string options;                     // JSON; empty: the engine's defaults
  std::chrono::milliseconds turn_time{0};  // zero: no limit
  std::vector<seat_kind> kinds = {};       // by seat
  // Of a game with another clock than the hub's time for each turn.
  std::optional<clock_rule> clock = {};
};

// A game begins for this player, or continues on a new attachment. A position follows.
struct started {
  std::string engine;
  std::string marks;                             // as in placed
  std::vector<std::string> players;              // names, by seat
  seat_index seat = 0;                           // of this player
  std::vector<base::wall_time> visits = {};      // the last activity of each seat
  std::shared_ptr<const game_terms> terms = {};  // null: not known
};

// How a game ended.
struct outcome {
  end_reason reason = end_reason::rules;
  std::optional<seat_index> winner;  // none: a draw, or an end without a result
  std::vector<double> scores;        // by seat
  // Of three seats or more: the seats that have lost by leaving or by the clock.
  seat_set forfeits = 0;

  // Returns true if the game ended without a winner by the rules, or as its players agreed.
  bool draw() const {
    return !winner && (reason == end_reason::rules || reason == end_reason::agreed);
  }
};

// The legal actions of one seat, in the engine's JSON, for a client that wants them.
struct seat_actions {
  seat_index seat = 0;
  std::string list;  // a JSON array
  bool complete = true;
};

// A game as one viewer class may see it after the latest record: one player, or all for whom the
// same rendering is valid. Rendered only in the form that they use.
struct position {
  std::uint64_t number = 0;  // of the latest record of the game's log
  // The seat that moved; none: start, resume, an end by no move, or spectators may not know it.
  std::optional<seat_index> by;
  seat_set to_move = 0;
  seat_set prompted = 0;  // those of them whose turn has just begun
  seat_set away = 0;      // those whose client is away
  // The seats that an engine plays on, because their players left or ran out of time.
  seat_set substituted = 0;
  std::uint16_t rows = 0, columns = 0;
  std::string cells;     // form::cells: one glyph per cell, row by row, '-' is blank
  std::string document;  // form::document: the engine's JSON
  // For everyone, in positions for spectators: by seat, what it has won so far (not a number: it
  // has no score), and a line about the state. Empty: the engine has none.
  std::vector<double> score;
  std::string summary;
  std::optional<gamehub::outcome> outcome;  // once it is decided: by the rules, or by the end
  game_clock clock = {};                    // as the position was made
  std::vector<seat_actions> actions = {};   // of the prompted seats whose clients want them
};

// A player of a running game has another name.
struct renamed {
  seat_index seat = 0;
  std::string name, old_name;
};

// The intent was not carried out, with the reason.
struct refused {
  refusal why = refusal::malformed;
  std::string detail;  // the engine's text, if it has one
  move what;           // of a refused play, unchanged
  // Of a refused move, for a client that wants them: what the player may do instead.
  std::shared_ptr<const seat_actions> actions = {};
};

using position_ref = std::shared_ptr<const position>;

// The seat of a player in a game that is asleep. The position has who is to move and the clock, and
// shows nothing of the game.
struct sleeping_seat {
  game_id game;
  started begun;
  position_ref latest;
};

// The intent was carried out; there is no other result, but for find_seat of no game.
struct done {
  std::shared_ptr<const std::vector<sleeping_seat>> asleep = {};  // null: no game is asleep
};

struct event {
  receipt answers;  // ticket 0: the event answers no intent
  game_id game;     // none: the event is not about a game
  std::variant<signed_in, placed, started, position_ref, refused, done, renamed, offer_update> what;
};

}  // namespace gamehub
