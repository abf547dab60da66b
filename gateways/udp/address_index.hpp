// A hash index from address to slot: open addressing with eight bytes per entry. The address itself
// is stored in the slot. Owned by a peer_table, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::gateways::udp {

class address_index {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // Returns the slot with this hash for which is(slot) is true, or none.
  template <class Is>
  std::uint32_t find(std::uint64_t hash, Is is) const {
    if (cells_.empty()) return none;
    for (auto at = home_of(tag_of(hash)); cells_[at].slot != none; at = after(at))
      if (cells_[at].tag == tag_of(hash) && is(cells_[at].slot)) return cells_[at].slot;
    return none;
  }

  // Adds a slot. Requires: it is not in the index.
  void insert(std::uint64_t hash, std::uint32_t slot) {
    if (2 * (size_ + 1) > cells_.size()) resize(cells_.empty() ? cells_min : 2 * cells_.size());
    put({tag_of(hash), slot});
    ++size_;
  }

  // Removes a slot. Requires: it is in the index with this hash.
  void erase(std::uint64_t hash, std::uint32_t slot) {
    auto hole = home_of(tag_of(hash));
    while (cells_[hole].slot != slot) hole = after(hole);
    // Entries that were displaced past the hole move back.
    for (auto at = after(hole); cells_[at].slot != none; at = after(at)) {
      const auto home = home_of(cells_[at].tag);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      cells_[hole] = cells_[at];
      hole = at;
    }
    cells_[hole] = {};
    --size_;
    if (cells_.size() > cells_min && 16 * size_ < cells_.size()) resize(cells_.size() / 4);
  }

  // Return the number of entries, and the memory use in bytes.
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return cells_.capacity() * sizeof(cell); }

 private:
  struct cell {
    std::uint32_t tag = 0;
    std::uint32_t slot = none;
  };

  static constexpr std::size_t cells_min = 64;

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home_of(std::uint32_t tag) const { return tag & mask(); }
  std::size_t after(std::size_t at) const { return (at + 1) & mask(); }

  void put(cell what) {
    auto at = home_of(what.tag);
    while (cells_[at].slot != none) at = after(at);
    cells_[at] = what;
  }

  void resize(std::size_t cells) {
    std::vector<cell> old(cells < cells_min ? cells_min : cells);
    old.swap(cells_);
    for (const auto& each : old)
      if (each.slot != none) put(each);
  }

  std::vector<cell> cells_;
  std::size_t size_ = 0;
};

}  // namespace gamehub::gateways::udp
