// Runs `gamehub bench`: plays on a running hub and prints a report. On the program's first thread;
// hostile clients have a second one.
#pragma once

#include "tools/bench/arguments.hpp"

namespace gamehub::tools::bench {

// Returns the program's exit code. Throws usage_error.
int run(const arguments&);

}  // namespace gamehub::tools::bench
