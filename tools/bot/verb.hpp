// Runs `gamehub bot check`. On the program's only thread.
#pragma once

namespace gamehub::tools::bot {

// Returns the program's exit code. Throws usage_error. Requires: argv[0] is the program, argv[1]
// the verb.
int run(int argc, const char* const* argv);

}  // namespace gamehub::tools::bot
