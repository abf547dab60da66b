// What a contract found, and where: values, and how they are said. Any thread.
#pragma once

#include "engines/action.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines::contract {

// An action that was taken.
struct turn {
  int seat = 0;
  action value = 0;
  std::string text;  // As the engine spells it.
};

// How a game was created.
struct set_up {
  std::string options_json{};
  int players = 0;
};

// A state: a game that was played at random from this seed, after these turns.
struct place {
  bool in_game = false;  // Else nothing below has a meaning.
  std::uint64_t seed = 0;
  set_up with;
  std::vector<turn> turns;
  std::string state;  // What spectators see, as the engine said.
};

struct finding {
  std::string promise;  // That was broken, as the sentence that says so.
  std::string detail;
  place where;
  // Of a leak, the game that looked the same so far and showed something else.
  std::uint64_t other_seed = 0;
  std::string other;
};

// "00 ff 2a"
std::string in_hex(std::string_view bytes);
// "0:4 1:0 chance:12", or "the beginning".
std::string in_words(const std::vector<turn>&);
// "seed 3, after 0:4 1:0"
std::string in_words(const place&);
// One line: the promise, the detail and the place.
std::string in_words(const finding&);

}  // namespace gamehub::engines::contract
