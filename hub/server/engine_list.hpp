// The output of `gamehub engines`: the properties of each engine, the wires that support it, its
// file, and the refused files. Pure functions, called on the program's first thread.
#pragma once

#include "engines/host/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/plugins/plugin_folder.hpp"

#include <span>
#include <string>

namespace gamehub::server {

// Return the list as text for people, and as one line of JSON.
std::string engine_list(const engines::host::registry&, std::span<const plugins::plugin>,
                        std::span<const gateways::protocol_info* const>);
std::string engine_json(const engines::host::registry&, std::span<const plugins::plugin>,
                        std::span<const gateways::protocol_info* const>);

}  // namespace gamehub::server
