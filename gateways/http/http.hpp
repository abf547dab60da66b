// HTTP: sessions, moves and chat by requests, and the game as a stream of updates. README.md
// specifies it; server.hpp has the listeners.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::http {

// Returns the description of this protocol for protocols().
protocol_info describe();

}  // namespace gamehub::gateways::http
