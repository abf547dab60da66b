#include "actors/audience.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors {

void audience::admit(std::shared_ptr<line> who, journal::record_number last) {
  who->follow(last);
  if (ended_) return who->ended();
  lines_.push_back(std::move(who));
}

void audience::hear(std::span<const journal::record> records) {
  if (!projection_) return;
  std::erase_if(lines_, [](const auto& each) { return !each->open(); });
  // Who comes back later gets a narrator that starts from there.
  if (lines_.empty()) return projection_.reset();
  try {
    for (const auto& r : records) pending_.push_back(projection_->tell(r));
  } catch (...) {
    lines_.clear();
    pending_.clear();
    projection_.reset();
  }
}

void audience::release(journal::record_number committed, bool all) {
  const auto end = std::find_if(pending_.begin(), pending_.end(),
                                [&](const update_ref& u) { return u->number > committed; });
  if (end != pending_.begin()) {
    const std::vector<update_ref> safe{pending_.begin(), end};
    for (const auto& each : lines_) each->tell(safe);
    pending_.erase(pending_.begin(), end);
  }
  if (!all) return;
  for (const auto& what : std::exchange(waiting_, {})) what();
}

void audience::end() {
  if (std::exchange(ended_, true)) return;
  for (const auto& each : lines_) each->ended();
  lines_.clear();
  projection_.reset();
}

}  // namespace gamehub::actors
