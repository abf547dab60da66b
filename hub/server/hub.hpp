// The composition of `gamehub serve`: builds engines, journal, league, actors, gateways and the
// admin server, runs them, and drains them. Called on the program's first thread.
#pragma once

#include "hub/config/settings.hpp"

#include <string>
#include <vector>

namespace gamehub::server {

// Serves until SIGTERM, SIGINT or an operator has drained the hub; a second signal ends the running
// games. Prints the ready line on standard output. Returns the program's exit code. Throws
// config::usage_error.
int serve(const config::settings&);

// Checks the settings as serve() does, and opens no port. Returns one sentence for each plugin that
// would be left out. Throws config::usage_error.
std::vector<std::string> check(const config::settings&);

}  // namespace gamehub::server
