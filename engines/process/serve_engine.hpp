// What the process of an isolated engine does: `gamehub serve-engine ENGINE`, which only a hub
// calls. It says what the engine is and then answers requests over its channel until the hub goes.
#pragma once

#include <string>

namespace gamehub::app::process {

inline constexpr const char* serve_engine_verb = "serve-engine";

// `what`: the id of an engine that was compiled in, or the path of a plugin, which has a slash.
// Returns the program's exit code.
int serve_engine(const std::string& what);

}  // namespace gamehub::app::isolation
