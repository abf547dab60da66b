// What `gamehub engines` says: what each engine is, on which wires it can be played, which file it
// came from, and which files were refused. Made on the program's first thread.
#pragma once

#include <span>
#include <string>

#include "engines/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/app/plugins/folder.hpp"

namespace gamehub::app {

// For people, and as one line of JSON.
std::string engine_list(const engines::registry&, std::span<const plugins::plugin>,
                        std::span<const gateways::protocol* const>);
std::string engine_json(const engines::registry&, std::span<const plugins::plugin>,
                        std::span<const gateways::protocol* const>);

}  // namespace gamehub::app
