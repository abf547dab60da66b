// JSON turns over TCP: the protocol that README.md in this folder specifies. One JSON object a
// line; what an engine and its players say to each other travels inside, as a string. Owns nothing;
// any thread.
#pragma once

#include "gateways/protocol.hpp"

namespace gamehub::gateways::turns {

protocol describe();

}  // namespace gamehub::gateways::turns
