// What waits to be sent to a client of a TCP wire. A plain function over its socket; called on the
// connection's loop.
#pragma once

#include <string>

#include "gateways/net/connection.hpp"
#include "metrics/cells.hpp"

namespace gamehub::gateways::net {

enum class sent : std::uint8_t {
  all,
  part,   // the socket takes no more for now
  failed  // the client is gone
};

// Sends as much as the socket takes, and counts it.
sent send_waiting(stream_socket&, std::string& outbox, metrics::cell& bytes);

}  // namespace gamehub::gateways::net
