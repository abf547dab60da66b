// The running hub: what `gamehub serve` is. Composes engines, journal, actors, gateways and the
// admin server; drains them when told to.
#pragma once

#include <string>
#include <vector>

#include "hub/app/settings.hpp"

namespace gamehub::app {

// Serves until SIGTERM or SIGINT has drained it; a second signal insists. Prints the ready line on
// standard output. Returns the program's exit code; throws operator_mistake.
int serve(const settings&);

// Finds what serve() would find wrong before it opens anything, and returns a sentence for each
// thing that it would do without. Throws operator_mistake.
std::vector<std::string> check(const settings&);

}  // namespace gamehub::app
