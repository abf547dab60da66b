// Ratings worked out anew from the journal's games, in the order in which they ended. A plain
// function; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "hub/arena/bot.hpp"
#include "hub/arena/ratings.hpp"
#include "hub/journal/archive.hpp"

namespace gamehub::app {

struct recomputed {
  std::vector<arena::rating> ratings;
  std::uint64_t games = 0;    // that were rated
  std::uint64_t unknown = 0;  // of bots that the arena does not know
};

// Throws unusable_file.
recomputed recompute(journal::archive&, const std::vector<arena::bot>&);

}  // namespace gamehub::app
