// The JSON bodies of responses that list games, engines and ratings, or describe one game. Plain
// functions, any thread.
#pragma once

#include "gateways/http/server.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/spectator_service.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// Returns the body of GET /api/games.
std::string game_list(const game_page&);

// Returns one game as the player of `seat` sees it, or as a guest sees it if there is no seat, with
// its updates so far.
std::string game_standing(const game_snapshot&, std::optional<seat_index> seat,
                          std::span<const update_ref> history);

// Returns the replay of a game that has ended.
std::string game_replay_text(const game_replay&);

// Returns the body of GET /api/engines: the engines that can be played over HTTP.
std::string engine_list(std::span<const engine_account>);

// Returns the body of GET /api/leaderboard: the rows in the given order.
std::string leaderboard(std::string_view engine, std::span<const leaderboard_row>);

}  // namespace gamehub::gateways::http
