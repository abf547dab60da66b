// The transcript of a README in which a client speaks UDP, played against the real program.
#pragma once

#include "tests/system/hub.hpp"

#include <string>
#include <string_view>

namespace gamehub::tests::system {

// A line is a datagram of one byte: C and what the client says, or S and what it hears; <any>
// stands for any byte, what stands after # is a comment. Returns what went otherwise, or nothing.
std::string play_udp_transcript(hub&, std::string_view text);

}  // namespace gamehub::tests::system
