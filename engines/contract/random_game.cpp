#include "engines/contract/random_game.hpp"

#include <algorithm>

namespace gamehub::engines::contract {

std::vector<int> seats_to_move(const match& m) {
  std::vector<int> out;
  const auto mask = m.to_move();
  for (int seat = 0; seat <= chance; ++seat)
    if (holds(mask, seat)) out.push_back(seat);
  return out;
}

turn random_game::draw() {
  const int seat = dice_.one_of(seats_to_move(state_));
  state_.legal_actions(seat, legal_);
  if (legal_.empty()) throw engine_failure("who is to move has no legal action");
  actions_most_ = std::max(actions_most_, legal_.size());
  const auto a = dice_.one_of(legal_);
  return {seat, a, state_.to_text(a)};
}

}  // namespace gamehub::engines::contract
