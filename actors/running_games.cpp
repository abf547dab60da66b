#include "actors/running_games.hpp"

#include <utility>

namespace gamehub::actors {

void running_games::add(game_id id, game_actor game, std::uint16_t engine) {
  ids_.emplace(game.id(), id);
  games_.emplace_hint(games_.end(), id, entry{std::move(game), engine});
}

void running_games::gone(caf::actor_id actor) {
  const auto at = ids_.find(actor);
  if (at == ids_.end()) return;
  games_.erase(at->second);
  ids_.erase(at);
}

const running_games::entry* running_games::find(game_id id) const {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

}  // namespace gamehub::actors
