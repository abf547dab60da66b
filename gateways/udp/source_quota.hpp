// The number of games of each sender in constant memory: two independent rows of shared counters,
// of which the smaller value counts (a count-min sketch). A count is never too low; with few
// senders it is almost never too high. Shared by the peer_tables of all sockets of a port; any
// thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::gateways::udp {

class source_quota {
 public:
  // Returns the number of games of a sender.
  std::uint32_t count(std::uint64_t hash) const {
    return std::min(rows_[first(hash)].load(), rows_[second(hash)].load());
  }
  // Counts one more game unless the sender has `most`. It adds before it compares, and all threads
  // see the additions in one order: of two sockets that take the last place at the same time both
  // may be refused, but never both accepted.
  bool add_up_to(std::uint32_t most, std::uint64_t hash) {
    add(hash);
    if (count(hash) <= most) return true;
    remove(hash);
    return false;
  }
  void add(std::uint64_t hash) {
    rows_[first(hash)].fetch_add(1);
    rows_[second(hash)].fetch_add(1);
  }
  // Removes one game. Requires: it was added.
  void remove(std::uint64_t hash) {
    rows_[first(hash)].fetch_sub(1);
    rows_[second(hash)].fetch_sub(1);
  }

 private:
  static constexpr std::size_t row = 8'192;

  static std::size_t first(std::uint64_t hash) { return hash % row; }
  static std::size_t second(std::uint64_t hash) { return row + (hash >> 32) % row; }

  std::vector<std::atomic<std::uint32_t>> rows_ = std::vector<std::atomic<std::uint32_t>>(2 * row);
};

}  // namespace gamehub::gateways::udp
