#include "actors/spectate/spectator_list.hpp"

#include "hub/base/require.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::spectate {

void spectator_list::add(std::shared_ptr<runtime::subscription> who, journal::record_number last) {
  GAMEHUB_REQUIRE(projection_.has_value());
  who->follow(last);
  if (ended_) return who->ended();
  subscriptions_.push_back(std::move(who));
}

void spectator_list::on_records(std::span<const journal::record> records) {
  if (!projection_) return;
  std::erase_if(subscriptions_, [](const auto& each) { return !each->open(); });
  // A later subscription sets a new projection that starts from there.
  if (subscriptions_.empty()) return projection_.reset();
  try {
    for (const auto& r : records) pending_.push_back(projection_->project(r));
  } catch (...) {
    subscriptions_.clear();
    pending_.clear();
    projection_.reset();
    throw;
  }
}

void spectator_list::release(journal::record_number committed, bool all) {
  const auto end = std::find_if(pending_.begin(), pending_.end(),
                                [&](const update_ref& u) { return u->number > committed; });
  if (end != pending_.begin()) {
    const std::vector<update_ref> safe{pending_.begin(), end};
    for (const auto& each : subscriptions_) each->publish(safe);
    pending_.erase(pending_.begin(), end);
  }
  if (!all) return;
  for (const auto& what : std::exchange(waiting_, {})) what();
}

void spectator_list::end() {
  if (std::exchange(ended_, true)) return;
  for (const auto& each : subscriptions_) each->ended();
  subscriptions_.clear();
  projection_.reset();
}

}  // namespace gamehub::actors::spectate
