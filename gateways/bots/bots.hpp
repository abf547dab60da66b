// Bots that the hub calls by JSON-RPC over HTTP: they register by POST /rpc of the HTTP port, and
// the hub calls their own URL for each move. README.md specifies the protocol. Its name in settings
// and metrics is `jsonrpc`.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::bots {

// Returns the description of this protocol for protocols().
protocol_info describe();

// True if the calls of games for two have a board and no further members: the engine has one, and
// no hidden information. The traits are those of the default options. All other games have the
// calls of a table (README.md, "Calls of other games").
bool has_board_calls(const engine_traits&);

}  // namespace gamehub::gateways::bots
