// The JSON bodies of responses that list games, engines and ratings, or describe one game. Plain
// functions, any thread. `now` is the moment for which clocks are shown.
#pragma once

#include "gateways/http/server.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/spectator_service.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// What an operator has said to all.
struct notice {
  std::string message;
  base::wall_time at{};
};

// Returns the body of GET /api/games. Without a notice it has none.
std::string game_list(const game_page&, base::instant now, const notice* = nullptr);

// Returns a notice as a line of a combined stream, with the time for which it is still shown.
std::string to_notice_line(const notice&, std::chrono::milliseconds left);

// Returns one game as the player of `seat` sees it, or as a guest sees it if there is no seat, with
// its updates so far, and the offers that stand.
std::string game_standing(const game_snapshot&, std::optional<seat_index> seat,
                          std::span<const update_ref> history, base::instant now,
                          std::span<const offer_update> offers = {});

// Returns the replay of a game that has ended.
std::string game_replay_text(const game_replay&);

// Returns the body of GET /api/invitation. `yours`: the asking client is the host.
std::string invitation_text(const std::optional<invitation_state>&, bool yours);

// Returns the body of GET /api/engines: the engines that can be played over HTTP.
std::string engine_list(std::span<const engine_account>);

// Returns the body of GET /api/leaderboard: the rows in the given order.
std::string leaderboard(std::string_view engine, std::span<const leaderboard_row>);

}  // namespace gamehub::gateways::http
