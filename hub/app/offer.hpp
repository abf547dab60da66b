// Makes the catalog of a hub from the engines and protocols that are built in and from the
// settings, and says which engines fit which wires. At the start, on the program's thread.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "actors/catalog.hpp"
#include "engines/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {

// A wire that is on.
struct open_wire {
  const gateways::protocol* protocol = nullptr;
  wire_settings settings;
  engine_traits engine;  // of the port, where the protocol has one; else empty
};

struct offer {
  actors::catalog catalog;
  std::vector<open_wire> wires;  // numbered as in the catalog
};

// Adds an engine that came while the hub runs, and returns its number; or says why it can't be had
// before the next start. A newer version of an engine that is played here must look to the wires as
// the one before it: players wait for it, and connections of a port know its board.
std::variant<std::uint16_t, std::string> take_late(offer&, const engines::engine&);

// Throws operator_mistake if an engine that a port is set to is unknown or does not fit.
offer make_offer(const engines::registry&, const settings&);

}  // namespace gamehub::app
