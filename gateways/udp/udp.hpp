// One byte a datagram over UDP: the protocol that README.md in this folder specifies. Plain
// functions, any thread.
#pragma once

#include "gateways/datagrams.hpp"
#include "gateways/protocol.hpp"

#include <optional>
#include <string>

namespace gamehub::gateways::udp {

// Returns the description of this protocol for protocols().
protocol_info describe();

// Makes one datagram_protocol for each socket of the port.
datagram_protocols make_datagrams(const datagram_setup&, base::random_source&);

// Implements protocol_info::unsupported_reason: returns the end of the sentence "X can't be played
// over udp: it …", or nothing if the engine can be played.
std::optional<std::string> unsupported_reason(const engine_traits&);

}  // namespace gamehub::gateways::udp
