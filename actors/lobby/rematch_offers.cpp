#include "actors/lobby/rematch_offers.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

void tell_all(const std::vector<rematch_offers::member>& members, game_id of,
              const offer_update& what, rematch_offers::effects& found) {
  for (const auto& each : members) found.messages.push_back({each.player, of, what});
}

}  // namespace

rematch_offers::member& rematch_offers::offer::at(player_id player) {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [player](const member& each) { return each.player == player; });
  GAMEHUB_REQUIRE(found != members.end());
  return *found;
}

void rematch_offers::count(player_id by, base::instant now) {
  auto& times = offered_at_[by];
  times.push_back(now);
  if (times.size() > limits::offers_max) times.pop_front();
}

bool rematch_offers::is_too_fast(player_id player, base::instant now) {
  const auto at = offered_at_.find(player);
  if (at == offered_at_.end()) return false;
  auto& times = at->second;
  while (!times.empty() && times.front() + limits::offers_in <= now) times.pop_front();
  return times.size() >= limits::offers_max;
}

bool rematch_offers::is_offered(player_id player, game_id of) const {
  return by_member_.contains({player, of}) && open_.at(of).by != player;
}

game_id rematch_offers::awaited_by(player_id player) const {
  const auto at = waits_for_.find(player);
  return at == waits_for_.end() ? game_id{} : at->second;
}

rematch_offers::effects rematch_offers::ask(player_id by, game_id of, std::vector<member> all,
                                            base::instant now) {
  auto found = withdraw(by, offer_cause::elsewhere);
  const auto [at, fresh] = open_.try_emplace(of, offer{by, by, {}});
  auto& made = at->second;
  if (fresh) {
    made.members = std::move(all);
    for (const auto& each : made.members) by_member_.emplace(each.player, of);
    count(by, now);
  }
  auto& mine = made.at(by);
  mine.accepted = true;
  made.latest = by;
  waits_for_[by] = of;
  tell_all(made.members, of,
           {fresh ? offer_step::offered : offer_step::accepted, mine.seat, mine.name}, found);
  return found;
}

rematch_offers::effects rematch_offers::begin(const std::vector<player_id>& players, game_id next) {
  effects found;
  const auto plays = [&](const member& each) {
    return std::find(players.begin(), players.end(), each.player) != players.end();
  };
  for (const auto player : players) {
    const auto of = awaited_by(player);
    if (!of) continue;
    auto& made = open_.at(of);
    if (!std::all_of(made.members.begin(), made.members.end(), plays)) continue;
    // The last one is seated at once, without ask(), unless the game had to wait for room.
    const auto last = std::find_if(made.members.begin(), made.members.end(),
                                   [](const member& each) { return !each.accepted; });
    const auto& who = last == made.members.end() ? made.at(made.latest) : *last;
    tell_all(made.members, of,
             {offer_step::accepted, who.seat, who.name, offer_cause::request, next}, found);
    erase(of);
  }
  return found;
}

rematch_offers::effects rematch_offers::withdraw(player_id player, offer_cause why) {
  const auto of = awaited_by(player);
  if (!of) return {};
  const auto own = open_.at(of).by == player;
  auto found = end(of, player, own ? offer_step::withdrawn : offer_step::declined, why);
  std::erase(found.seats_given_back, player);
  return found;
}

rematch_offers::effects rematch_offers::decline_one(player_id player, game_id of, offer_cause why) {
  return is_offered(player, of) ? end(of, player, offer_step::declined, why) : effects{};
}

rematch_offers::effects rematch_offers::decline_others(player_id player, game_id except,
                                                       offer_cause why) {
  effects found;
  for (const auto of : offers_with(player)) {
    if (of == except || !is_offered(player, of)) continue;
    auto more = end(of, player, offer_step::declined, why);
    std::move(more.messages.begin(), more.messages.end(), std::back_inserter(found.messages));
    found.seats_given_back.insert(found.seats_given_back.end(), more.seats_given_back.begin(),
                                  more.seats_given_back.end());
  }
  return found;
}

std::vector<game_id> rematch_offers::offers_with(player_id player) const {
  std::vector<game_id> found;
  for (auto at = by_member_.lower_bound({player, {}});
       at != by_member_.end() && at->first == player; ++at)
    found.push_back(at->second);
  return found;
}

rematch_offers::effects rematch_offers::end(game_id of, player_id by, offer_step step,
                                            offer_cause why) {
  effects found;
  auto& made = open_.at(of);
  const auto& mine = made.at(by);
  tell_all(made.members, of, {step, mine.seat, mine.name, why}, found);
  for (const auto& each : made.members)
    if (each.accepted) found.seats_given_back.push_back(each.player);
  erase(of);
  return found;
}

void rematch_offers::rename(player_id player, const std::string& name) {
  for (const auto of : offers_with(player)) open_.at(of).at(player).name = name;
}

void rematch_offers::clear() {
  open_.clear();
  by_member_.clear();
  waits_for_.clear();
  offered_at_.clear();
}

void rematch_offers::erase(game_id of) {
  const auto at = open_.find(of);
  for (const auto& each : at->second.members) {
    by_member_.erase({each.player, of});
    if (each.accepted) waits_for_.erase(each.player);
  }
  open_.erase(at);
}

}  // namespace gamehub::actors::lobby
