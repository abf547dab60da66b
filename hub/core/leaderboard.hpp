// The best players of an engine, as whoever rates them tells whoever shows them. Plain values, any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub {

struct leaderboard_row {
  std::string name;
  double rating = 0, deviation = 0;
  std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
  bool online = false;
};

// At most so many of an engine, the best first. Any thread may ask, and it never waits for a
// device.
using leaderboard_source =
    std::function<std::vector<leaderboard_row>(std::string_view engine, std::size_t limit)>;

inline constexpr std::size_t leaderboard_default = 50, leaderboard_max = 500;

}  // namespace gamehub
