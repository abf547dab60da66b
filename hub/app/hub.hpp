// The running hub: what `gamehub serve` is. Composes engines, journal, actors, gateways and the
// admin server; drains them when told to.
#pragma once

#include "hub/app/settings.hpp"

namespace gamehub::app {

// Serves until SIGTERM or SIGINT has drained it; a second signal insists. Prints the ready line on
// standard output. Returns the program's exit code; throws operator_mistake.
int serve(const settings&);

// Finds what serve() would find wrong before it opens anything. Throws operator_mistake.
void check(const settings&);

}  // namespace gamehub::app
