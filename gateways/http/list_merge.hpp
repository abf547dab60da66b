// The list of games of a whole cluster, made of those of its hubs. A plain function; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gamehub::gateways::http {

// Returns the body of GET /api/games that has the newest games of these bodies, each once, at most
// `limit`; the first body that has a game has the say, and what else the first body has stays. A
// body that is no such list is left out. The page ends where the page of a hub with more games
// ends.
std::string merge_game_lists(std::span<const std::string> bodies, std::size_t limit);

}  // namespace gamehub::gateways::http
