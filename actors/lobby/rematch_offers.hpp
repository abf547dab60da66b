// The open offers of a rematch, and what their players hear of them. A player offers or accepts by
// waiting for a rematch, so it waits for at most one. The rematch begins once all players of the
// ended game have accepted. A plain value; the lobby owns it and uses it on its loop.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/offer.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

class rematch_offers {
 public:
  // A player of the ended game.
  struct member {
    player_id player;
    seat_index seat = 0;
    std::string name;
    bool accepted = false;  // also of the player that offers
  };
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

  // Counts an offer, or a request for a rematch of a game that the player did not play, for which a
  // log was read.
  void count(player_id, base::instant now);
  // True if as many as limits::offers_max were counted within limits::offers_in.
  bool is_too_fast(player_id, base::instant now);

  // True if no offer is open.
  bool empty() const { return open_.empty(); }

  // True if another player offers a rematch of that game to the player.
  bool is_offered(player_id, game_id of) const;

  // Returns the game whose rematch the player waits for, or zero.
  game_id awaited_by(player_id) const;

  // The player waits for a rematch of that game: it offers it, or accepts what is offered. What it
  // waited for earlier ends. Requires: `all` has the player.
  effects ask(player_id by, game_id of, std::vector<member> all, base::instant now);
  // The rematch of these players begins.
  effects begin(const std::vector<player_id>& players, game_id next);
  // The player waits for its rematch no more: it takes another seat, leaves or says so. So no
  // player waits for it any more.
  effects withdraw(player_id, offer_cause);
  // The player declines what is offered to it: the rematch of one game, or of all games but one.
  effects decline_one(player_id, game_id of, offer_cause);
  effects decline_others(player_id, game_id except, offer_cause);

  // A player has another name.
  void rename(player_id, const std::string& name);
  // The player has left the hub; call it after withdraw() and decline_others().
  void forget(player_id player) { offered_at_.erase(player); }
  void clear();

 private:
  struct offer {
    player_id by;
    player_id latest;  // who offered or accepted it last
    std::vector<member> members;

    member& at(player_id);
  };

  // Returns the games whose rematch is offered to this player or by it.
  std::vector<game_id> offers_with(player_id) const;
  // The player ends the offer.
  effects end(game_id, player_id, offer_step, offer_cause);
  void erase(game_id);

  std::map<game_id, offer> open_;                      // by the ended game
  std::set<std::pair<player_id, game_id>> by_member_;  // of all offers
  std::unordered_map<player_id, game_id> waits_for_;   // the rematch that a player waits for
  // The times of the latest offers. At most offers_max of each player that is in the hub.
  std::unordered_map<player_id, std::deque<base::instant>> offered_at_;
};

}  // namespace gamehub::actors::lobby
