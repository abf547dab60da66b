// One player's place in one game, as the load sees it, and how the load finds who sits opposite: at
// any time each opening cell but the common one belongs to one seat, so whoever is shown a board
// with only that mark is its opponent. Owned by the load, used on its thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hub/app/bench/any_load.hpp"
#include "hub/app/bench/board.hpp"

namespace gamehub::app::bench {

struct seat {
  std::int64_t game = 0;
  bench::board seen;            // the latest that the hub told
  std::optional<bool> plays_x;  // once known
  bool playing = false;         // the game has begun
  bool ended = false;           // its result was told
  bool walked_over = false;     // which was that the opponent has left
  std::optional<int> opening;   // the cell that is this seat's alone
  seat* opponent = nullptr;     // once found
  // What this seat, or before its opponent is found the opponent, should read next, and when the
  // move to it was sent.
  std::optional<board> awaited;
  clock::time_point awaited_since;
  clock::time_point received_at;
};

// Which seat opened with which cell and waits to find its opponent.
class openings {
 public:
  // The cell with which that seat opens.
  int choose(seat& s) {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      const auto cell = (next_ + i) % owners_.size();
      if (owners_[cell] != nullptr) continue;
      owners_[cell] = &s;
      next_ = cell + 1;
      s.opening = static_cast<int>(cell);
      return *s.opening;
    }
    return move_script::common_opening;
  }

  // The seat that made this first move, if it is known.
  seat* find_owner(board first) const {
    for (auto* owner : owners_)
      if (owner != nullptr && owner->awaited == first) return owner;
    return nullptr;
  }

  void release(seat& s) {
    if (s.opening) owners_[static_cast<std::size_t>(*s.opening)] = nullptr;
    s.opening.reset();
  }

 private:
  std::array<seat*, move_script::common_opening> owners_{};
  std::size_t next_ = 0;
};

inline void join(seat& one, seat& other) {
  one.opponent = &other;
  other.opponent = &one;
}

// What the other one awaits it may still read.
inline void part(seat& s) {
  if (s.opponent != nullptr) s.opponent->opponent = nullptr;
  s.opponent = nullptr;
}

}  // namespace gamehub::app::bench
