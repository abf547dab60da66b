// Carries out `gamehub journal …` and `gamehub verify`. On the program's only thread.
#pragma once

#include "hub/app/archive/arguments.hpp"

namespace gamehub::app {

// Prints on standard output, and how it goes on standard error if a person sees that. Returns the
// program's exit code; throws operator_mistake.
int carry_out(const archive_request&);

}  // namespace gamehub::app
