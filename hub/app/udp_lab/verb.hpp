// Carries out `gamehub udp-lab`. On the program's only thread.
#pragma once

#include "hub/app/udp_lab/request.hpp"

namespace gamehub::app::udp_lab {

// Says on standard output that it is ready, relays until SIGTERM or SIGINT, and says what became of
// the datagrams. Returns the program's exit code. Throws operator_mistake.
int carry_out(const request&);

}  // namespace gamehub::app::udp_lab
