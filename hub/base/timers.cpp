#include "hub/base/timers.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace gamehub::base {

namespace {

constexpr auto step = std::chrono::milliseconds{1};
constexpr int bits_per_level = 8;
constexpr std::uint64_t slot_mask = 255;

// The distance from `from` (exclusive, cyclic, 1 to 256) to the next set bit, or 0.
std::size_t distance_to_next(const std::array<std::uint64_t, 4>& bits, std::size_t from) {
  for (std::size_t walked = 1; walked <= 256;) {
    const auto at = (from + walked) & slot_mask;
    const auto rest = bits[at / 64] >> (at % 64);
    if (rest != 0) {
      const auto found = walked + static_cast<std::size_t>(std::countr_zero(rest));
      return found <= 256 ? found : 0;
    }
    walked += 64 - at % 64;
  }
  return 0;
}

}  // namespace

timers::timers(instant start) : start_(start) { heads_.fill(nil); }

timers::tick timers::tick_at(instant when) const {
  return when <= start_ ? 0 : static_cast<tick>((when - start_) / step);
}

timers::token timers::arm(instant when, std::function<void()> what) {
  if (free_ == nil) {
    nodes_.emplace_back();
    free_ = static_cast<std::uint32_t>(nodes_.size() - 1);
    nodes_.back().next = nil;
  }
  const auto index = free_;
  auto& n = nodes_[index];
  free_ = n.next;
  n.what = std::move(what);
  // Rounded up, so that nothing fires early, and never into the slot that is being fired.
  n.due = std::max(tick_at(when + step - duration{1}), now_ + 1);
  insert(index);
  ++pending_;
  return {index, n.generation};
}

bool timers::cancel(token t) {
  if (t.slot >= nodes_.size()) return false;
  const auto& n = nodes_[t.slot];
  if (n.home == nil || n.generation != t.generation) return false;
  unlink(t.slot);
  release(t.slot);
  return true;
}

void timers::insert(std::uint32_t index) {
  auto& n = nodes_[index];
  const auto delta = n.due - now_;
  int level = 0;
  while (level < level_count - 1 && delta >> (bits_per_level * (level + 1)) != 0) ++level;
  // Beyond the last level's reach it waits in the furthest slot and is put back from there.
  constexpr tick reach = tick{1} << (bits_per_level * level_count);
  const auto due = delta < reach ? n.due : now_ + reach - 1;
  const auto slot = (due >> (bits_per_level * level)) & slot_mask;
  const auto home = static_cast<std::size_t>(level) * slot_count + slot;
  n.home = static_cast<std::uint32_t>(home);
  n.previous = nil;
  n.next = heads_[home];
  if (n.next != nil) nodes_[n.next].previous = index;
  heads_[home] = index;
  occupied_[static_cast<std::size_t>(level)][slot / 64] |= std::uint64_t{1} << (slot % 64);
}

void timers::unlink(std::uint32_t index) {
  auto& n = nodes_[index];
  if (n.next != nil) nodes_[n.next].previous = n.previous;
  if (n.previous != nil)
    nodes_[n.previous].next = n.next;
  else
    heads_[n.home] = n.next;
  if (heads_[n.home] == nil) {
    const auto slot = n.home % slot_count;
    occupied_[n.home / slot_count][slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  }
  n.home = nil;
}

void timers::release(std::uint32_t index) {
  auto& n = nodes_[index];
  n.what = nullptr;
  ++n.generation;
  n.next = free_;
  free_ = index;
  --pending_;
}

std::optional<timers::tick> timers::next_tick() const {
  std::optional<tick> found;
  for (int level = 0; level < level_count; ++level) {
    const auto shift = bits_per_level * level;
    const auto here = now_ >> shift;
    const auto distance =
        distance_to_next(occupied_[static_cast<std::size_t>(level)], here & slot_mask);
    if (distance == 0) continue;
    const auto at = (here + distance) << shift;
    if (!found || at < *found) found = at;
  }
  return found;
}

void timers::advance(instant now) {
  const auto target = tick_at(now);
  while (pending_ > 0) {
    const auto next = next_tick();
    if (!next || *next > target) break;
    now_ = *next;
    for (int level = level_count - 1; level > 0; --level)
      if ((now_ & ((tick{1} << (bits_per_level * level)) - 1)) == 0) cascade(level);
    fire_slot();
  }
  now_ = std::max(now_, target);
}

void timers::cascade(int level) {
  const auto slot = (now_ >> (bits_per_level * level)) & slot_mask;
  const auto home = static_cast<std::size_t>(level) * slot_count + slot;
  auto index = heads_[home];
  heads_[home] = nil;
  occupied_[static_cast<std::size_t>(level)][slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  while (index != nil) {
    const auto next = nodes_[index].next;
    insert(index);
    index = next;
  }
}

void timers::fire_slot() {
  const auto home = static_cast<std::size_t>(now_ & slot_mask);
  while (heads_[home] != nil && nodes_[heads_[home]].due <= now_) {
    const auto index = heads_[home];
    unlink(index);
    const auto what = std::move(nodes_[index].what);
    release(index);
    what();
  }
}

std::optional<instant> timers::next() const {
  const auto at = next_tick();
  if (!at) return std::nullopt;
  return start_ + static_cast<std::int64_t>(*at) * step;
}

}  // namespace gamehub::base
