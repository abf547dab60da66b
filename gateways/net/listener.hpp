// Listeners: how the clients of a protocol get in. Each protocol folder defines
//
//   std::unique_ptr<net::listener> make_listener(const net::listener_context&);
//
// in make_listener.cpp; the build finds it. hub/server owns the listeners: it makes and opens them
// on the main thread before the loops run.
#pragma once

#include "gateways/net/loop_io.hpp"
#include "hub/base/address.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/bot_registry.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/webhook_registry.hpp"
#include "hub/core/wire.hpp"
#include "hub/relay/web_port.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::net {

// A port cannot be opened; what() is the system's error text.
class listen_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The part of a listener on one loop; used on its thread once started.
class loop_listener {
 public:
  virtual ~loop_listener() = default;

  // Starts accepting clients.
  virtual void start() = 0;
  // Stops accepting clients. Calls `on_all_closed`, immediately or later, when its last client is
  // closed.
  virtual void stop(std::function<void()> on_all_closed) = 0;

  // The ban list has changed: closes clients that are banned now. Those with a stream_connection
  // are closed by loop_io::close_banned().
  virtual void close_banned() {}
  // Publishes a message of the operator to all clients whose protocol can show it.
  virtual void announce(const std::string& /*message*/) {}
};

// A protocol on all loops.
class listener {
 public:
  virtual ~listener() = default;

  // Opens the sockets on every loop. Returns the port; zero if it shares another protocol's port.
  // Throws listen_failed.
  virtual std::uint16_t open() = 0;

  // Do on each loop what loop_listener describes. `on_stopped` is called once for each of the
  // parts(), on its loop. Any thread. Requires: the loops run.
  void start();
  void stop(const std::function<void()>& on_stopped);
  void close_banned();
  void announce(const std::string& message);
  std::size_t parts() const { return parts_.size(); }

 protected:
  void add(loop_io&, std::unique_ptr<loop_listener>);

 private:
  struct part {
    loop_io* loop = nullptr;
    std::unique_ptr<loop_listener> on_loop;
  };
  std::vector<part> parts_;
};

// The settings of the hub that listeners use; README.md of each protocol describes them.
struct listener_settings {
  std::string address;  // of all ports
  std::chrono::seconds idle{0};
  std::uint32_t connections_max = 0;
  std::uint32_t udp_connections_max = 0;  // the part of them for UDP
  std::uint32_t udp_guest_rate = 0;       // games of unproven addresses on one loop in a second
  std::uint32_t games_max = 0;
  clock_policy clocks;          // that players may choose
  bool limit_loopback = false;  // limits of an address also apply to loopback
  std::string public_url;
  std::uint32_t connections_per_address_max = 0;  // of UDP alone: its senders may be forged

  std::size_t http_guests_max = 0;
  std::uint32_t http_client_rate = 0;
  std::vector<base::network> http_trusted_proxies;
  std::vector<std::string> http_cors_origins;
  std::vector<std::string> http_frame_sites;
  std::vector<std::string> http_hosts;

  std::uint32_t bot_games = 1;
  std::chrono::seconds bot_move{0};
  std::vector<base::network> bot_allow;
  std::vector<std::string> bot_keep_alive, bot_tell_opponent;
};

// An engine as clients may list and choose it.
struct engine_account {
  engine_traits traits;
  std::string options_schema;            // JSON; empty: no options
  std::vector<std::string> levels = {};  // levels of its engine player; empty: none
  std::string face = {};                 // JSON; empty: the engine has none
  // Examples of its moves, as JSON; empty: none. Valid as long as the hub.
  std::string_view examples = {};
};

// What the hub offers to the listeners of all protocols.
struct hub_services {
  listener_settings settings;
  address_ledger* addresses = nullptr;
  const ban_list* bans = nullptr;
  bot_registry* bots = nullptr;  // null: no bot can register
  leaderboard_source leaderboard;
  std::function<std::vector<engine_account>()> engines;  // the newest of each; any thread
  // Called once, on any loop, if a proxy on this machine that is not trusted forwards a request.
  std::function<void()> on_unknown_proxy = {};
  relay::web_port* web = nullptr;        // null: there are no other hubs
  webhook_registry* webhooks = nullptr;  // null: no player can register one
};

// What a listener is made of. The pointers stay valid as long as the listener.
struct listener_context {
  struct loop_services {
    loop_io* loop = nullptr;
    session_acceptor* sessions = nullptr;
    spectator_service* spectators = nullptr;
  };

  const hub_services* hub = nullptr;
  std::vector<loop_services> loops;
  std::uint16_t number = 0;     // index of the protocol in metrics
  std::uint16_t port = 0;       // zero: any free port
  engine_traits engine;         // of the port, if the protocol has one; else empty
  bool against_engine = false;  // the opponent is the engine player
  std::chrono::seconds grace{0};
  listener* port_owner = nullptr;  // the protocol whose port it shares; null: it has its own

  loop_context on(std::size_t loop) const {
    return {loops[loop].loop, number, loops[loop].sessions};
  }
};

// Makes the listener of one of protocols(), which has this name.
std::unique_ptr<listener> make_listener(std::string_view protocol, const listener_context&);

}  // namespace gamehub::gateways::net
