#include "actors/lobby/game_directory.hpp"

#include <utility>

namespace gamehub::actors::lobby {

void listed_games::remove(std::uint16_t kind, game_id game) {
  if (const auto at = by_kind_.find(kind); at != by_kind_.end()) at->second.erase(game);
}

void running_games::add(game_id id, entry e, bool closed) {
  ids_.emplace(e.game.id(), id);
  if (!closed) listed_.add(e.kind, id);
  games_.emplace_hint(games_.end(), id, std::move(e));
}

void running_games::remove(caf::actor_id actor) {
  const auto at = ids_.find(actor);
  if (at == ids_.end()) return;
  if (const auto game = games_.find(at->second); game != games_.end()) {
    listed_.remove(game->second.kind, game->first);
    games_.erase(game);
  }
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
  if (!e.metadata->closed && e.awaits.empty()) listed_.add(e.kind, id);
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
  for (auto at = by_awaited_.lower_bound({player, {}});
       at != by_awaited_.end() && at->first == player; ++at)
    found.push_back(at->second);
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

void waiting_games::clear() {
  games_.clear();
  by_player_.clear();
  by_invitation_.clear();
  by_awaited_.clear();
  listed_.clear();
}

void waiting_games::erase(game_id id) {
  const auto at = games_.find(id);
  const auto& e = at->second;
  by_player_.erase(e.by);
  by_invitation_.erase(e.invitation);
  for (const auto other : e.awaits) by_awaited_.erase({other, e.by});
  listed_.remove(e.kind, id);
  games_.erase(at);
}

}  // namespace gamehub::actors::lobby
