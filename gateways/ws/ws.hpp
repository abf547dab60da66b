// JSON turns in the text frames of a WebSocket (RFC 6455): a line of theirs is a message here. Its
// clients come by GET /api/ws of the HTTP wire. README.md specifies it.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::ws {

protocol describe();

}  // namespace gamehub::gateways::ws
