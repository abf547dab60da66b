// Makes the game in which a promise broke shorter, as long as it still breaks. Plain functions, any
// thread.
#pragma once

#include "engines/contract/finding.hpp"
#include "engines/engine.hpp"

#include <chrono>

namespace gamehub::engines::contract {

// The same finding after as few turns as were found within the time, at most as many as it had.
finding shrunk(const engine&, finding, std::chrono::nanoseconds time_max);

}  // namespace gamehub::engines::contract
