// What a player offers the other players of its game, beyond moves: a draw or a takeback while it
// runs, which the game's log has, and a rematch once it has ended. Plain values; any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub {

// The journal has the numbers: add new kinds at the end.
enum class offer_kind : std::uint8_t {
  rematch,   // of the ended game
  draw,      // the game ends as a draw
  takeback,  // the position goes back to that before the latest move of the player of the offer
};
inline constexpr int offer_kind_count = 3;
constexpr std::string_view to_string(offer_kind k) {
  switch (k) {
    case offer_kind::rematch: return "rematch";
    case offer_kind::draw: return "draw";
    case offer_kind::takeback: return "takeback";
  }
  return "";
}

enum class offer_step : std::uint8_t {
  offered,    // it stands until one of the others follows
  accepted,   // by one player; it is carried out once all whom it waits for have accepted it
  declined,   // by one of the other players
  withdrawn,  // by the player that offered it
};
constexpr std::string_view to_string(offer_step s) {
  switch (s) {
    case offer_step::offered: return "offered";
    case offer_step::accepted: return "accepted";
    case offer_step::declined: return "declined";
    case offer_step::withdrawn: return "withdrawn";
  }
  return "";
}

// Why an offer was declined or withdrawn.
enum class offer_cause : std::uint8_t {
  request,    // the player said so
  left,       // the player has left the hub, or reads the game no more
  elsewhere,  // the player has taken another seat
  moved,      // a move was made, so that the offer is out of date
};
inline constexpr int offer_cause_count = 4;
constexpr std::string_view to_string(offer_cause c) {
  switch (c) {
    case offer_cause::request: return "request";
    case offer_cause::left: return "left";
    case offer_cause::elsewhere: return "elsewhere";
    case offer_cause::moved: return "moved";
  }
  return "";
}

// A change of an offer, for the players of its game.
struct offer_update {
  offer_step step = offer_step::offered;
  seat_index seat = 0;  // of the player that offered, accepted, declined or withdrew it
  std::string name;     // of that player
  offer_cause cause = offer_cause::request;
  game_id next = {};  // accepted, of a rematch: the new game
  offer_kind what = offer_kind::rematch;
};

}  // namespace gamehub
