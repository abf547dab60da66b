// The seek of one player as the matchmaker knows it, and the queues that it is for. Plain values.
#pragma once

#include "hub/core/clock_rule.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/seat_filler.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::actors::lobby {

// One engine with one set of options, for all players or for one party: the players with the same
// invitation, or the players of a rematch. Each party has a separate queue, and so have the tables
// of which engines and bots take the same seats.
struct queue_key {
  std::uint16_t engine = 0;
  std::string options;
  std::string party = {};
  bool closed = false;  // the game is not listed
  int players = 0;      // chosen by the options; 0: the number of the engine
  // Of three seats or more, by seat: who takes it. Empty: players take all seats.
  std::vector<seat_filler> fillers = {};
  clock_rule clock = {};  // the last member: queues that differ only in it are neighbours

  friend auto operator<=>(const queue_key&, const queue_key&) = default;
};

// A seek of one player.
struct open_seek {
  player_id player;
  std::vector<queue_key> queues;
  std::uint32_t games_max = 1;
  bool again = false;                   // stands until withdrawn; otherwise one game uses it up
  bool seat_at_once = false;            // the seat must be reported in the reply
  std::uint32_t playing = 0;            // number of running games of the player
  std::optional<seat_index> seat = {};  // required seat; it exists in every queue of the seek
  bool against_engine = false;          // engines take all other seats
  std::string name = {};                // name of the player
  std::string opponent = {};            // name of the required opponent; empty: any
  bool only_by_name = false;            // pairs only with challengers of this name
  // For three seats or more: takes a place at the waiting table with this reported id, whose
  // players play together. Its seat is free.
  game_id table = {};
  bool any_clock = false;  // only_by_name: also plays with other clocks than those of its queues
};

}  // namespace gamehub::actors::lobby
