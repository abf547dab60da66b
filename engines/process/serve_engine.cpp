#include "hub/app/isolation/serve_engine.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <variant>

#include "engines/loader.hpp"
#include "engines/registry.hpp"
#include "engines/remote/servant.hpp"
#include "hub/app/child_process.hpp"
#include "hub/app/isolation/frames.hpp"

namespace gamehub::app::process {

namespace {

namespace remote = engines::remote;

// An engine that has used up its memory would fail at every call from now on: the hub starts it
// anew instead.
[[noreturn]] void give_up_for_want_of_memory() {
  constexpr std::string_view words = "out of memory\n";
  if (write(STDERR_FILENO, words.data(), words.size()) < 0) std::_Exit(EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

// An engine in C asks for memory without the C++ library hearing of it.
void check_memory() {
  constexpr std::size_t plenty = 1024 * 1024;
  void* const some = std::malloc(plenty);
  if (some == nullptr) give_up_for_want_of_memory();
  std::free(some);
}

std::variant<engines::engine, std::string> find(const std::string& what) {
  if (what.find('/') != what.npos) return engines::load(what);
  if (const auto found = engines::registry::built_in().find(what)) return *found;
  return "there is no engine " + what;
}

int answer(const engines::engine& rules) {
  remote::engine_worker engine_worker{rules};
  if (send(child_channel, encoded(remote::describe(rules)), no_deadline) != passed::whole)
    return EXIT_FAILURE;
  std::string request;
  for (;;) {
    switch (receive(child_channel, request, no_deadline)) {
      case passed::whole: break;
      case passed::ended: return EXIT_SUCCESS;
      case passed::out_of_time:
      case passed::nonsense: return EXIT_FAILURE;
    }
    const auto reply = engine_worker.serve(request);
    if (!reply || send(child_channel, *reply, no_deadline) != passed::whole) return EXIT_FAILURE;
    check_memory();
  }
}

}  // namespace

int serve_engine(const std::string& what) {
  // The hub decides when it goes: whoever ends all processes of a service means the hub.
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  std::set_new_handler(give_up_for_want_of_memory);
  auto found = find(what);
  if (const auto* wrong = std::get_if<std::string>(&found)) {
    std::cerr << *wrong << '\n';
    return EXIT_FAILURE;
  }
  const auto code = answer(std::get<engines::engine>(found));
  // Without what an engine wants to be done at an exit.
  std::_Exit(code);
}

}  // namespace gamehub::app::isolation
