// The clocks that an operator lets players choose, and those of players who choose none. A plain
// value, made from the settings at the start; any thread.
#pragma once

#include "hub/core/clock_rule.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub {

struct clock_policy {
  std::optional<clock_rule> standard;                        // of engines without one
  std::map<std::string, clock_rule, std::less<>> by_engine;  // by its id

  // Of clocks that players choose: the least time for a move or a game, and the greatest for a move
  // and for a game.
  std::chrono::milliseconds least{100};
  std::chrono::milliseconds move_max = std::chrono::days{14};
  std::chrono::milliseconds game_max = std::chrono::days{1};
  // Games without a clock may be chosen.
  bool allows_none = false;

  // How long a player of a game without a clock may be away; zero: the grace time of its protocol.
  std::chrono::seconds none_away{0};
  // Open games that last (away_time): while there are as many, no such game begins. Zero: a part of
  // all games (limits::lasting_games_share).
  std::uint32_t lasting_max = 0;

  // Returns the clock of players who choose none. Without any, that is no clock.
  clock_rule of(std::string_view engine) const;

  // Returns how long a player with a secret may be away from a game with this clock, whose players
  // need not be connected: max() if only the clock ends it. Nothing: the clock is one by the
  // second, and the grace time is the bound.
  std::optional<std::chrono::seconds> away_time(const clock_rule&) const;

  // Returns the clock that a player asks for, or a sentence that says why it can't be had. An empty
  // text asks for the clock of the engine, which can always be had.
  std::variant<clock_rule, std::string> choose(std::string_view engine,
                                               std::string_view text) const;
};

}  // namespace gamehub
