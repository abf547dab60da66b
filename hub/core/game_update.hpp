// The public form of the records of a game. The table makes one update per record, however many
// spectators there are. Immutable once it is logged, and shared by all loops.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub {

// The properties of a game. During it only the names change, each with an update `renamed`, and the
// kinds, each with an update `substituted` or `returned`.
struct game_metadata {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;                // JSON; empty: the engine's defaults
  std::string marks;                  // one glyph per seat; empty for engines without cells
  std::vector<std::string> players;   // names, by seat; an empty name: the seat is free
  std::vector<seat_kind> kinds = {};  // by seat
  std::string reserved_for = {};      // of a waiting game: the name of the only player who may join
  bool closed = false;                // joined by invitation only, and not listed
  base::wall_time opened{};
  // Of a game with another clock than the hub's time for each turn.
  std::optional<clock_rule> clock = {};
};

struct game_update {
  enum class kind : std::uint8_t {
    opened,
    joined,
    moved,
    drawn,
    said,
    left,
    ended,
    renamed,
    offer_changed,  // offered, accepted, declined or withdrawn: `offer`
    taken_back,     // the updates from `back_to` on are taken back; `seat` asked for it
    substituted,    // an engine plays the seat on; `text` has the word of the leave_cause
    returned,       // the player plays the seat again
  };

  std::shared_ptr<const game_metadata> game;
  std::uint64_t number = 0;  // in the game's log: from 1, without gaps
  base::wall_time at{};
  kind what = kind::opened;
  // The engine hides the action from others: seat, text and cell are absent.
  bool hidden = false;
  // joined, moved, said, left, renamed, taken_back, substituted, returned: the seat; ended: the
  // winner
  std::optional<seat_index> seat;
  // joined, said, left, renamed, taken_back, substituted, returned: the name of the seat. `text`
  // has the engine's text of an action, a chat message, the old name, or the reason of an operator
  // who ended the game.
  std::string name;
  std::string text;
  std::optional<std::int64_t> cell;  // moved, if the action has a cell on the board
  // The position after it, as spectators see it: the board, or the document if there is no board.
  // Null in joined, said, left, renamed, offer_changed, substituted and returned.
  position_ref then;
  std::uint64_t back_to = 0;          // taken_back
  std::optional<offer_update> offer;  // offer_changed
  // Set: `then` is what the player of this seat sees, in both forms. Only for that player.
  std::optional<seat_index> as = {};
};

using update_ref = std::shared_ptr<const game_update>;

}  // namespace gamehub
