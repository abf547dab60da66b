// The settings of the HTTP gateway, and what other gateways and hub/server need of it.
#pragma once

#include "gateways/http/rate_limiter.hpp"
#include "gateways/http/request.hpp"
#include "gateways/net/listener.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/webhook_registry.hpp"
#include "hub/core/wire.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// Implemented by the listener of HTTP.
class rpc_host {
 public:
  // Sets the handler of POST /rpc; without one it does not exist. Requires: the listener is open,
  // the loops do not run.
  virtual void set_rpc(rpc_handler) = 0;

 protected:
  ~rpc_host() = default;
};

using net::engine_account;

struct server_setup {
  // Time limits of a client without game and request, and of a player whose updates are not read
  // any more. Zero: no limit.
  std::chrono::seconds idle{0}, grace{0};
  std::uint32_t connections_max = 0;  // limit over all loops
  std::size_t guests_max = 0;         // listed guests of one game
  std::string public_url;             // URL of this hub alone; empty: the URL of the request
  clock_policy clocks;
  std::function<std::vector<engine_account>()> engines;  // any thread
  leaderboard_source leaderboard;  // any thread; without it the leaderboard is empty
  rate_limiter_settings rate_limits;
  std::string frames = "'none'";  // who may show the page in a frame, as static_files.hpp has it
  webhook_registry* webhooks = nullptr;  // null: they are off
  rpc_handler rpc;                       // any loop; empty: POST /rpc does not exist
};

// Returns the labels of request_cells::answers: the operations, "none" and "rpc".
std::vector<std::string> routes_description();

}  // namespace gamehub::gateways::http
