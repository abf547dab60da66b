// Games of the contract put down state by state, to be compared with the same games in another
// process. Plain functions, any thread.
#pragma once

#include "engines/contract/contract.hpp"
#include "engines/contract/finding.hpp"
#include "engines/engine.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// One thing that can be asked of a state: "the hash", "the saved bytes", "what seat 0 sees".
struct aspect {
  std::string name;
  std::string value;  // Printable where the engine's own words are.
};

// Plays the games that inspect() plays with these settings and hands over each of their states,
// until all are played, the time is over, or `take` returns false.
void trace(const engine&, const settings&,
           const std::function<bool(const place&, const std::vector<aspect>&)>& take);

}  // namespace gamehub::engines::contract
