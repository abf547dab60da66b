// How many games each sender has, in a fixed number of bytes whoever comes: counters that are
// shared by chance, in two independent rows of which the smaller one counts. It never says too few;
// it says too many to one in millions while few have many. Shared by the peers of all sockets of a
// port; any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::gateways::udp {

class source_quota {
 public:
  std::uint32_t count(std::uint64_t hash) const {
    return std::min(rows_[first(hash)].load(), rows_[second(hash)].load());
  }
  // Counts one more, unless there are `most` already. It counts before it looks, and all see that
  // in one order: of two sockets that admit to the last place at the same time both may be refused,
  // and never both let in.
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
  // Requires: it was added.
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
