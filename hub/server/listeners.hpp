// The sockets of all wires, on all loops: opened before the loops run, started and stopped with the
// hub. Owned by the hub and used on the program's first thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "gateways/http/server/server.hpp"
#include "gateways/jsonrpc/registrar.hpp"
#include "gateways/net/entrance.hpp"
#include "gateways/net/listener.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/offer.hpp"
#include "hub/app/settings.hpp"
#include "hub/core/leaderboard.hpp"
#include "hub/core/moderation.hpp"

namespace gamehub::app {

class listeners {
 public:
  // All of them outlive this. Without a registrar no bot can register.
  listeners(const settings&, const offer&, actors::runtime&, loop_threads&,
            gateways::jsonrpc::bot_registry*, leaderboard_source, const ban_list&);

  // Listens for every wire. Returns the words of the ready line, a blank before each. Throws
  // operator_mistake. Requires: the runtime has started, the loops do not run.
  std::string open();

  // Requires: the loops run.
  void start();
  // `one_gone` is called for each that has no client left, on its loop.
  void stop(const std::function<void()>& one_gone);
  std::size_t count() const { return all_.size(); }

  // Whom the operator keeps out has changed: who is here and banned has to go. Requires: as stop().
  void close_banned();
  // The operator says something to all who can be told. Requires: as stop().
  void announce(const std::string& message);

  // Requires: the loops run no more.
  void close() { all_.clear(); }

 private:
  struct opened {
    gateways::net::loop_io* io = nullptr;
    std::unique_ptr<gateways::net::listener> socket;
  };

  // Zero becomes the port that the first socket got.
  void listen(std::size_t wire, std::uint16_t& port);
  void listen_to_streams(std::size_t wire, std::uint16_t& port);
  void listen_to_requests(std::size_t wire, std::uint16_t& port);
  void listen_to_datagrams(std::size_t wire, std::uint16_t& port);
  // The bots that register by the requests of this wire, if there are any; they are `taken` there.
  void open_bot_dispatcher(std::size_t wire, gateways::http::server::rpc_handler& taken);
  gateways::net::listener::acceptor bind(std::size_t loop, std::uint16_t& port);
  gateways::net::listener_context shared(std::size_t wire, std::size_t loop);
  void add(std::size_t loop, std::unique_ptr<gateways::net::listener>);

  const settings& settings_;
  const offer& offer_;
  actors::runtime& runtime_;
  loop_threads& loops_;
  gateways::jsonrpc::bot_registry* registrar_;
  const leaderboard_source leaderboard_;
  const ban_list& rules_;
  gateways::net::connections_per_address addresses_;
  std::vector<opened> all_;
};

}  // namespace gamehub::app
