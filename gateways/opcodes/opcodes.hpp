// Binary opcodes over TCP: the protocol that README.md in this folder specifies. A packet is a
// two-byte opcode and its fields. Owns nothing; any thread.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::opcodes {

// Returns the description of this protocol for protocols().
protocol_info describe();

}  // namespace gamehub::gateways::opcodes
