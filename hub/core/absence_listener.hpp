// What games report of players who are away from a lasting game (clock_policy::away_time): a turn
// that waits for them, and the end. hub/webhook tells them. Games call it on their loops, once all
// records so far are committed.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/event.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gamehub {

// One seat of a lasting game, and its player.
struct lasting_seat {
  std::string player;  // digest of the resume token, as the log of the game has it
  game_id game;
  std::string engine;  // its id
  seat_index seat = 0;
};

// The seat is to move, and its player is away.
struct absent_turn {
  lasting_seat at;
  std::uint64_t number = 0;  // of the record with which the turn began; the same after a restart
  base::wall_time since{};   // the time of that record
  std::optional<base::wall_time> until = {};  // when the time of the turn is up; none: never
};

// The game has ended.
struct lasting_end {
  lasting_seat at;
  std::uint64_t number = 0;  // of the last record
  bool away = false;         // the player is away
  outcome how = {};
};

class absence_listener {
 public:
  virtual ~absence_listener() = default;

  // A turn is reported once while its player stays away, and again after each return of the player
  // and each restart of the hub.
  virtual void on_turn(absent_turn) = 0;
  // A reported turn is over, or its player is back.
  virtual void on_turn_over(const std::string& player, game_id) = 0;
  // Called once for each seat with a player who can come back.
  virtual void on_end(lasting_end) = 0;
};

}  // namespace gamehub
