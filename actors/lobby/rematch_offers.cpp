#include "actors/lobby/rematch_offers.hpp"

#include "hub/core/limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

void tell_both(const rematch_offer& offer, const offer_update& what,
               rematch_offers::effects& found) {
  for (const auto to : {offer.by, offer.to.player}) found.messages.push_back({to, offer.of, what});
}

}  // namespace

bool rematch_offers::is_too_fast(player_id player, base::instant now) {
  const auto at = offered_at_.find(player);
  if (at == offered_at_.end()) return false;
  auto& times = at->second;
  while (!times.empty() && times.front() + limits::offers_in <= now) times.pop_front();
  return times.size() >= limits::offers_max;
}

bool rematch_offers::is_offered(player_id player, game_id of) const {
  const auto from = offers_to(player);
  return std::any_of(from.begin(), from.end(), [&](player_id by) { return open_.at(by).of == of; });
}

rematch_offers::effects rematch_offers::open(rematch_offer offer, base::instant now) {
  auto found = withdraw(offer.by, offer_cause::elsewhere);
  auto& times = offered_at_[offer.by];
  times.push_back(now);
  if (times.size() > limits::offers_max) times.pop_front();
  tell_both(offer, {offer_step::offered, offer.seat, offer.name}, found);
  by_answerer_.emplace(offer.to.player, offer.by);
  const auto by = offer.by;
  open_.emplace(by, std::move(offer));
  return found;
}

rematch_offers::effects rematch_offers::accept(const std::vector<player_id>& players,
                                               game_id next) {
  effects found;
  for (const auto by : players) {
    const auto at = open_.find(by);
    if (at == open_.end()) continue;
    const auto& to = at->second.to;
    // A player may have been seated with another one.
    if (std::find(players.begin(), players.end(), to.player) == players.end()) continue;
    tell_both(at->second, {offer_step::accepted, to.seat, to.name, offer_cause::request, next},
              found);
    erase(by);
  }
  return found;
}

rematch_offers::effects rematch_offers::withdraw(player_id by, offer_cause why) {
  effects found;
  const auto at = open_.find(by);
  if (at == open_.end()) return found;
  const auto& offer = at->second;
  tell_both(offer, {offer_step::withdrawn, offer.seat, offer.name, why}, found);
  erase(by);
  return found;
}

std::vector<player_id> rematch_offers::offers_to(player_id player) const {
  std::vector<player_id> found;
  for (auto at = by_answerer_.lower_bound({player, {}});
       at != by_answerer_.end() && at->first == player; ++at)
    found.push_back(at->second);
  return found;
}

template <class Match>
rematch_offers::effects rematch_offers::decline(player_id player, Match match, offer_cause why) {
  effects found;
  for (const auto by : offers_to(player)) {
    const auto& offer = open_.at(by);
    if (!match(offer)) continue;
    tell_both(offer, {offer_step::declined, offer.to.seat, offer.to.name, why}, found);
    found.seats_given_back.push_back(by);
    erase(by);
  }
  return found;
}

rematch_offers::effects rematch_offers::decline_one(player_id player, game_id of, offer_cause why) {
  return decline(
      player, [of](const rematch_offer& o) { return o.of == of; }, why);
}

rematch_offers::effects rematch_offers::decline_others(player_id player, game_id except,
                                                       offer_cause why) {
  return decline(
      player, [except](const rematch_offer& o) { return o.of != except; }, why);
}

void rematch_offers::rename(player_id player, const std::string& name) {
  if (const auto at = open_.find(player); at != open_.end()) at->second.name = name;
  for (const auto by : offers_to(player)) open_.at(by).to.name = name;
}

void rematch_offers::clear() {
  open_.clear();
  by_answerer_.clear();
  offered_at_.clear();
}

void rematch_offers::erase(player_id by) {
  const auto at = open_.find(by);
  by_answerer_.erase({at->second.to.player, by});
  open_.erase(at);
}

}  // namespace gamehub::actors::lobby
