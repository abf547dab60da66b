// A match that is played at random, the same way for the same seed: by the contract, by a trace of
// it in another process, by a playthrough. Owned by whoever plays it, used by one thread.
#pragma once

#include "engines/contract/finding.hpp"
#include "engines/dice.hpp"
#include "engines/engine.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace gamehub::engines::contract {

std::vector<int> seats_to_move(const match&);

class random_game {
 public:
  random_game(match begun, std::uint64_t seed) : state_(std::move(begun)), dice_(seed) {}

  const match& state() const { return state_; }
  bool over() const { return state_.over(); }

  // What is done next. Requires: not over().
  turn draw();
  // nullptr, or why the engine refuses it.
  const char* take(const turn& next) { return state_.apply(next.seat, next.value); }

  // Of one seat, over all draws.
  std::size_t actions_most() const { return actions_most_; }

 private:
  match state_;
  dice dice_;
  std::vector<action> legal_;
  std::size_t actions_most_ = 0;
};

}  // namespace gamehub::engines::contract
