// The admin HTTP server: metrics, status, probes, and the operator's commands. It has its own
// thread, so that it answers while a loop is stuck. Owned by the composition. The callbacks run on
// its thread, one at a time, and must stay valid until stop() has returned.
#pragma once

#include "hub/admin/commands.hpp"
#include "hub/admin/order_log.hpp"
#include "hub/admin/status.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::admin {

// Why a request is refused before it can do anything.
enum class admin_refusal : std::uint8_t { foreign_host, web_page, no_token, wrong_token, limited };
inline constexpr int admin_refusal_count = 5;

// The answer to a request.
struct page {
  int status = 200;
  std::string type;
  std::string body;
  std::string_view allow = {};      // of status 405: the methods that there are
  std::string_view challenge = {};  // of status 401: the authentication scheme
  std::string retry_after = {};     // of status 429, in seconds
  std::optional<admin_refusal> refused = {};
  std::optional<order> done = {};  // the order that the request was, without its sender
  std::string_view cache_control = "no-store";
  std::vector<std::pair<std::string_view, std::string_view>> fields = {};  // further fields
};

// The liveness of the hub: a sentence for each stuck loop; empty: all loops run.
struct health {
  std::vector<std::string> failing;
};

// A request for one of the pages below /arena.
struct league_request {
  std::string method, target;
};

struct admin_sources {
  std::function<std::string()> metrics;                 // in Prometheus' text format
  std::function<health()> healthy;                      // liveness
  std::function<std::optional<std::string>()> unready;  // why no players are taken; nothing: ready
  // Why a load balancer needs not lead to this hub any more; nothing: it must. Without it as
  // unready.
  std::function<std::optional<std::string>()> unserved = {};

  // Ends a game for a reason. Any thread calls `found` once, at any time; nothing: hubs that may
  // have the game did not answer. Without it the path does not exist.
  using found = std::function<void(std::optional<bool>)>;
  std::function<void(game_id, std::string reason, found)> end_game = {};

  // Returns why the hub has not started yet; nothing: it has started. Without it the hub has
  // started.
  std::function<std::optional<std::string>()> starting = {};
  // Answers the paths that begin with /arena. Without it they do not exist.
  std::function<page(std::string_view method, std::string_view target)> arena = {};
  // While it returns true, another hub has the arena of the cluster: it is asked for such a page.
  // Any thread calls `done` once, at any time. Both or none.
  std::function<bool()> arena_is_elsewhere = {};
  std::function<void(const league_request&, std::function<void(page)> done)> ask_arena = {};
  // Drains the hub, as SIGTERM. Without it the path does not exist.
  std::function<void()> drain = {};

  // Names of this server, besides its addresses and localhost (base::is_host_pattern).
  std::vector<std::string> hosts = {};

  // The bearer token for all requests that change something. Empty: such requests need none, and
  // the commands do not exist.
  std::string token = {};
  // Executes a command. Any thread calls `done` once, at any time.
  std::function<void(const operator_command&, std::function<void(command_answer)> done)> carry_out =
      {};
  // Adds the orders of other hubs to the list of this one, as JSON. Any thread calls `done` once,
  // at any time. Without it the list is that of this hub.
  std::function<void(command_answer own, std::function<void(command_answer)> done)> list_orders =
      {};
  // Called for each request that is refused.
  std::function<void(admin_refusal)> on_refused = {};
  // Called for a wrong token, unless there were many of late: `left_out` since the previous call.
  std::function<void(const base::endpoint& from, std::uint64_t left_out)> on_wrong_token = {};
  // Called for each order, also for one that fails.
  std::function<void(const order&)> on_order = {};
  // The document of /status.json. Without it the path does not exist.
  std::function<hub_status()> status = {};
};

class admin {
 public:
  // Listens and serves. Port 0 is any free port. Throws config::usage_error if it can't listen.
  admin(const std::string& address, std::uint16_t port, admin_sources);
  ~admin();

  // Returns the port.
  std::uint16_t port() const;

  // Calls `done` with the list of the orders to this hub, on the server's thread; never after
  // stop(). Any thread.
  void list_orders(std::function<void(command_answer)> done);

  // Closes all connections and ends the thread. A second call does nothing.
  void stop();

 private:
  class server;
  std::unique_ptr<server> server_;
};

}  // namespace gamehub::admin
