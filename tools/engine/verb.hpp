// `gamehub engine new`, `check`, `play`, `moves` and `strength`. On the program's only thread.
#pragma once

#include "engines/check/request.hpp"
#include "hub/config/command_line.hpp"
#include "tools/engine/moves_text.hpp"
#include "tools/engine/play.hpp"
#include "tools/engine/project.hpp"
#include "tools/engine/strength.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace gamehub::tools::engine {

// Creates the folder INTO/ID with the files of the project. The folder appears when it is complete;
// existing files are not changed. Throws usage_error.
void make_project(const new_engine_request&);

// Finds the SDK in the installation of the program, and through PATH.
sdk_place find_sdk(const std::filesystem::path& program, const std::string& path_variable);

// Returns true if the first program of that name in PATH is a script.
bool is_script_in(const std::string& path_variable, const std::string& name);

// Returns the program whose path the command prints; empty if it prints none.
std::string program_printed_by(const std::string& command);

// Return the program's exit code. Throw usage_error.
int carry_out(new_engine_request);
int carry_out(const engines::check::check_request&);
int carry_out(const play_request&);
int carry_out(const moves_request&);
int carry_out(const strength_request&);

// Adds the verbs to a program, and what the child process of a check runs.
void add_engine_verbs(config::verb& to, std::function<int(const new_engine_request&)> run_new,
                      std::function<int(const engines::check::check_request&)> run_check,
                      std::function<int(const play_request&)> run_play,
                      std::function<int(const moves_request&)> run_moves,
                      std::function<int(const strength_request&)> run_strength);

}  // namespace gamehub::tools::engine
