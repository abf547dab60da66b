#include "actors/lobby/standing_seek_counts.hpp"

#include <set>

namespace gamehub::actors::lobby {

void standing_seek_counts::add(const open_seek& what) {
  if (!counts(what)) return;
  for (const auto& key : std::set(what.queues.begin(), what.queues.end())) ++by_queue_[key];
}

void standing_seek_counts::remove(const open_seek& what) {
  if (!counts(what)) return;
  for (const auto& key : std::set(what.queues.begin(), what.queues.end()))
    if (--by_queue_.at(key) == 0) by_queue_.erase(key);
}

std::size_t standing_seek_counts::count(const queue_key& key) const {
  const auto at = by_queue_.find(key);
  return at == by_queue_.end() ? 0 : at->second;
}

}  // namespace gamehub::actors::lobby
