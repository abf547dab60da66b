// The command line of `gamehub engine check`. Read once, on the program's only thread.
#pragma once

#include "engines/check/request.hpp"
#include "hub/config/settings.hpp"

#include <variant>

namespace gamehub::tools::engine {

// Requires: argv[0] is the program, then "engine" and "check" follow. Returns an early_exit for
// help and for a mistake.
std::variant<engines::check::check_request, config::early_exit> parse_check(
    int argc, const char* const* argv);

}  // namespace gamehub::tools::engine
