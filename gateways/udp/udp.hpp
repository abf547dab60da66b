// One byte a datagram over UDP: the protocol that README.md in this folder specifies. Owns nothing;
// any thread.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::udp {

protocol describe();

}  // namespace gamehub::gateways::udp
