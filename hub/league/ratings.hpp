// How strong bots are, for each engine by itself. Every game is a rating period of its own for both
// players, and the time since a player's last one makes its rating less sure. A plain value; its
// owner sees to threads.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/arena/glicko2.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/time.hpp"

namespace gamehub::arena {

struct rating {
  std::string engine;
  bot_id who;
  glicko now;
  std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
  wall_time at{};  // of the last one
};

// After so long without a game the deviation has grown by what the system means by one period: a
// year makes a deviation of 50 one of 90.
inline constexpr std::chrono::days rating_period{7};

class rating_book {
 public:
  void load(std::vector<rating>);

  // Rates a game of two bots, by seat; no winner is a draw. Returns both ratings.
  std::array<rating, 2> add(const std::string& engine, const std::array<bot_id, 2>&,
                            std::optional<seat_index> winner, wall_time now);

  // The best first.
  std::vector<rating> best(std::string_view engine) const;

  // All of them, by engine and bot.
  std::vector<rating> all() const;

 private:
  std::map<std::pair<std::string, bot_id>, rating> ratings_;
};

}  // namespace gamehub::arena
