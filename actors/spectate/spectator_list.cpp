#include "actors/spectate/spectator_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::spectate {

void spectator_list::add(std::shared_ptr<runtime::subscription> who, journal::record_number last,
                         present_ref present) {
  who->follow(last, std::move(present));
  if (ended_) return who->ended();
  subscriptions_.push_back(std::move(who));
}

spectator_list::readers spectator_list::open() const {
  readers out;
  for (const auto& each : subscriptions_) {
    if (!each->open()) continue;
    out.any = true;
    if (const auto as = each->as()) out.seats |= only(*as);
  }
  return out;
}

void spectator_list::enqueue(std::vector<std::shared_ptr<game_update>>& shared,
                             std::vector<std::shared_ptr<game_update>>& own) {
  std::erase_if(subscriptions_, [](const auto& each) { return !each->open(); });
  const auto old = static_cast<std::ptrdiff_t>(pending_.size());
  for (auto* updates : {&shared, &own})
    pending_.insert(pending_.end(), std::move_iterator{updates->begin()},
                    std::move_iterator{updates->end()});
  if (!own.empty())
    std::stable_sort(
        pending_.begin() + old, pending_.end(),
        [](const update_ref& a, const update_ref& b) { return a->number < b->number; });
}

void spectator_list::drop() {
  pending_.clear();
  if (!subscriptions_.empty())
    after_commit([dropped = std::exchange(subscriptions_, {})]() mutable { dropped.clear(); });
}

void spectator_list::release(journal::record_number committed, bool all,
                             const present_function& present) {
  const auto end = std::find_if(pending_.begin(), pending_.end(),
                                [&](const update_ref& u) { return u->number > committed; });
  if (end != pending_.begin()) present_changed_ = true;
  if (end != pending_.begin() || (all && present_changed_)) {
    publish({pending_.begin(), end}, all ? present : present_function{});
    pending_.erase(pending_.begin(), end);
    if (all) present_changed_ = false;
  }
  if (all) call_waiting();
}

void spectator_list::call_waiting() {
  for (const auto& what : std::exchange(waiting_, {})) what();
}

// The view of a player goes to the subscription of its seat alone.
void spectator_list::publish(std::span<const update_ref> updates, const present_function& present) {
  std::vector<update_ref> seen;
  present_ref shared;
  for (const auto& each : subscriptions_) {
    const auto as = each->as();
    seen.clear();
    std::copy_if(updates.begin(), updates.end(), std::back_inserter(seen),
                 [as](const update_ref& u) { return u->as == as; });
    if (!present)
      each->publish(seen, nullptr);
    else if (as)
      each->publish(seen, present(as));
    else
      each->publish(seen, shared ? shared : shared = present(as));
  }
}

void spectator_list::end() {
  if (std::exchange(ended_, true)) return;
  for (const auto& each : subscriptions_) each->ended();
  subscriptions_.clear();
}

}  // namespace gamehub::actors::spectate
