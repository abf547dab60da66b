// The text of `gamehub engines`: what each engine is, and on which wires it can be played. Made on
// the program's first thread.
#pragma once

#include <span>
#include <string>

#include "engines/registry.hpp"
#include "gateways/protocol.hpp"

namespace gamehub::app {

std::string engine_list(const engines::registry&, std::span<const gateways::protocol* const>);

}  // namespace gamehub::app
