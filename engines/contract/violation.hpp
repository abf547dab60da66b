// Violations of the contract and their positions: values and their text. Any thread.
#pragma once

#include "engines/action.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines::contract {

// An applied action.
struct step {
  int seat = 0;
  action value = 0;
  std::string text;  // The engine's text.
};

// How a game was created.
struct game_setup {
  std::string options_json{};
  int players = 0;
};

// A state: the random game of this seed, after these steps.
struct game_position {
  bool in_game = false;  // If false, the members below have no meaning.
  std::uint64_t seed = 0;
  game_setup with;
  std::vector<step> turns;
  std::string state;  // The view of spectators.
};

// One violated promise.
struct violation {
  std::string promise;  // As a sentence that states the violation.
  std::string detail;
  game_position where;
  // Of a leak: the game with the same history and another view.
  std::uint64_t other_seed = 0;
  std::string other;
};

// "00 ff 2a"
std::string in_hex(std::string_view bytes);
// "0:4 1:0 chance:12", or "the beginning".
std::string describe(const std::vector<step>&);
// "seed 3, after 0:4 1:0"
std::string describe(const game_position&);
// One line: the promise, the detail and the place.
std::string describe(const violation&);

}  // namespace gamehub::engines::contract
