// `gamehub engine check`: runs the conformance suite on an engine in child processes and reports
// the result. The hub checks plugins with it, several at once: any thread may call check().
#pragma once

#include "engines/check/request.hpp"

namespace gamehub::engines::check {

// Checks an engine. There is a verdict for any defect of the engine, including a crash. Throws
// std::system_error if the system refuses a process or memory.
verdict check(const check_request&);

// The subcommand of `gamehub engine` that the child process runs.
inline constexpr const char* probe_verb = "probe";

// The child process: loads the engine, queries it and writes the result to the shared report, which
// is the descriptor base::child_shared. A second thread ends the process when a call takes too
// long. Returns the exit code of the program; the parent reads the result from the report only.
int probe();

}  // namespace gamehub::engines::check
