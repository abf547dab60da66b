// Makes the catalog of a hub from the engines and protocols that are built in and from the
// settings, and says which engines fit which wires. At the start, on the program's thread.
#pragma once

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

// Throws operator_mistake if an engine that a port is set to is unknown or does not fit.
offer make_offer(const engines::registry&, const settings&);

}  // namespace gamehub::app
