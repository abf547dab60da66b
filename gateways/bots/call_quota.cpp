#include "gateways/bots/call_quota.hpp"

#include <utility>

namespace gamehub::gateways::bots {

bool call_quota::take(std::function<void()> on_turn) {
  const std::lock_guard lock{mutex_};
  if (in_flight_ < calls_max_) {
    ++in_flight_;
    return true;
  }
  waiting_.push_back(std::move(on_turn));
  return false;
}

void call_quota::give_back() {
  std::function<void()> next;
  {
    const std::lock_guard lock{mutex_};
    if (waiting_.empty()) {
      --in_flight_;
      return;
    }
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  next();
}

}  // namespace gamehub::gateways::bots
