// The answer to GET /api/leaderboard. A plain function, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hub/core/leaderboard.hpp"

namespace gamehub::gateways::http::server {

// As JSON, in the order given.
std::string leaderboard(std::string_view engine, std::span<const leaderboard_row>);

}  // namespace gamehub::gateways::http::server
