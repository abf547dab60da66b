// The number of calls in flight to the bots of one account, so that one owner does not use all
// sockets of the hub: further calls wait, in the order in which they came. Shared by the bots of
// the account on all loops; any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace gamehub::gateways::bots {

class call_quota {
 public:
  explicit call_quota(std::size_t calls_max) : calls_max_(calls_max) {}

  // Returns true if the call may begin now. Else `on_turn` is called once it may, within
  // give_back() of another call. Each call that may begin is followed by one give_back().
  bool take(std::function<void()> on_turn);
  void give_back();

 private:
  const std::size_t calls_max_;
  std::mutex mutex_;
  std::size_t in_flight_ = 0;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace gamehub::gateways::bots
