// Elo estimates of the players of a tournament with error bounds: the maximum likelihood under the
// logistic model (Bradley and Terry, 1952), by Newton's method. A draw is half a win. Plain
// functions; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gamehub::league {

// The result of the games between two players, given by index.
struct pair_score {
  std::size_t a = 0, b = 0;
  double games = 0;
  double points = 0;  // of a
};

// Relative to the mean of all players. The error is the 95 % interval from the curvature of the
// likelihood at its maximum; draws make the true interval a little smaller.
struct elo {
  double value = 0, error = 0;
};

// Estimates the strengths. Each player gets one additional drawn game against a mean player, so
// that a player that wins all games has a finite value.
std::vector<elo> estimate(std::size_t players, std::span<const pair_score>);

}  // namespace gamehub::league
