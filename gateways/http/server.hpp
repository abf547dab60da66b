// The HTTP listeners, one per loop, as hub/server makes them.
#pragma once

#include "gateways/http/rate_limiter.hpp"
#include "gateways/http/request.hpp"
#include "gateways/net/listener.hpp"
#include "gateways/net/stream_listener.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

// A POST /rpc request, and its handler in another gateway. The views are valid during the call
// only; `answer` is called on the loop of the request, immediately or later.
struct rpc_request {
  std::string_view content_type, body;
  base::endpoint from;
  bool exempt = false;  // exempt from rate limits
  base::instant received{};
  net::loop_io* loop = nullptr;
};
using rpc_handler = std::function<void(const rpc_request&, std::function<void(response)> answer)>;

// An engine in the list of GET /api/engines.
struct engine_account {
  engine_traits traits;
  std::string options_schema;            // JSON; empty: no options
  std::vector<std::string> levels = {};  // levels of its engine player; empty: none
};

struct server_setup {
  // Time limits of a client without game and request, and of a player whose updates are not read
  // any more. Zero: no limit.
  std::chrono::seconds idle{0}, grace{0};
  std::uint32_t connections_max = 0;  // limit over all loops
  std::size_t guests_max = 0;         // listed guests of one game
  std::string public_url;             // URL of this hub alone; empty: the URL of the request
  std::function<std::vector<engine_account>()> engines;  // any thread
  leaderboard_source leaderboard;  // any thread; without it the leaderboard is empty
  rate_limiter_settings rate_limits;
  rpc_handler rpc;  // any loop; empty: POST /rpc does not exist
};

// Returns the labels of request_cells::answers: the operations, "none" and "rpc".
std::vector<std::string> routes_description();

struct server_address {
  net::listener_context wire;
  net::stream_listener::acceptor acceptor;
  spectator_service* games = nullptr;
  // The stream protocol over WebSockets, with its own context; null: none.
  net::listener_context socket_wire;
  const protocol_info* socket_protocol = nullptr;
};

// Makes one listener per address, in order. What they share lives as long as one of them.
std::vector<std::unique_ptr<net::listener>> make_servers(server_setup, std::vector<server_address>,
                                                         net::connections_per_address&);

}  // namespace gamehub::gateways::http
