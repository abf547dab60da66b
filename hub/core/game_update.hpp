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

// The properties that do not change during a game.
struct game_metadata {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;               // JSON; empty: the engine's defaults
  std::string marks;                 // one glyph per seat; empty for engines without cells
  std::vector<std::string> players;  // names, by seat; an empty name: the seat is free
  bool closed = false;               // joined by invitation only, and not listed
  base::wall_time opened{};
};

struct game_update {
  enum class kind : std::uint8_t { opened, joined, moved, drawn, said, left, ended };

  std::shared_ptr<const game_metadata> game;
  std::uint64_t number = 0;  // in the game's log: from 1, without gaps
  base::wall_time at{};
  kind what = kind::opened;
  // The engine hides the action from others: seat, text and cell are absent.
  bool hidden = false;
  std::optional<seat_index> seat;  // joined, moved, said, left: the seat; ended: the winner
  // joined, said, left: the name of the seat. `text` has the engine's text of an action, a chat
  // message, or the reason of an operator who ended the game.
  std::string name;
  std::string text;
  std::optional<std::int64_t> cell;  // moved, if the action has a cell on the board
  // The position after it, as spectators see it: the board, or the document if there is no board.
  // Null in joined, said and left.
  position_ref then;
};

using update_ref = std::shared_ptr<const game_update>;

}  // namespace gamehub
