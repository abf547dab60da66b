// The list of the players that are here, for operators. Plain values; any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gamehub {

struct player_query {
  player_id after;   // greater ids only
  std::string part;  // of the name, or of a former one; empty: all
  std::size_t limit = 0;
};

struct listed_player {
  player_id id;
  std::string name;
  std::vector<std::string> former;
  std::string waits_on;  // the protocol of its open seek; empty: it has none
};

struct player_page {
  std::vector<listed_player> players;  // by id
  bool more = false;                   // further players match
};

}  // namespace gamehub
