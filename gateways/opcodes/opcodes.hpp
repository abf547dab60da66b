// Binary opcodes over TCP: the protocol that README.md in this folder specifies. A packet is two
// bytes of opcode and what belongs to it. Owns nothing; any thread.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::opcodes {

protocol describe();

}  // namespace gamehub::gateways::opcodes
