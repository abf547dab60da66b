// Runs `gamehub bench`: plays on a running hub and prints a report. On the program's first thread;
// hostile clients have a second one.
#pragma once

namespace gamehub::tools::bench {

// Requires: argv[0] is the program, argv[1] the verb. Returns the program's exit code. Throws
// usage_error.
int run(int argc, const char* const* argv);

}  // namespace gamehub::tools::bench
