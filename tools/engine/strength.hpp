// `gamehub engine strength`: how well the engine opponent of a game plays at each level against
// random play. Plain functions, one thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tools::engine {

inline constexpr int strength_games_max = 100'000;
inline constexpr int strength_milliseconds_max = 10'000;

struct strength_request {
  std::string target;  // the id of a built-in engine, the file of a plugin, or a command
  std::string options;
  int players = 0;
  int games = 1'000;
  int milliseconds = 2;  // of an action of the search, or of an engine player that needs time
  // If not 0, the search ends after as many playouts in place of the time, so that the result is
  // the same each time.
  int playouts = 0;
  std::uint64_t seed = 1;
};

// The games of one level. It has each seat equally often; random play has the others.
struct strength_row {
  engines::level skill = engines::level::random;
  int games = 0;
  int won = 0;   // a higher score than all others
  int lost = 0;  // a lower score than another one
  // The score less the mean of the others: its mean, and half of its interval of 95 %. Equal
  // players have the mean 0.
  double margin = 0;
  double error = 0;
  double milliseconds = 0;  // of an action

  int drawn() const { return games - won - lost; }
  bool better_than_random() const { return margin > error; }
};

// Throws engine_failure if the engine fails, and usage_error if it refuses the options.
strength_row measure_strength(const engines::host::engine&, const strength_request&,
                              engines::level);

// Measures all levels but random, and returns the table.
std::string strength_table(const engines::host::engine&, const strength_request&);

}  // namespace gamehub::tools::engine
