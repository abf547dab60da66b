// One player's seat in one game, as the load sees it, and the search for the opponent's seat: each
// opening cell except the common one belongs to at most one seat at a time, so a seat that receives
// a board with only that mark is the opponent. Owned by the load, used on its thread.
#pragma once

#include "tools/bench/any_load.hpp"
#include "tools/bench/board.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gamehub::tools::bench {

struct bench_seat {
  std::int64_t game = 0;
  board seen;                      // the latest board from the hub
  std::optional<bool> plays_x;     // once known
  bool playing = false;            // the game has begun
  bool ended = false;              // its result was received
  bool walked_over = false;        // the result is that the opponent left
  bool to_move = false;            // the hub awaits its move
  std::optional<int> opening;      // the cell that only this seat opens with
  bench_seat* opponent = nullptr;  // once found
  // The next board that this seat should receive (or its opponent, as long as that is unknown), and
  // when the move to it was sent.
  std::optional<board> awaited;
  clock::time_point awaited_since;
  clock::time_point received_at;
};

// The seats that search their opponent, by opening cell.
class openings {
 public:
  // Chooses the opening cell of the seat.
  int choose(bench_seat& s) {
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

  // The seat that made this first move, or null.
  bench_seat* find_owner(board first) const {
    for (auto* owner : owners_)
      if (owner != nullptr && owner->awaited == first) return owner;
    return nullptr;
  }

  void release(bench_seat& s) {
    if (s.opening) owners_[static_cast<std::size_t>(*s.opening)] = nullptr;
    s.opening.reset();
  }

 private:
  std::array<bench_seat*, move_script::common_opening> owners_{};
  std::size_t next_ = 0;
};

inline void join(bench_seat& one, bench_seat& other) {
  one.opponent = &other;
  other.opponent = &one;
}

// Each seat keeps the board that it expects.
inline void part(bench_seat& s) {
  if (s.opponent != nullptr) s.opponent->opponent = nullptr;
  s.opponent = nullptr;
}

}  // namespace gamehub::tools::bench
