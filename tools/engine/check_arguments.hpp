// The command line of `gamehub engine check`. Read once, on the program's only thread.
#pragma once

#include <variant>

#include "hub/app/kit/request.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app::kit {

// Requires: argv[0] is the program, then come "engine" and "check".
std::variant<check_request, reply> parse_check(int argc, const char* const* argv);

}  // namespace gamehub::app::kit
