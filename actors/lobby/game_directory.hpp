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
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

// The ids that lists may show, by kind of engine.
class listed_games {
 public:
  void add(std::uint16_t kind, game_id game) { by_kind_[kind].insert(game); }
  void remove(std::uint16_t kind, game_id);
  void clear() { by_kind_.clear(); }

  // Calls `each(id)` for the newest games of one kind, or of every kind, with ids below `id`: at
  // most `most` for each kind.
  template <class Each>
  void for_each_before(std::optional<std::uint16_t> kind, game_id id, std::size_t most,
                       Each each) const {
    for (const auto& [of, games] : by_kind_) {
      if (kind && of != *kind) continue;
      auto at = games.lower_bound(id);
      for (std::size_t n = 0; n < most && at != games.begin(); ++n) each(*--at);
    }
  }

 private:
  std::map<std::uint16_t, std::set<game_id>> by_kind_;
};

class running_games {
 public:
  struct entry {
    runtime::game_actor game;
    std::uint16_t engine = 0;  // index in the engine directory
    std::uint16_t kind = 0;
  };

  // Adds a game that has started. A closed game is not listed.
  void add(game_id, entry, bool closed);
  // Removes the game of an actor that has terminated.
  void remove(caf::actor_id);

  // Returns null if the game is not running.
  const entry* find(game_id) const;

  std::size_t size() const { return games_.size(); }
  void clear() { games_.clear(), ids_.clear(), listed_.clear(); }
  const listed_games& listed() const { return listed_; }

  // Calls `each(id, entry)` for every running game.
  template <class Each>
  void for_each(Each each) const {
    for (const auto& [id, game] : games_) each(id, game);
  }

 private:
  std::map<game_id, entry> games_;
  std::unordered_map<caf::actor_id, game_id> ids_;
  listed_games listed_;
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

  // Neither closed games nor rematches are listed.
  const listed_games& listed() const { return listed_; }
  void clear();

 private:
  void erase(game_id);

  std::map<game_id, entry> games_;
  std::unordered_map<player_id, game_id> by_player_;
  std::unordered_map<std::string, game_id> by_invitation_;
  std::set<std::pair<player_id, player_id>> by_awaited_;  // the awaited and the waiting player
  listed_games listed_;
};

}  // namespace gamehub::actors::lobby
