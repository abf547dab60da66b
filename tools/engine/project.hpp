// The project of a new engine: its files as values, and what its author does next. Nothing is read
// or written here; any thread.
#pragma once

#include <string>
#include <vector>

#include "hub/app/new_engine/request.hpp"

namespace gamehub::app {

struct project_file {
  std::string name;
  std::string text;
};

std::vector<project_file> project_of(const new_engine_request&);

// Where the SDK is, seen from the program.
struct sdk_place {
  std::filesystem::path prefix;  // of the installation that the program belongs to, else empty
  bool found_by_cmake = false;   // without being told, since the program is in PATH
};

// What is printed once the project is there.
std::string next_steps(const new_engine_request&, const sdk_place&);

}  // namespace gamehub::app
