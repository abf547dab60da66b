// What main() of each program does around its verbs: child processes, signals, errors, exit codes.
// The program's first thread.
#pragma once

#include <string>

namespace gamehub::config {

// Prints to standard output. Returns the program's exit code.
int print(const std::string& text);

// Calls `run` with the arguments, and prints what it throws. Returns the program's exit code.
int run_program(int argc, char** argv, int (*run)(int argc, const char* const* argv));

}  // namespace gamehub::config
