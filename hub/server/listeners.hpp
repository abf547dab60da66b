// The listeners of all wires on all loops: opened before the loops run, started and stopped with
// the hub. Owned by the composition; used on the program's first thread, except close_banned() and
// announce(), which the admin server's thread calls.
#pragma once

#include "actors/system/runtime.hpp"
#include "gateways/http/server.hpp"
#include "gateways/net/listener.hpp"
#include "gateways/net/stream_listener.hpp"
#include "hub/config/settings.hpp"
#include "hub/core/ban_list.hpp"
#include "hub/core/bot_registry.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/server/engine_catalog.hpp"
#include "hub/server/loop_threads.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::server {

class listeners {
 public:
  // All arguments outlive it. Without a bot registry no bot can register.
  listeners(const config::settings&, const engine_catalog&, actors::system::runtime&, loop_threads&,
            bot_registry*, leaderboard_source, const ban_list&);

  // Opens the sockets of every wire. Returns the ports for the ready line, each with a blank before
  // it. Throws config::usage_error. Requires: the runtime has started, the loops do not run.
  std::string open();

  // Starts accepting clients. Requires: the loops run.
  void start();
  // Stops accepting clients. Calls `on_stopped` for each listener without clients, on its loop.
  void stop(const std::function<void()>& on_stopped);
  std::size_t count() const { return all_.size(); }

  // Disconnects the banned clients after a change of the ban list. Requires: the loops run.
  void close_banned();
  // Sends the operator's message to all clients whose protocol can carry it. Requires: the loops
  // run.
  void announce(const std::string& message);

  // Destroys the listeners. Requires: the loops have stopped.
  void close() { all_.clear(); }

 private:
  struct opened {
    gateways::net::loop_io* io = nullptr;
    std::unique_ptr<gateways::net::listener> socket;
  };

  // Port zero is replaced by the port of the first socket.
  void listen(std::size_t wire, std::uint16_t& port);
  void listen_to_streams(std::size_t wire, std::uint16_t& port);
  void listen_to_requests(std::size_t wire, std::uint16_t& port);
  void listen_to_datagrams(std::size_t wire, std::uint16_t& port);
  // Opens the bot dispatcher behind this wire, if it has one, and sets the handler of its requests.
  void open_bot_dispatcher(std::size_t wire, gateways::http::rpc_handler& handler);
  gateways::net::stream_listener::acceptor bind(std::size_t loop, std::uint16_t& port);
  gateways::net::listener_context shared(std::size_t wire, std::size_t loop);
  void add(std::size_t loop, std::unique_ptr<gateways::net::listener>);

  const config::settings& settings_;
  const engine_catalog& engines_;
  actors::system::runtime& runtime_;
  loop_threads& loops_;
  bot_registry* bot_registry_;
  const leaderboard_source leaderboard_;
  const ban_list& bans_;
  gateways::net::connections_per_address addresses_;
  std::vector<opened> all_;
};

}  // namespace gamehub::server
