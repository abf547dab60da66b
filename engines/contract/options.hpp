// Inside the engine contract: the schema of an engine's options says what they may be, and create()
// keeps to it. Owned by one run, used by its thread.
#pragma once

#include "engines/contract/report.hpp"
#include "engines/engine.hpp"

namespace gamehub::engines::contract {

void check_options(const engine& rules, int players, report& out);

}  // namespace gamehub::engines::contract
