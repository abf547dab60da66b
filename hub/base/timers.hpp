// Deadlines of one loop: a hierarchical timing wheel (Varghese and Lauck, 1987) with a step of a
// millisecond. Arming and cancelling cost the same for ten timers as for a million; an idle wheel
// knows when it has to be looked at next. Owned by a loop and used on its thread only.
#pragma once

#include "hub/base/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace gamehub::base {

class timers {
 public:
  // Names one armed timer. Used after it fired or was cancelled, a token names nothing.
  struct token {
    std::uint32_t slot = none;
    std::uint32_t generation = 0;

    explicit operator bool() const { return slot != none; }
    static constexpr std::uint32_t none = ~std::uint32_t{0};
  };

  explicit timers(instant start);

  // Runs `what` in the first advance() at or after `when`, never within arm() itself.
  token arm(instant when, std::function<void()> what);

  // False if it fired or was cancelled before.
  bool cancel(token);

  // Runs what is due, earliest first. `what` may arm and cancel.
  void advance(instant now);

  // No timer is due before this; nothing if none is armed. May be earlier than the first deadline,
  // where a coarse wheel has to be refined on the way.
  std::optional<instant> next() const;

  std::size_t pending() const { return pending_; }

 private:
  using tick = std::uint64_t;

  static constexpr int level_count = 4;
  static constexpr std::size_t slot_count = 256;
  static constexpr std::uint32_t nil = token::none;

  struct node {
    std::function<void()> what;
    tick due = 0;
    std::uint32_t next = nil, previous = nil;
    std::uint32_t generation = 0;
    std::uint32_t home = nil;  // index into heads_; nil when free
  };

  tick tick_at(instant) const;
  void insert(std::uint32_t index);
  void unlink(std::uint32_t index);
  void release(std::uint32_t index);
  std::optional<tick> next_tick() const;
  void cascade(int level);
  void fire_slot();

  instant start_;
  tick now_ = 0;
  std::size_t pending_ = 0;
  std::vector<node> nodes_;
  std::uint32_t free_ = nil;
  std::array<std::uint32_t, level_count * slot_count> heads_;
  std::array<std::array<std::uint64_t, slot_count / 64>, level_count> occupied_{};
};

}  // namespace gamehub::base
