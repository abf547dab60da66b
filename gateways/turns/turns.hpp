// JSON turns over TCP: the protocol that README.md in this folder specifies. One JSON object per
// line; messages between an engine and its players are strings inside. Owns nothing; any thread.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::turns {

// Returns the description of this protocol for protocols().
protocol_info describe();

}  // namespace gamehub::gateways::turns
