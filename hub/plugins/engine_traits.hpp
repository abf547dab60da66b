// Reads from an engine the traits that wires need. A plain function; any thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::plugins {

// Returns the traits for the default options and the smallest number of players.
engine_traits traits_of(const engines::host::engine&);

}  // namespace gamehub::plugins
