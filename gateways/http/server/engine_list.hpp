// The answer to GET /api/engines. A plain function, any thread.
#pragma once

#include <span>
#include <string>

#include "gateways/http/server/server.hpp"

namespace gamehub::gateways::http::server {

// Those that can be played over this wire, as JSON.
std::string engine_list(std::span<const engine_account>);

}  // namespace gamehub::gateways::http::server
