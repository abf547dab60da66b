// How much stronger one player of a run is than the others, in Elo, and within what: the most
// likely strengths under the logistic model (Bradley and Terry, 1952), by Newton's method. A draw
// is half a win. Plain functions, any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gamehub::arena {

// What two players, by number, made of their games against each other.
struct pair_score {
  std::size_t a = 0, b = 0;
  double games = 0;
  double points = 0;  // of a
};

// Against the mean of all. The true value lies within the error with a probability of 95 %, as far
// as the curvature at the most likely one tells; draws make it a little smaller than that.
struct elo {
  double value = 0, error = 0;
};

// Each player also has half a point of one game against a mean player, so that who wins everything
// is strong, and not infinitely so.
std::vector<elo> estimate(std::size_t players, std::span<const pair_score>);

}  // namespace gamehub::arena
