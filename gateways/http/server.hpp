// The HTTP wire at its sockets, one server a loop: what hub/app makes of the protocol.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/http/request.hpp"
#include "gateways/http/server/gatekeeper.hpp"
#include "gateways/net/entrance.hpp"
#include "gateways/net/listener.hpp"
#include "hub/core/gallery.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::gateways::http::server {

// What comes by POST /rpc, and who takes it: another gateway. Its views are good during the call
// alone; the answer is given on the loop of the request, here or later.
struct rpc_request {
  std::string_view content_type, body;
  endpoint from;
  bool exempt = false;  // nobody counts how often it asks
  instant received{};
  net::loop_io* home = nullptr;
};
using rpc_handler = std::function<void(const rpc_request&, std::function<void(response)> answer)>;

// What can be played, for who asks.
struct engine_account {
  engine_traits traits;
  std::string options_schema;            // JSON; empty: it has none
  std::vector<std::string> levels = {};  // of its own player; empty: there is none
};

struct server_setup {
  // For a client without game and request; and, of one that plays, after it stopped reading.
  std::chrono::seconds idle{0}, grace{0};  // zero: for ever
  std::uint32_t connections_max = 0;       // over all loops
  std::size_t guests_max = 0;              // of a game, that are listed
  std::string public_url;  // where players reach this hub and no other; empty: as they did
  std::function<std::vector<engine_account>()> engines;  // any thread
  leaderboard_source leaderboard;                        // any thread; without it, nobody is rated
  rate_limiter_settings gates;
  rpc_handler rpc;  // any loop; none: there is no such path
};

// What the cells of requests are numbered by: the routes, "none" for what is for none, and "rpc".
std::vector<std::string> route_words();

struct server_address {
  net::listener_context wire;
  net::listener::acceptor acceptor;
  spectator_service* games = nullptr;
  // What is spoken over WebSockets, as a wire of its own; null: nothing.
  net::listener_context socket_wire;
  const protocol* socket_protocol = nullptr;
};

// In the order of the places. What they share lives as long as one of them.
std::vector<std::unique_ptr<net::listener>> make_servers(server_setup, std::vector<server_address>,
                                                         net::connections_per_address&);

}  // namespace gamehub::gateways::http::server
