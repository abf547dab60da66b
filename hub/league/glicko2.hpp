// Glicko-2: rating, deviation and volatility. From Mark E. Glickman, "Example of the Glicko-2
// system" (Boston University, 2013, glicko.net/glicko/glicko2.pdf); the source names its steps.
// Plain functions; any thread.
#pragma once

#include <span>

namespace gamehub::league {

// On the public scale: a new player has 1500.
struct glicko {
  double rating = 1'500;
  double deviation = 350;
  double volatility = 0.06;
};

// One game. The opponent has the values before the game; the score is 1, 0.5 or 0.
struct glicko_game {
  glicko opponent;
  double score = 0;
};

// How fast the volatility may change: the paper recommends 0.3 to 1.2, and its example uses 0.5.
inline constexpr double glicko_tau = 0.5;

// Returns the rating after games of one rating period, `periods` after the previous ones. Without
// games only the deviation grows.
glicko rated(const glicko&, std::span<const glicko_game>, double periods = 1);

}  // namespace gamehub::league
