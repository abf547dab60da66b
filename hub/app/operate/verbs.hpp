// Carries out what an operator asks of a running hub. On the program's only thread.
#pragma once

#include "hub/app/operate/arguments.hpp"

namespace gamehub::app {

// Prints on standard output, and what is wrong on standard error. Returns the program's exit code.
int carry_out(const operate_request&);

}  // namespace gamehub::app
