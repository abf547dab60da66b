// Inside the engine contract: the schema of an engine's options says what they may be, and create()
// keeps to it. Owned by one run, used by its thread.
#pragma once

#include "engines/engine.hpp"
#include "tests/contract/engine_contract_report.hpp"

namespace gamehub::tests {

void check_options(const engines::engine& rules, int players, report& out);

}  // namespace gamehub::tests
