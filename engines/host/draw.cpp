#include "engines/host/draw.hpp"

#include <algorithm>
#include <numeric>

namespace gamehub::engines::host {

const std::vector<action>& draw_source::read(const match& m) {
  m.chance_outcomes(draws_, weights_);
  if (std::count(weights_.begin(), weights_.end(), 0U) != 0 || draws_.empty())
    throw engine_failure("a draw without outcomes or without weight", "chance_outcomes");
  return draws_;
}

action draw_source::draw(const match& m, rng& dice) {
  read(m);
  auto ticket = dice.below(std::accumulate(weights_.begin(), weights_.end(), std::size_t{0}));
  std::size_t i = 0;
  while (i + 1 < draws_.size() && ticket >= weights_[i]) ticket -= weights_[i++];
  return draws_[i];
}

}  // namespace gamehub::engines::host
