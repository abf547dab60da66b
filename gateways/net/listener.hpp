// The interface of a port on one loop through which clients connect. Owned by hub/server; made on
// the main thread before the loops run, then used on its loop's thread.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace gamehub::gateways::net {

// A port cannot be opened; what() is the system's error text.
class listen_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class listener {
 public:
  virtual ~listener() = default;

  // Starts accepting clients.
  virtual void start() = 0;
  // Stops accepting clients. Calls `on_all_closed`, immediately or later, when its last client is
  // closed.
  virtual void stop(std::function<void()> on_all_closed) = 0;

  // The ban list has changed: closes clients that are banned now. Connections registered in loop_io
  // are closed by loop_io::close_banned().
  virtual void close_banned() {}
  // Publishes a message of the operator to all clients whose protocol can show it.
  virtual void announce(const std::string& /*message*/) {}
};

}  // namespace gamehub::gateways::net
