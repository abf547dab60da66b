// JSON turns in the text frames of a WebSocket (RFC 6455): one line of JSON turns is one message
// here. Clients connect by GET /api/ws of the HTTP port. README.md specifies it.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::ws {

// Returns the description of this protocol for protocols().
protocol_info describe();

}  // namespace gamehub::gateways::ws
