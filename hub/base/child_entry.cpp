#include "hub/base/child_entry.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gamehub::base {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

void bound(decltype(RLIMIT_AS) what, rlim_t most, rlim_t grace = 0) {
  const rlimit both{most, most + grace};
  setrlimit(what, &both);
}

[[noreturn]] void refuse_to_start(const std::string& why) {
  std::cerr << "gamehub: " << why << '\n';
  std::_Exit(EXIT_FAILURE);
}

sandbox_parts& entered() {
  static sandbox_parts of_this_process;
  return of_this_process;
}

void keep_to(const child_limits& limits) {
  // A crash here is expected: no core dump is needed.
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_NOFILE, static_cast<rlim_t>(limits.files_max));
  // The first signal has a name that says why; the second one can't be caught.
  if (limits.cpu.count() > 0) bound(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count()), 1);
  if (sanitized) return;
  if (limits.memory_bytes == 0) return;
  // A child that starts processes passes its bounds on to them.
  const bool any_runtime = limits.exec || limits.processes;
  if (any_runtime) bound(RLIMIT_DATA, limits.memory_bytes);
  bound(RLIMIT_AS, limits.memory_bytes + (any_runtime ? reserved_bytes_max : 0));
}

// One that starts processes runs no code of an engine: those that it starts have the sandbox.
void enter(const child_limits& limits, sandbox_policy policy) {
  if (limits.processes) return use_sandbox(std::move(policy));
  if (sanitized || policy.mode == sandbox_mode::off) return;
  bound(RLIMIT_FSIZE, 0);
  entered() = enter_sandbox({std::move(policy.readable), limits.exec});
  if (policy.mode != sandbox_mode::required) return;
  if (const auto missing = missing_in_words(entered(), false); !missing.empty())
    refuse_to_start("--sandbox is required, and this system lacks " + missing);
}

// The paths of a sandbox, each after a line's end, which no path of the settings has.
void append_paths(const std::vector<std::string>& paths, std::string& to) {
  for (const auto& each : paths)
    if (each.find('\n') == each.npos) to.append("\n").append(each);
}

std::vector<std::string> paths_in(std::istream& in) {
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) out.push_back(line);
  return out;
}

}  // namespace

std::string in_one_word(const child_limits& limits, const sandbox_policy& policy) {
  std::ostringstream out;
  out << getpid() << ',' << limits.memory_bytes << ',' << limits.cpu.count() << ','
      << limits.files_max << ',' << limits.processes << ',' << limits.exec << ','
      << static_cast<int>(limits.sandbox.value_or(policy.mode));
  auto word = out.str();
  append_paths(policy.readable, word);
  append_paths(limits.readable, word);
  return word;
}

void enter_child(int& argc, char**& argv) {
  if (argc < 2 || argv[1] != child_word) return;
  pid_t parent = 0;
  child_limits limits;
  sandbox_policy policy;
  long cpu = 0;
  int mode = 0;
  char comma = 0;
  std::istringstream words{argc > 2 ? argv[2] : ""};
  words >> parent >> comma >> limits.memory_bytes >> comma >> cpu >> comma >> limits.files_max >>
      comma >> limits.processes >> comma >> limits.exec >> comma >> mode;
  const auto next = words ? words.peek() : 0;
  if ((next != std::istringstream::traits_type::eof() && next != '\n') || mode < 0 ||
      mode > static_cast<int>(sandbox_mode::off))
    refuse_to_start("as-child is for the hub alone: say gamehub --help.");
  limits.cpu = std::chrono::seconds{cpu};
  policy.mode = static_cast<sandbox_mode>(mode);
  policy.readable = paths_in(words);
  // Asked after the tie is made, or it could be missed that the parent goes.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) refuse_to_start("the hub that started this process is gone.");
  keep_to(limits);
  enter(limits, std::move(policy));
  argv[2] = argv[0];
  argc -= 2;
  argv += 2;
}

const sandbox_parts& entered_sandbox() { return entered(); }

}  // namespace gamehub::base
