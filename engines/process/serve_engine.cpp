#include "engines/process/serve_engine.hpp"

#include "engines/host/loader.hpp"
#include "engines/host/registry.hpp"
#include "engines/process/engine_worker.hpp"
#include "engines/process/frames.hpp"
#include "engines/process/program.hpp"
#include "hub/base/child_process.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <variant>

namespace gamehub::engines::process {

namespace {

namespace remote = gamehub::engines::process;

// Out of memory, every later call would fail too. The process ends, and the hub restarts it.
[[noreturn]] void give_up_for_want_of_memory() {
  constexpr std::string_view words = "out of memory\n";
  if (write(STDERR_FILENO, words.data(), words.size()) < 0) std::_Exit(EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

// An engine in C allocates without the C++ new handler.
void check_memory() {
  constexpr std::size_t plenty = 1024 * 1024;
  void* const some = std::malloc(plenty);
  if (some == nullptr) give_up_for_want_of_memory();
  std::free(some);
}

std::variant<host::engine, std::string> find(const std::string& what) {
  if (what.find('/') != what.npos) return host::load(what);
  if (const auto found = host::registry::built_in().find(what)) return *found;
  return "there is no engine " + what;
}

int answer(const host::engine& rules) {
  remote::engine_worker engine_worker{rules};
  if (send(base::child_channel, encode_hello(remote::describe(rules)), no_deadline) !=
      passed::whole)
    return EXIT_FAILURE;
  std::string request;
  for (;;) {
    switch (receive(base::child_channel, request, no_deadline)) {
      case passed::whole: break;
      case passed::ended: return EXIT_SUCCESS;
      case passed::out_of_time:
      case passed::nonsense: return EXIT_FAILURE;
    }
    const auto reply = engine_worker.serve(request);
    if (!reply || send(base::child_channel, *reply, no_deadline) != passed::whole)
      return EXIT_FAILURE;
    check_memory();
  }
}

}  // namespace

int serve_engine(const std::string& what) {
  if (is_program(what)) return become_program(what);
  // Ignores SIGTERM, because the hub ends this process. A service manager signals all processes.
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  std::set_new_handler(give_up_for_want_of_memory);
  auto found = find(what);
  if (const auto* wrong = std::get_if<std::string>(&found)) {
    std::cerr << *wrong << '\n';
    return EXIT_FAILURE;
  }
  // The hub logs the output of this process.
  host::report_destroy_failures([](const host::engine&, const host::engine_failure& failure) {
    std::cerr << failure.function() << " failed: " << failure.what() << std::endl;
  });
  const auto code = answer(std::get<host::engine>(found));
  // Runs no exit handlers of the engine.
  std::_Exit(code);
}

}  // namespace gamehub::engines::process
