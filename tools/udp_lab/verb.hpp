// Runs `gamehub udp-lab`. On the program's only thread.
#pragma once

namespace gamehub::tools::udp_lab {

// Prints a ready line, relays datagrams until SIGTERM or SIGINT, and prints their counts. Returns
// the program's exit code. Throws usage_error. Requires: argv[0] is the program, argv[1] the verb.
int run(int argc, const char* const* argv);

}  // namespace gamehub::tools::udp_lab
