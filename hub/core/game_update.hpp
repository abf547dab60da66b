// What everybody may see of a game: each record of its log in its public form. Made by the actors,
// once a record however many watch; immutable, shared by all who watch on all loops.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/time.hpp"

namespace gamehub {

// What does not change while a game goes on.
struct game_metadata {
  game_id id;
  std::string engine;
  std::string engine_version;
  std::string options;               // JSON; empty: the engine's defaults
  std::string marks;                 // one glyph a seat, empty for engines without cells
  std::vector<std::string> players;  // names, by seat; empty: nobody came yet
  bool closed = false;               // joined by invitation, and in no list
  wall_time opened{};
};

// A position as those see it who do not play.
struct public_position {
  std::uint16_t rows = 0, columns = 0;
  std::string cells;     // one glyph a cell, row by row, '-' is blank; none: no board
  std::string document;  // the engine's own JSON; of updates only where there is no board
  seat_set to_move = 0;
  std::optional<gamehub::outcome> outcome;  // once it is decided: by the rules, or by the end
};

struct game_update {
  enum class kind : std::uint8_t { opened, joined, moved, drawn, said, left, ended };

  std::shared_ptr<const game_metadata> game;
  std::uint64_t number = 0;  // in the game's log: from 1, without gaps
  wall_time at{};
  kind what = kind::opened;
  // The engine keeps it from others for now: there is neither seat, text nor cell.
  bool hidden = false;
  std::optional<seat_index> seat;  // joined, moved, said, left: whose; ended: who won
  // joined, said, left: the seat's name. An action in the engine's words is in `text`, and so are
  // what was said, and the note of an operator who ended the game.
  std::string name;
  std::string text;
  std::optional<std::int64_t> cell;     // moved, where the action has a place on the board
  std::optional<public_position> then;  // after it; not of joined, said and left
};

using update_ref = std::shared_ptr<const game_update>;

}  // namespace gamehub
