// Computes all ratings again from the journal's games, in the order of their ends. A plain
// function; one thread.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/journal/archive.hpp"
#include "hub/league/ratings.hpp"

#include <cstdint>
#include <vector>

namespace gamehub::league {

struct recomputed {
  std::vector<rating> ratings;
  std::uint64_t games = 0;    // rated games
  std::uint64_t unknown = 0;  // games of bots that the league does not know
};

// Returns the ratings of the given bots. Throws unusable_file.
recomputed recompute(journal::archive&, const std::vector<bot_record>&);

}  // namespace gamehub::league
