// The engines and wires of a hub, built from the engines, the protocols and the settings. Built and
// changed on the program's first thread; owned by the composition.
#pragma once

#include "actors/table/engine_directory.hpp"
#include "engines/host/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/config/settings.hpp"
#include "hub/plugins/plugin_folder.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::server {

// A wire that is on.
struct open_wire {
  const gateways::protocol_info* protocol = nullptr;
  config::wire_settings settings;
  engine_traits engine;  // the engine of the port, if the protocol has one; else empty
};

struct engine_catalog {
  actors::table::engine_directory catalog;
  std::vector<open_wire> wires;  // numbered as in the catalog
};

// Adds an engine while the hub runs. Returns its number, or why it can't be added before the next
// start. A newer version must have the same traits for the wires as the version before it: players
// queue for the engine, and connections of a port know its board.
// `examples` are those of its moves, as JSON.
std::variant<std::uint16_t, std::string> add_engine(engine_catalog&, const engines::host::engine&,
                                                    std::string examples = {});

// Builds the catalog. Throws base::usage_error if the engine of a port or of a clock is unknown, or
// the protocol of the port does not support it. `plugins` are those of the registry.
engine_catalog make_engine_catalog(const engines::host::registry&, const config::settings&,
                                   std::span<const plugins::plugin> plugins = {});

}  // namespace gamehub::server
