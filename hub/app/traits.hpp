// What wires ask about an engine, taken from the engine itself. Any thread.
#pragma once

#include "engines/engine.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::app {

// For the engine's default options and its smallest table.
engine_traits traits_of(const engines::engine&);

}  // namespace gamehub::app
