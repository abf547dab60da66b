// Glicko-2: a rating, how sure it is, and how much it moves. As described by Mark E. Glickman,
// "Example of the Glicko-2 system" (Boston University, 2013, glicko.net/glicko/glicko2.pdf), whose
// steps the source names. Plain functions, any thread.
#pragma once

#include <span>

namespace gamehub::arena {

// On the scale that people read: 1500 is a new player.
struct glicko {
  double rating = 1'500;
  double deviation = 350;
  double volatility = 0.06;
};

// Against somebody as they were before it. The score is 1, 0.5 or 0.
struct glicko_game {
  glicko opponent;
  double score = 0;
};

// How fast the volatility may change: the paper names 0.3 to 1.2 as reasonable, and uses 0.5.
inline constexpr double glicko_tau = 0.5;

// After games that count as one rating period, `periods` after the last ones. Without games the
// deviation alone grows.
glicko rated(const glicko&, std::span<const glicko_game>, double periods = 1);

}  // namespace gamehub::arena
