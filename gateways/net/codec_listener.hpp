// Listeners of protocols that have a codec: with a separate port, or for clients that change to the
// protocol from another one.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/net/listener.hpp"
#include "gateways/net/stream_connection.hpp"
#include "hub/core/wire.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace gamehub::gateways::net {

using codec_factory = std::unique_ptr<codec> (*)(const engine_traits&);

// Returns the listener of a port: each client has a codec_connection with its own codec.
std::unique_ptr<listener> make_codec_listener(const listener_context&, codec_factory);

// A listener whose connections can change to another protocol (HTTP: Upgrade).
class upgrade_host {
 public:
  // Takes over a connection. `unread` are bytes of the new protocol that were already read.
  using upgrade = std::function<void(accepted_stream, std::string_view unread)>;

  // Sets what takes the connections of one loop. Requires: both are open, the loops do not run.
  virtual void set_upgrade(std::size_t loop, upgrade) = 0;

 protected:
  ~upgrade_host() = default;
};

// Returns the listener of a protocol to which the clients of the port's owner change. Requires: the
// owner is an upgrade_host.
std::unique_ptr<listener> make_upgrade_listener(const listener_context&, codec_factory);

}  // namespace gamehub::gateways::net
