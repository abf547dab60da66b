// A list that only grows, up to a fixed number of items that never move: an index stays good for
// ever. One thread at a time appends; any thread reads at any time, without a lock. Move it only
// before it is shared.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace gamehub::base {

template <class T, std::size_t room>
class append_only {
 public:
  static constexpr std::size_t capacity() { return room; }

  // The index of the new item, or nothing if there is no room for it.
  std::optional<std::size_t> push_back(T item) {
    const auto at = parts_->count.load(std::memory_order_relaxed);
    if (at == room) return std::nullopt;
    parts_->items[at].emplace(std::move(item));
    // A reader that sees the new count sees the whole item.
    parts_->count.store(at + 1, std::memory_order_release);
    return at;
  }

  std::size_t size() const { return parts_->count.load(std::memory_order_acquire); }
  bool empty() const { return size() == 0; }

  // Requires: i < size().
  const T& operator[](std::size_t i) const { return *parts_->items[i]; }

  // Over the items that were there when begin() and end() were asked for.
  class iterator {
   public:
    const T& operator*() const { return **at_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class append_only;
    explicit iterator(const std::optional<T>* at) : at_(at) {}
    const std::optional<T>* at_;
  };
  iterator begin() const { return iterator{parts_->items.data()}; }
  iterator end() const { return iterator{parts_->items.data() + size()}; }

 private:
  struct parts {
    std::array<std::optional<T>, room> items;
    std::atomic<std::size_t> count{0};
  };
  std::unique_ptr<parts> parts_ = std::make_unique<parts>();
};

}  // namespace gamehub::base
