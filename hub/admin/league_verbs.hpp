// Runs `gamehub token …` and `gamehub arena …`. On the program's only thread.
#pragma once

#include "hub/admin/league_arguments.hpp"

namespace gamehub::admin {

// Prints to standard output, and errors to standard error. Returns the program's exit code. Throws
// usage_error.
int carry_out(const arena_request&);

}  // namespace gamehub::admin
