// The floor of the UDP wire: one datagram a system call in, one out, the rules of the game and
// nothing else. On the calling thread, for ever.
#pragma once

#include <cstdint>

namespace gamehub::tests::bench {

// 0 takes any free port. Says "ready PORT" on standard output. Returns only if it can't listen.
int run_udp_floor(std::uint16_t port);

}  // namespace gamehub::tests::bench
