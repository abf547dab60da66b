// Tries games in a child process (`gamehub serve-replays ENGINE`, which only the hub starts), so
// that a game which crashes or stops its replay or its next move costs no hub. Used by one thread
// at a time.
#pragma once

#include "actors/system/runtime.hpp"
#include "hub/base/child_process.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gamehub::server {

inline constexpr const char* serve_replays_verb = "serve-replays";

// `what` as of engines::process::serve_engine(). Returns the exit code of the program.
int serve_replays(const std::string& what);

struct trial_settings {
  std::string program = base::this_program;
  base::child_limits limits;
  std::chrono::milliseconds replay{10'000};  // for one game
};

// Replays these games and tries each move that is legal then, the games of an engine in one child,
// until it ends. `what_of` returns the argument of serve_replays() for a game.
std::vector<actors::system::trial_outcome> try_replays(
    const trial_settings&, std::span<const actors::system::suspect> games,
    const std::function<std::string(const journal::game_header&)>& what_of);

}  // namespace gamehub::server
