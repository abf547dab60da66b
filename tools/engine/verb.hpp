// Carries out `gamehub engine new`. On the program's only thread.
#pragma once

#include <string>

#include "hub/app/new_engine/project.hpp"

namespace gamehub::app {

// Makes the folder INTO/ID with the files of the project. It appears when it is whole, and nothing
// that is there is touched. Throws operator_mistake.
void make_project(const new_engine_request&);

// Where the program's SDK is: found from the program's own file and PATH.
sdk_place find_sdk(const std::filesystem::path& program, const std::string& path_variable);

// Makes the project and says on standard output what is next. Returns the program's exit code.
int carry_out(const new_engine_request&);

}  // namespace gamehub::app
