// Whether this kernel has the sandbox of engines (hub/base/sandbox.hpp), found out at the start of
// a hub by a child process that enters it. Used by the first thread, before the hub starts engines.
#pragma once

#include "hub/base/child_process.hpp"
#include "hub/base/sandbox.hpp"
#include "hub/config/settings.hpp"

#include <optional>
#include <string>

namespace gamehub::server {

inline constexpr const char* report_sandbox_verb = "report-sandbox";

// The child process: prints the parts that it has. Returns the exit code of the program.
int report_sandbox();

// Returns the parts of a child process. Throws std::system_error if none can be started.
base::sandbox_parts find_sandbox_parts(const std::string& program = base::this_program);

// True if these settings let the code of an engine run in a process.
bool has_engine_processes(const config::settings&);

// Returns the parts, or nothing if no engine runs in a sandbox. Throws usage_error if the settings
// require what the kernel lacks.
std::optional<base::sandbox_parts> check_sandbox(const config::settings&);

// Logs which parts there are.
void log_sandbox(const base::sandbox_parts&);

}  // namespace gamehub::server
