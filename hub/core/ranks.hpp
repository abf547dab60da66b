// The places of the seats in the result of a game. A plain function; any thread.
#pragma once

#include "hub/core/event.hpp"

#include <cstddef>
#include <vector>

namespace gamehub {

// Returns the place of each seat, from 1: one more than the number of seats before it. Equal scores
// share a place; forfeited seats share the last one. Empty if the game has no result.
inline std::vector<int> ranks_of(const outcome& how) {
  const bool has_result = how.reason == end_reason::rules || how.reason == end_reason::left ||
                          how.reason == end_reason::clock;
  if (!has_result) return {};
  std::vector<int> out(how.scores.size(), 1);
  const auto lost = [&](std::size_t i) { return holds(how.forfeits, static_cast<seat_index>(i)); };
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j)
      if (lost(i) != lost(j) ? lost(i) : !lost(i) && how.scores[j] > how.scores[i]) ++out[i];
  return out;
}

}  // namespace gamehub
