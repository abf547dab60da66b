// Calls a bot as the hub would, and says what is wrong with it. On the calling thread, until all is
// said.
#pragma once

#include <iosfwd>

#include "engines/registry.hpp"
#include "hub/app/bots/check_request.hpp"

namespace gamehub::app::bots {

// Writes a line for each call and a last one for all of them. Returns whether all is well. Throws
// operator_mistake.
bool check(const check_request&, const engines::registry&, std::ostream& out);

}  // namespace gamehub::app::bots
