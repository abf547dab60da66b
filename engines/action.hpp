// The words that the hub and an engine share in C++: actions, seats, reasons, the size of a board,
// how a seat is played. Plain values without an owner, for any thread.
#pragma once

#include "engines/abi.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::engines {

// What a seat can do, as a number that means something in the current state of its match only.
using action = std::int64_t;

// A set of seats: bit i is seat i.
using seats = std::uint64_t;

inline constexpr int chance = GAMEHUB_CHANCE;
inline constexpr int spectator = GAMEHUB_SPECTATOR;
inline constexpr seats everyone = GAMEHUB_EVERYONE;

// The set that holds this seat alone, or for the spectator the bit that stands for all of them.
// Requires: seat is 0 to 63 or `spectator`.
constexpr seats only(int seat) {
  return seats{1} << static_cast<unsigned>(seat == spectator ? chance : seat);
}

// Takes any number for a seat.
constexpr bool holds(seats set, int seat) {
  return seat >= 0 && seat <= chance && (set & only(seat)) != 0;
}

// Why something was refused: a word that lives as long as the program, nullptr where nothing was.
// Compare the characters, not the pointers: each plugin has its own.
using reason = const char*;

// The words that mean the same in every engine.
namespace reasons {
inline constexpr reason malformed = "malformed";              // Text that says nothing.
inline constexpr reason out_of_bounds = "out-of-bounds";      // It names no action.
inline constexpr reason space_not_empty = "space-not-empty";  // The place is taken.
inline constexpr reason not_your_turn = "not-your-turn";
inline constexpr reason game_over = "game-over";
inline constexpr reason engine_failure = "engine-failure";  // A fault of the engine itself.
}  // namespace reasons

// The size of a board; 0 × 0 where the engine has no cells.
struct grid {
  int rows = 0;
  int columns = 0;

  int cells() const { return rows * columns; }
  friend bool operator==(const grid&, const grid&) = default;
};

// How well the hub or an engine plays a seat. A person can beat medium; perfect is as well as it
// can.
enum class level : std::uint32_t {
  random = GAMEHUB_LEVEL_RANDOM,
  medium = GAMEHUB_LEVEL_MEDIUM,
  perfect = GAMEHUB_LEVEL_PERFECT,
};

constexpr std::string_view to_string(level l) {
  switch (l) {
    case level::random: return "random";
    case level::medium: return "medium";
    case level::perfect: return "perfect";
  }
  return "";
}

// The level of such a word, as users write it.
constexpr std::optional<level> level_of(std::string_view word) {
  for (const auto l : {level::random, level::medium, level::perfect})
    if (word == to_string(l)) return l;
  return std::nullopt;
}

struct play_style {
  level skill = level::perfect;
  std::uint64_t seed = 0;  // Says which of several equally good actions it is.
  std::chrono::nanoseconds budget{};
};

}  // namespace gamehub::engines
