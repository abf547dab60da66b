// A match of random play, determined by its seed. The conformance suite, the trace in another
// process and the playthrough use it. Owned by its user, used by one thread.
#pragma once

#include "engines/contract/violation.hpp"
#include "engines/dice.hpp"
#include "engines/host/engine.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace gamehub::engines::contract {

// Returns the seats to move, including chance.
std::vector<int> seats_to_move(const host::match&);

class random_game {
 public:
  random_game(host::match begun, std::uint64_t seed) : state_(std::move(begun)), dice_(seed) {}

  const host::match& state() const { return state_; }
  bool over() const { return state_.over(); }

  // Returns the next action. The match is not over.
  step draw();
  // Applies an action. Returns nullptr, or the reason for a refusal.
  const char* take(const step& next) { return state_.apply(next.seat, next.value); }

  // The largest number of legal actions of one seat so far.
  std::size_t actions_most() const { return actions_most_; }

 private:
  host::match state_;
  rng dice_;
  std::vector<action> legal_;
  std::size_t actions_most_ = 0;
};

// Returns how the game of this seed is created: as `asked`, or, where nothing was asked, sometimes
// with other options and another number of players than the defaults. The result depends only on
// the arguments and is never one that the engine refuses.
game_setup random_setup(const host::engine&, const game_setup& asked, std::uint64_t seed);

}  // namespace gamehub::engines::contract
