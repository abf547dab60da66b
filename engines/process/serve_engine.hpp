// The main function of an engine process: `gamehub serve-engine ENGINE`, which only the hub starts.
// It sends the description of the engine and then replies to requests until the hub closes the
// channel.
#pragma once

#include <string>

namespace gamehub::engines::process {

inline constexpr const char* serve_engine_verb = "serve-engine";

// `what` is the id of a built-in engine, the path of a plugin, which contains a slash, or a program
// (is_program()), which replaces this one. Returns the exit code of the program.
int serve_engine(const std::string& what);

}  // namespace gamehub::engines::process
