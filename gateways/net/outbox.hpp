// Sending of a TCP client's outbox. A plain function; called on the connection's loop.
#pragma once

#include "gateways/net/stream_socket.hpp"
#include "metrics/cells.hpp"

#include <cstdint>
#include <string>

namespace gamehub::gateways::net {

// The result of a send attempt.
enum class sent : std::uint8_t {
  all,
  part,   // the socket's send buffer is full
  failed  // the connection is broken
};

// Sends as much as the socket accepts, removes it from the outbox and counts the bytes.
sent send_waiting(stream_socket&, std::string& outbox, metrics::cell& bytes);

}  // namespace gamehub::gateways::net
