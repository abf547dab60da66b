// The nodes of entries that were erased from maps or sets of one type, for the next entries: what
// comes and goes with each game then costs no allocation. Owned beside the container, and used by
// its thread.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gamehub::base {

template <class Container, std::size_t most>
class spare_nodes {
 public:
  using node = typename Container::node_type;
  using key = typename Container::key_type;

  // Insert an entry, of a set without a value; the second one behind all others, if the key is the
  // greatest. Do nothing if there is one with this key. The first one returns the entry.
  template <class... Value>
  auto insert(Container& to, const key& at, Value&&... value) {
    return spare_.empty() ? to.emplace(at, std::forward<Value>(value)...).first
                          : to.insert(filled(at, std::forward<Value>(value)...)).position;
  }
  template <class... Value>
  void append(Container& to, const key& at, Value&&... value) {
    if (spare_.empty())
      to.emplace_hint(to.end(), at, std::forward<Value>(value)...);
    else
      to.insert(to.end(), filled(at, std::forward<Value>(value)...));
  }

  // Keeps an extracted node, or destroys it. Its value stays until the next entry: release before
  // what it owns.
  void keep(node erased) {
    if (erased && spare_.size() < most) spare_.push_back(std::move(erased));
  }

 private:
  template <class... Value>
  node filled(const key& at, Value&&... value) {
    auto out = std::move(spare_.back());
    spare_.pop_back();
    if constexpr (sizeof...(Value) == 0) {
      out.value() = at;
    } else {
      out.key() = at;
      out.mapped() = (std::forward<Value>(value), ...);
    }
    return out;
  }

  std::vector<node> spare_;
};

}  // namespace gamehub::base
