// `gamehub bench`: plays on a running hub and reports. Runs on the program's only thread, but for
// hostile clients, which have one of their own.
#pragma once

namespace gamehub::app::bench {

// Requires: argv[0] is the verb. The program's exit code; throws operator_mistake.
int run(int argc, const char* const* argv);

}  // namespace gamehub::app::bench
