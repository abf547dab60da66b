// The open offers of a rematch, and what their players hear of them. A player offers by waiting for
// a rematch, so it has at most one open offer. A plain value; the lobby owns it and uses it on its
// loop.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/offer.hpp"

#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

struct rematch_offer {
  struct answerer {
    player_id player;
    seat_index seat = 0;
    std::string name;
  };

  game_id of;  // the ended game
  player_id by;
  seat_index seat = 0;  // of that player in the ended game
  std::string name;
  answerer to;
};

class rematch_offers {
 public:
  struct message {
    player_id to;
    game_id game;  // the ended one
    offer_update what;
  };
  // What follows from a change: messages, and the players whose waiting seat is to be given back.
  struct effects {
    std::vector<message> messages;
    std::vector<player_id> seats_given_back;
  };

  // True if the player has offered limits::offers_max rematches within limits::offers_in.
  bool is_too_fast(player_id, base::instant now);

  // True if a rematch of that game is offered to the player.
  bool is_offered(player_id, game_id of) const;

  // The player waits for a rematch. It replaces its earlier offer.
  effects open(rematch_offer, base::instant now);
  // The rematch of these players begins.
  effects accept(const std::vector<player_id>& players, game_id next);
  // The player waits for its rematch no more: it takes another seat, leaves or says so.
  effects withdraw(player_id by, offer_cause);
  // The player declines what is offered to it: the rematch of one game, or of all games but one.
  effects decline_one(player_id, game_id of, offer_cause);
  effects decline_others(player_id, game_id except, offer_cause);

  // A player has another name.
  void rename(player_id, const std::string& name);
  // The player has left the hub; call it after withdraw() and decline_others().
  void forget(player_id player) { offered_at_.erase(player); }
  void clear();

 private:
  // Returns the players that offer this one a rematch.
  std::vector<player_id> offers_to(player_id) const;
  template <class Match>
  effects decline(player_id, Match, offer_cause);
  void erase(player_id by);

  std::unordered_map<player_id, rematch_offer> open_;      // by the player that offers
  std::set<std::pair<player_id, player_id>> by_answerer_;  // and the player that offers
  // The times of the latest offers. At most offers_max of each player that is in the hub.
  std::unordered_map<player_id, std::deque<base::instant>> offered_at_;
};

}  // namespace gamehub::actors::lobby
