// The project of a new engine: its files as values, and the next steps of its author. No input or
// output; any thread.
#pragma once

#include "tools/engine/request.hpp"

#include <string>
#include <vector>

namespace gamehub::tools::engine {

struct project_file {
  std::string name;
  std::string text;
};

std::vector<project_file> project_of(const new_engine_request&);

// The location of the SDK.
struct sdk_place {
  std::filesystem::path prefix;  // of the program's installation; empty: none
  bool found_by_cmake = false;   // CMake finds it through PATH
};

// The text that is printed after the project was created. `by_script`: the interpreter in PATH is a
// script, as version managers put it there, which an engine can't be.
std::string next_steps(const new_engine_request&, const sdk_place&, bool by_script = false);

// Returns the program in PATH that reads the rules, such as python3; empty if they are compiled.
std::string interpreter_of(const new_engine_request&);

// Returns the command that prints the path of that program.
std::string question_of_interpreter(const new_engine_request&);

}  // namespace gamehub::tools::engine
