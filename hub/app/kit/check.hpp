// The contract as a command: asks an engine in child processes and says what came of it. A hub asks
// so, too, of several plugins at once: check() may be called by any thread.
#pragma once

#include "hub/app/kit/request.hpp"

namespace gamehub::app::kit {

// However broken the engine is, there is a verdict. Throws std::system_error if the system gives no
// process or memory.
verdict check(const check_request&);

// Checks, prints the verdict on standard output and returns the program's exit code: 0 if the
// contract is kept, 1 if not. Throws operator_mistake if there is no engine to check.
int carry_out(const check_request&);

}  // namespace gamehub::app::kit
