#include "actors/waiting_games.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors {

void waiting_games::add(entry e) {
  const auto id = e.card->id;
  forget(e.by);
  by_player_[e.by] = id;
  if (!e.invitation.empty()) by_invitation_[e.invitation] = id;
  for (const auto other : e.awaits) by_awaited_.emplace(other, e.by);
  games_[id] = std::move(e);
}

waiting_games::entry* waiting_games::find(game_id id) {
  const auto at = games_.find(id);
  return at == games_.end() ? nullptr : &at->second;
}

waiting_games::entry* waiting_games::find_invited(const std::string& digest) {
  const auto at = by_invitation_.find(digest);
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

std::vector<std::shared_ptr<line>> waiting_games::begin(game_id id) {
  const auto at = games_.find(id);
  if (at == games_.end()) return {};
  auto lines = std::move(at->second.lines);
  erase(id);
  return lines;
}

void waiting_games::forget(player_id player) {
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

}  // namespace gamehub::actors
