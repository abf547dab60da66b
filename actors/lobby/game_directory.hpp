// The games that the lobby knows: running games, found by id and by actor, and waiting games, which
// have an id because a protocol reported it but still lack players. Plain values; the lobby owns
// them and uses them on its loop.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/runtime/subscription.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gamehub::actors::lobby {

class running_games {
 public:
  struct entry {
    runtime::game_actor game;
    std::uint16_t engine = 0;  // index in the engine directory
  };

  // Adds a game that has started.
  void add(game_id, runtime::game_actor, std::uint16_t engine);
  // Removes the game of an actor that has terminated.
  void remove(caf::actor_id);

  // Returns null if the game is not running.
  const entry* find(game_id) const;

  std::size_t size() const { return games_.size(); }
  void clear() { games_.clear(), ids_.clear(); }

  // Calls `each(id, entry)` for every running game.
  template <class Each>
  void for_each(Each each) const {
    for (const auto& [id, game] : games_) each(id, game);
  }

  // Calls `each(id, entry)` by descending ids below `id` until it returns false.
  template <class Each>
  void for_each_before(game_id id, Each each) const {
    for (auto at = games_.lower_bound(id); at != games_.begin();)
      if (--at; !each(at->first, at->second)) return;
  }

 private:
  std::map<game_id, entry> games_;
  std::unordered_map<caf::actor_id, game_id> ids_;
};

class waiting_games {
 public:
  struct entry {
    player_id by;            // the player who opened it
    std::uint16_t kind = 0;  // kind of engine
    std::shared_ptr<const game_metadata> metadata;
    std::string invitation;         // party name of the invitation; empty: none is required
    std::vector<player_id> awaits;  // of a rematch: the other players
    std::vector<std::shared_ptr<runtime::subscription>> subscriptions;
  };

  // Adds a game. It replaces the waiting game of the same player: a player has at most one.
  void add(entry);

  // Return null if no such game waits.
  entry* find(game_id);
  entry* find_invited(const std::string& party);
  // Returns the waiting game of this player, or zero.
  game_id game_of(player_id) const;
  // Returns the players whose rematch waits for this player.
  std::vector<player_id> waiting_for(player_id) const;

  // Removes the game because it starts, and returns the subscriptions to forward to its actor.
  std::vector<std::shared_ptr<runtime::subscription>> start(game_id);

  // Removes the waiting game of this player. Destroying its subscriptions reports that to the
  // spectators.
  void remove(player_id);

  // Calls `each(id, entry)` by descending ids below `id` until it returns false.
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

}  // namespace gamehub::actors::lobby
