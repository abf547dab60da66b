// Carries out `gamehub journal …` and `gamehub verify`. On the program's only thread.
#pragma once

#include "hub/admin/journal_arguments.hpp"

namespace gamehub::admin {

// Prints on standard output, and how it goes on standard error if a person sees that. Returns the
// program's exit code; throws usage_error.
int carry_out(const archive_request&);

}  // namespace gamehub::admin
