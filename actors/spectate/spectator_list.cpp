#include "actors/spectate/spectator_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::spectate {

void spectator_list::add(std::shared_ptr<runtime::subscription> who, journal::record_number last) {
  who->follow(last);
  if (ended_) return who->ended();
  subscriptions_.push_back(std::move(who));
}

bool spectator_list::is_open() const {
  return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                     [](const auto& each) { return each->open(); });
}

void spectator_list::enqueue(std::vector<std::shared_ptr<game_update>>& updates) {
  std::erase_if(subscriptions_, [](const auto& each) { return !each->open(); });
  pending_.insert(pending_.end(), std::move_iterator{updates.begin()},
                  std::move_iterator{updates.end()});
}

void spectator_list::drop() {
  pending_.clear();
  if (!subscriptions_.empty())
    after_commit([dropped = std::exchange(subscriptions_, {})]() mutable { dropped.clear(); });
}

void spectator_list::release(journal::record_number committed, bool all) {
  const auto end = std::find_if(pending_.begin(), pending_.end(),
                                [&](const update_ref& u) { return u->number > committed; });
  if (end != pending_.begin()) {
    for (const auto& each : subscriptions_) each->publish({pending_.begin(), end});
    pending_.erase(pending_.begin(), end);
  }
  if (!all) return;
  for (const auto& what : std::exchange(waiting_, {})) what();
}

void spectator_list::end() {
  if (std::exchange(ended_, true)) return;
  for (const auto& each : subscriptions_) each->ended();
  subscriptions_.clear();
}

}  // namespace gamehub::actors::spectate
