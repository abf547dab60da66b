// Records the games of the conformance suite state by state, to compare them with the same games in
// another process. Plain functions, any thread.
#pragma once

#include "engines/contract/contract.hpp"
#include "engines/contract/state_queries.hpp"
#include "engines/contract/violation.hpp"
#include "engines/host/engine.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// Plays the games that inspect() plays with these settings and calls `take` with each state, until
// all games are over, the time is up, or `take` returns false. The saved bytes are in hexadecimal.
void trace(const host::engine&, const settings&,
           const std::function<bool(const game_position&, const std::vector<aspect>&)>& take);

}  // namespace gamehub::engines::contract
