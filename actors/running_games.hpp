// The games that run, found by their ids and by their actors. A plain value; the lobby owns it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>

#include "actors/interfaces.hpp"

namespace gamehub::actors {

class running_games {
 public:
  struct entry {
    game_actor game;
    std::uint16_t engine = 0;
  };

  void add(game_id, game_actor, std::uint16_t engine);
  void gone(caf::actor_id);

  // Null: it does not run (any more).
  const entry* find(game_id) const;

  std::size_t size() const { return games_.size(); }
  void clear() { games_.clear(), ids_.clear(); }

  template <class Each>
  void for_each(Each each) const {
    for (const auto& [id, what] : games_) each(id, what);
  }

  // By descending ids below that one, until it is told false.
  template <class Each>
  void for_each_before(game_id id, Each each) const {
    for (auto at = games_.lower_bound(id); at != games_.begin();)
      if (--at; !each(at->first, at->second)) return;
  }

 private:
  std::map<game_id, entry> games_;
  std::unordered_map<caf::actor_id, game_id> ids_;
};

}  // namespace gamehub::actors
