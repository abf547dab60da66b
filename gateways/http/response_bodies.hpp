// What is said of games to who asks for a list, for one as it stands, or for one that is over.
// Plain functions, any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "hub/core/gallery.hpp"

namespace gamehub::gateways::http::server {

std::string game_list(const game_page&);

// As `seat` sees it, or as a guest; with its updates so far.
std::string game_standing(const game_snapshot&, std::optional<seat_index> seat,
                          std::span<const update_ref> history);

std::string game_replay_text(const game_replay&);

}  // namespace gamehub::gateways::http::server
