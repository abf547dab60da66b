// The HTTP wire: sessions, moves and chat by requests, the game as a stream of updates. README.md
// specifies it; server/ is what serves it at sockets.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::http {

protocol describe();

}  // namespace gamehub::gateways::http
