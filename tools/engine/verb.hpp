// Runs `gamehub engine new` and `gamehub engine check`. On the program's only thread.
#pragma once

#include "tools/engine/project.hpp"

#include <string>

namespace gamehub::tools::engine {

// Creates the folder INTO/ID with the files of the project. The folder appears when it is complete;
// existing files are not changed. Throws usage_error.
void make_project(const new_engine_request&);

// Finds the SDK in the installation of the program, and through PATH.
sdk_place find_sdk(const std::filesystem::path& program, const std::string& path_variable);

// Runs the verb; also as the child process of a check. Returns the program's exit code. Throws
// usage_error. Requires: argv[0] is the program, argv[1] the verb.
int run(int argc, const char* const* argv);

}  // namespace gamehub::tools::engine
