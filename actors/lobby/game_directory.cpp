#include "actors/lobby/game_directory.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

void running_games::add(game_id id, runtime::game_actor game, std::uint16_t engine) {
  ids_.emplace(game.id(), id);
  games_.emplace_hint(games_.end(), id, entry{std::move(game), engine});
}

void running_games::remove(caf::actor_id actor) {
  const auto at = ids_.find(actor);
  if (at == ids_.end()) return;
  games_.erase(at->second);
  ids_.erase(at);
}

const running_games::entry* running_games::find(game_id id) const {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

void waiting_games::add(entry e) {
  const auto id = e.metadata->id;
  remove(e.by);
  by_player_[e.by] = id;
  if (!e.invitation.empty()) by_invitation_[e.invitation] = id;
  for (const auto other : e.awaits) by_awaited_.emplace(other, e.by);
  games_[id] = std::move(e);
}

waiting_games::entry* waiting_games::find(game_id id) {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

waiting_games::entry* waiting_games::find_invited(const std::string& party) {
  const auto at = by_invitation_.find(party);
  return at == by_invitation_.end() ? nullptr : find(at->second);
}

game_id waiting_games::game_of(player_id player) const {
  const auto at = by_player_.find(player);
  return at == by_player_.end() ? game_id{} : at->second;
}

std::vector<player_id> waiting_games::waiting_for(player_id player) const {
  std::vector<player_id> found;
  const auto [from, to] = by_awaited_.equal_range(player);
  for (auto at = from; at != to; ++at) found.push_back(at->second);
  return found;
}

std::vector<std::shared_ptr<runtime::subscription>> waiting_games::start(game_id id) {
  const auto at = games_.find(id);
  if (at == games_.end()) return {};
  auto subscriptions = std::move(at->second.subscriptions);
  erase(id);
  return subscriptions;
}

void waiting_games::remove(player_id player) {
  if (const auto at = by_player_.find(player); at != by_player_.end()) erase(at->second);
}

void waiting_games::erase(game_id id) {
  const auto at = games_.find(id);
  const auto& e = at->second;
  by_player_.erase(e.by);
  by_invitation_.erase(e.invitation);
  for (const auto other : e.awaits) {
    const auto [from, to] = by_awaited_.equal_range(other);
    const auto mine = std::find_if(from, to, [&](const auto& each) { return each.second == e.by; });
    if (mine != to) by_awaited_.erase(mine);
  }
  games_.erase(at);
}

}  // namespace gamehub::actors::lobby
