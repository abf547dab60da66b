// The best players of an engine: the type that the league produces and the HTTP gateway shows.
// Plain values; any thread.
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

// Returns at most `limit` players of an engine, the best first. Any thread may call it; it never
// blocks on a device.
using leaderboard_source =
    std::function<std::vector<leaderboard_row>(std::string_view engine, std::size_t limit)>;

// Rows of one HTTP answer.
inline constexpr std::size_t leaderboard_default = 50, leaderboard_max = 500;

}  // namespace gamehub
