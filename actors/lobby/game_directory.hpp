// Games that have an id already, because a wire had to tell it, but no opponents yet: who opened
// them, and who watches until there is something to see. A plain value; the lobby owns it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/line.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::actors {

class waiting_games {
 public:
  struct entry {
    player_id by;
    std::uint16_t kind = 0;  // of engine
    std::shared_ptr<const game_metadata> card;
    std::string invitation;         // its digest; empty: others need none
    std::vector<player_id> awaits;  // of a rematch: who else has to come
    std::vector<std::shared_ptr<line>> lines;
  };

  // A player has one at a time.
  void add(entry);

  // Null: no such game waits.
  entry* find(game_id);
  entry* find_invited(const std::string& digest);
  // None: it waits for no such game.
  game_id game_of(player_id) const;
  // Who waits for that player alone.
  std::vector<player_id> waiting_for(player_id) const;

  // The game begins: those who watch it, to be led there.
  std::vector<std::shared_ptr<line>> begin(game_id);

  // The player waits no more. Its lines are dropped, by which those who watch hear of that.
  void forget(player_id);

  // By descending ids below that one, until it is told false.
  template <class Each>
  void for_each_before(game_id id, Each each) const {
    for (auto at = games_.lower_bound(id); at != games_.begin();)
      if (--at; !each(at->first, at->second)) return;
  }
  void clear() { games_.clear(), by_player_.clear(), by_invitation_.clear(), by_awaited_.clear(); }

 private:
  void erase(game_id);

  std::map<game_id, entry> games_;
  std::unordered_map<player_id, game_id> by_player_;
  std::unordered_map<std::string, game_id> by_invitation_;
  std::unordered_multimap<player_id, player_id> by_awaited_;
};

}  // namespace gamehub::actors
