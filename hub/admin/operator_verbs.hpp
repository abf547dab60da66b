// Runs the verbs that send a request to a running hub. On the program's only thread.
#pragma once

#include "hub/admin/operator_arguments.hpp"

namespace gamehub::admin {

// Prints to standard output, and errors to standard error. Returns the program's exit code.
int carry_out(const operate_request&);

}  // namespace gamehub::admin
