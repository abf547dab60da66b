// The conformance suite: checks by random play that an engine keeps the contract of abi.h. Plain
// functions, any thread.
#pragma once

#include "engines/contract/violation.hpp"
#include "engines/host/engine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// The settings of a run.
struct settings {
  std::string options_json{};  // For create.
  int players = 0;
  int playouts = 60;
  // The seed of the first game; each game uses the next one and does not depend on earlier games.
  std::uint64_t seed = 1;
  // Public actions may reveal secrets during a match (a showdown between two hands). Views are then
  // compared only up to the next public action.
  bool reveals_midway = false;
  // Time limit of the run. Zero: none.
  std::chrono::nanoseconds time_max{0};
  // Called when the position of the run changes, because a call into a broken engine may not
  // return.
  std::function<void(const game_position&)> at{};
};

// The observed extent of an engine.
struct extent {
  int playouts = 0;  // Complete games.
  std::uint64_t plies = 0;
  std::uint64_t plies_most = 0;  // Of one game.
  std::uint64_t actions_most = 0;
  std::uint64_t state_bytes_most = 0;
};

// The result of a run.
struct inspection {
  // Each violated promise once, with its first position.
  std::vector<violation> found;
  extent seen;
};

// Runs the suite.
inspection inspect(const host::engine& rules, const settings& with = {});

// Runs the suite and returns the violations as sentences that begin with the engine's id.
std::vector<std::string> violations(const host::engine& rules, const settings& with = {});

// Returns the same violation after the fewest steps that were found within `time_max`.
violation minimize(const host::engine&, violation, std::chrono::nanoseconds time_max);

}  // namespace gamehub::engines::contract
