// The vocabulary of the hub and an engine in C++: actions, seats, reasons, the size of a board,
// play styles. Plain values, any thread.
#pragma once

#include "engines/abi.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::engines {

// An action as a number. It has a meaning only in the current state of its match.
using action = std::int64_t;

// A set of seats: bit i is seat i.
using seats = std::uint64_t;

inline constexpr int chance = GAMEHUB_CHANCE;
inline constexpr int spectator = GAMEHUB_SPECTATOR;
inline constexpr seats everyone = GAMEHUB_EVERYONE;

// Returns the set of one seat; for `spectator`, the bit of all spectators.
// Requires: seat is 0 to 63 or `spectator`.
constexpr seats only(int seat) {
  return seats{1} << static_cast<unsigned>(seat == spectator ? chance : seat);
}

// True if the set contains the seat. Accepts any number.
constexpr bool holds(seats set, int seat) {
  return seat >= 0 && seat <= chance && (set & only(seat)) != 0;
}

// The reason for a refusal: a word that lives as long as the program, or nullptr. Compare the
// characters, not the pointers, because each plugin has its own copies.
using reason = const char*;

// The reasons with the same meaning in every engine.
namespace reasons {
inline constexpr reason malformed = "malformed";              // The text is not an action.
inline constexpr reason out_of_bounds = "out-of-bounds";      // The action does not exist.
inline constexpr reason space_not_empty = "space-not-empty";  // The cell is occupied.
inline constexpr reason not_your_turn = "not-your-turn";
inline constexpr reason game_over = "game-over";
inline constexpr reason engine_failure = "engine-failure";  // A defect of the engine.
}  // namespace reasons

// The size of a board; 0 × 0 if the engine has no cells.
struct grid {
  int rows = 0;
  int columns = 0;

  constexpr int cells() const { return rows * columns; }
  friend bool operator==(const grid&, const grid&) = default;
};

// The strength of an engine player. A person can beat medium; perfect is the best that it can do.
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

// Returns the level of a word, or nothing.
constexpr std::optional<level> level_of(std::string_view word) {
  for (const auto l : {level::random, level::medium, level::perfect})
    if (word == to_string(l)) return l;
  return std::nullopt;
}

struct play_style {
  level skill = level::perfect;
  std::uint64_t seed = 0;  // Selects one of several equally good actions.
  std::chrono::nanoseconds budget{};
};

}  // namespace gamehub::engines
