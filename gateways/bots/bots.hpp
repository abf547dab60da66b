// Bots that the hub calls by JSON-RPC over HTTP: they register by POST /rpc of the HTTP port, and
// the hub calls their own URL for each move. README.md specifies the protocol. Its name in settings
// and metrics is `jsonrpc`.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::bots {

// Returns the description of this protocol for protocols().
protocol_info describe();

}  // namespace gamehub::gateways::bots
