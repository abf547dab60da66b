// The number of players that one port has in the hub, with its limit. Shared by the peer_tables of
// all sockets of the port; any thread.
#pragma once

#include <atomic>
#include <cstddef>

namespace gamehub::gateways::udp {

class player_quota {
 public:
  explicit player_quota(std::size_t max) : max_(max) {}

  // Counts one more player; returns false if the port has as many as it may.
  bool add() {
    if (count_.fetch_add(1) < max_) return true;
    count_.fetch_sub(1);
    return false;
  }
  // Requires: the player was added.
  void remove() { count_.fetch_sub(1); }
  std::size_t count() const { return count_.load(); }

 private:
  const std::size_t max_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace gamehub::gateways::udp
