// Bots that the hub calls by JSON-RPC over HTTP: they register at POST /rpc of the HTTP wire, and
// are asked for their moves at an address of their own. README.md specifies it; server/ is what
// calls them.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::jsonrpc {

protocol describe();

}  // namespace gamehub::gateways::jsonrpc
