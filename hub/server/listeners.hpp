// The listeners of all wires on all loops: opened before the loops run, started and stopped with
// the hub. Owned by the composition; used on the program's first thread, except close_banned() and
// announce(), which the admin server's thread calls.
#pragma once

#include "actors/system/runtime.hpp"
#include "gateways/net/listener.hpp"
#include "hub/base/address.hpp"
#include "hub/config/settings.hpp"
#include "hub/core/address_ledger.hpp"
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

// Returns the networks of a setting that was checked.
std::vector<base::network> networks_of(const std::vector<std::string>& texts);

class listeners {
 public:
  // All arguments outlive it. Without a bot registry no bot can register; the same of webhooks.
  // Without other hubs all requests are answered here.
  listeners(const config::settings&, const engine_catalog&, actors::system::runtime&, loop_threads&,
            bot_registry*, leaderboard_source, const ban_list&, address_ledger&, relay::web_port*,
            webhook_registry*);

  // Opens the listeners of every wire. Returns the ports for the ready line, each with a blank
  // before it. Throws base::usage_error. Requires: the runtime has started, the loops do not run.
  std::string open();

  // Starts accepting clients. Requires: the loops run.
  void start();
  // Stops accepting clients. Calls `on_stopped` count() times: for each part of a listener on one
  // loop when it has no clients, on that loop.
  void stop(const std::function<void()>& on_stopped);
  std::size_t count() const;

  // Disconnects the banned clients after a change of the ban list. Requires: the loops run.
  void close_banned();
  // Sends the operator's message to all clients whose protocol can carry it. Requires: the loops
  // run.
  void announce(const std::string& message);

  // Destroys the listeners. Requires: the loops have stopped.
  void close();

 private:
  gateways::net::listener_context context_of(std::size_t wire);

  const config::settings& settings_;
  const engine_catalog& engines_;
  actors::system::runtime& runtime_;
  loop_threads& loops_;
  gateways::net::hub_services services_;
  std::vector<std::unique_ptr<gateways::net::listener>> all_;  // by wire
};

}  // namespace gamehub::server
