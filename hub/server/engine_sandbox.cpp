#include "hub/server/engine_sandbox.hpp"

#include "hub/base/child_entry.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/log.hpp"
#include "hub/base/text.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <cstdlib>
#include <iostream>

namespace gamehub::server {

int report_sandbox() {
  std::cout << base::line_of(base::entered_sandbox()) << std::endl;
  return EXIT_SUCCESS;
}

base::sandbox_parts find_sandbox_parts(const std::string& program) {
  base::child_limits limits;
  limits.sandbox = base::sandbox_mode::automatic;
  const auto end = base::run_program(program, {report_sandbox_verb}, limits, limits::isolate_start);
  return base::parts_in(base::trimmed(end.output, "\n"));
}

bool has_engine_processes(const config::settings& s) {
  return !s.isolate.empty() || !s.programs.empty() || !s.plugins.empty();
}

std::optional<base::sandbox_parts> check_sandbox(const config::settings& s) {
  if (s.sandbox.mode == base::sandbox_mode::off || !has_engine_processes(s)) return std::nullopt;
  const auto has = find_sandbox_parts();
  const auto missing = base::missing_in_words(has, false);
  if (s.sandbox.mode == base::sandbox_mode::required && !missing.empty())
    throw base::usage_error{"--sandbox is required, and this system lacks " + missing +
                            ": let the machine or container have it, or give auto"};
  return has;
}

void log_sandbox(const base::sandbox_parts& has) {
  const auto log =
      base::missing_in_words(has, false).empty() ? base::log::info : base::log::warning;
  log("engines run in a sandbox", {{"seccomp", has.call_filter},
                                   {"landlock", has.landlock},
                                   {"user_namespace", has.user_namespace},
                                   {"missing", base::missing_in_words(has, true)}});
}

}  // namespace gamehub::server
