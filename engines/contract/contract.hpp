// What every engine must keep, asked of it by random play. Plain functions, any thread.
#pragma once

#include "engines/contract/finding.hpp"
#include "engines/engine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

struct settings {
  std::string options_json{};  // For create.
  int players = 0;
  int playouts = 60;
  // Of the first game; each game has the next one, and is the same whatever was played before.
  std::uint64_t seed = 1;
  // Some public action shows what was secret while the match goes on (a showdown between two
  // hands). What views say is then compared only up to the next public action.
  bool reveals_midway = false;
  // The run ends early after this. Zero: it does not.
  std::chrono::nanoseconds time_max{0};
  // Hears where the run is, whenever that changes: whoever asks of a broken engine may not return.
  std::function<void(const place&)> at{};
};

// What was seen of an engine, beside what it declares.
struct extent {
  int playouts = 0;  // That were played to their ends.
  std::uint64_t plies = 0;
  std::uint64_t plies_most = 0;  // Of one game.
  std::uint64_t actions_most = 0;
  std::uint64_t state_bytes_most = 0;
};

struct inspection {
  // Every promise that the engine broke, once each, with where it was first seen.
  std::vector<finding> found;
  extent seen;
};

inspection inspect(const engine& rules, const settings& with = {});

// The findings as sentences that begin with the engine's id; empty if it kept all.
std::vector<std::string> violations(const engine& rules, const settings& with = {});

}  // namespace gamehub::engines::contract
