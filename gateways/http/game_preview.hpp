// The page at /game/N: what an address of a game shows where it is shared (Open Graph), and the way
// to the view of the game for a browser that opens it. Functions of values, any thread.
#pragma once

#include "gateways/http/request.hpp"
#include "hub/core/spectator_service.hpp"

#include <optional>
#include <string_view>

namespace gamehub::gateways::http {

// Returns the game if the request is a GET of /game/N by a client that takes a page; programs that
// show previews often take anything.
std::optional<game_id> previewed_game(const request&);

// Null: there is no such game, or it is private; then the page tells nothing of it. `title`: of the
// engine.
response preview_page(game_id, const game_snapshot*, std::string_view title);

}  // namespace gamehub::gateways::http
