// What main() of each program does around its verbs: child processes, signals, errors, exit codes.
// The program's first thread.
#pragma once

#include "hub/config/settings.hpp"

#include <string>
#include <variant>

namespace gamehub::config {

// Prints to standard output. Returns the program's exit code.
int print(const std::string& text);

// Prints help to standard output, an error to standard error. Returns the program's exit code.
int print(const early_exit&);

// Calls `run` with the request of a command line, or prints the early exit. Returns the program's
// exit code.
template <class Request, class Run>
int run_request(const std::variant<Request, early_exit>& parsed, Run run) {
  if (const auto* request = std::get_if<Request>(&parsed)) return run(*request);
  return print(std::get<early_exit>(parsed));
}

// Calls `run` with the arguments, and prints what it throws. Returns the program's exit code.
int run_program(int argc, char** argv, int (*run)(int argc, const char* const* argv));

}  // namespace gamehub::config
