// Opens the engine that a person names, for verbs that play it. On the program's only thread.
#pragma once

#include "engines/host/engine.hpp"

#include <string>

namespace gamehub::tools::engine {

// Returns the engine of `gamehub engine check`: the id of a built-in engine, a plugin file, or a
// program. The code of a file or a program runs in a child process, whose output is kept from the
// terminal. Throws usage_error.
engines::host::engine open_engine(const std::string& target);

// Returns a new match. Throws usage_error for options or a number of players that the engine
// refuses.
engines::host::match begin_match(const engines::host::engine&, const std::string& options,
                                 int players);

}  // namespace gamehub::tools::engine
