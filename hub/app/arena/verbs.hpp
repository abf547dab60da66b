// Carries out `gamehub token …` and `gamehub arena …`. On the program's only thread.
#pragma once

#include "hub/app/arena/arguments.hpp"

namespace gamehub::app {

// Prints on standard output, and what is wrong on standard error. Returns the program's exit code;
// throws operator_mistake.
int carry_out(const arena_request&);

}  // namespace gamehub::app
