// Glicko-2 ratings of bots, separate for each engine. Each game is one rating period for both
// players, and the time since the previous game increases the deviation. A plain value; the league
// locks it.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/ids.hpp"
#include "hub/league/glicko2.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::league {

struct rating {
  std::string engine;
  bot_id who;
  glicko now;
  std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
  base::wall_time at{};  // of the last game
};

// The time without a game that counts as one rating period: after a year a deviation of 50 is 90.
inline constexpr std::chrono::days rating_period{7};

class rating_book {
 public:
  // Loads the stored ratings.
  void load(std::vector<rating>);

  // Rates a game of two bots, by seat; no winner is a draw. Returns both ratings.
  std::array<rating, 2> add(const std::string& engine, const std::array<bot_id, 2>&,
                            std::optional<seat_index> winner, base::wall_time now);

  // Removes the ratings of a bot.
  void remove(bot_id);

  // Returns the ratings of an engine, the best first.
  std::vector<rating> best(std::string_view engine) const;

  // Returns all ratings, by engine and bot.
  std::vector<rating> all() const;

 private:
  std::map<std::pair<std::string, bot_id>, rating> ratings_;
};

}  // namespace gamehub::league
