// Strong ids: a game's number can't be passed as a player's. Plain values; any thread. Zero means
// "none". Other ids come from an id_source; a hub never uses an id twice.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>

namespace gamehub {

template <class Tag>
struct id {
  std::uint64_t value = 0;

  explicit operator bool() const { return value != 0; }
  friend auto operator<=>(const id&, const id&) = default;
};

using game_id = id<struct game_tag>;
using player_id = id<struct player_tag>;
using attachment_id = id<struct attachment_tag>;
using trace_id = id<struct trace_tag>;
using span_id = id<struct span_tag>;  // one call within a trace

// A place of a game, from zero in the order of moving: seat 0 plays X on boards.
using seat_index = int;

// A set of seats; bit i is seat i.
using seat_set = std::uint64_t;

// Returns true if the set has the seat.
constexpr bool holds(seat_set set, seat_index seat) {
  return seat >= 0 && seat < 64 && ((set >> seat) & 1) != 0;
}
// Returns the set with this seat alone.
constexpr seat_set only(seat_index seat) { return seat_set{1} << seat; }

// Generates ids, each once. Shared by all loops.
template <class Id>
class id_source {
 public:
  explicit id_source(std::uint64_t first = 1) : next_(first) {}
  Id next() { return Id{next_.fetch_add(1, std::memory_order_relaxed)}; }

 private:
  std::atomic<std::uint64_t> next_;
};

}  // namespace gamehub

template <class Tag>
struct std::hash<gamehub::id<Tag>> {
  std::size_t operator()(gamehub::id<Tag> x) const noexcept {
    return std::hash<std::uint64_t>{}(x.value);
  }
};
