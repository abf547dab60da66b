// The request and the verdict of `gamehub engine check`: plain values, which are sent to and from a
// child process as JSON. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::engines::check {

// What to check, and how.
struct check_request {
  std::string target;  // As on the command line: the id of a built-in engine, or a file.
  std::string options;
  int players = 0;
  std::uint64_t seed = 1;
  int seeds = 100;
  double seconds = 20;
  bool quick = false;
  // Secrets may become public during a match.
  bool reveals_midway = false;
  bool json = false;
  // In addition to the verdict: the game of the first seed as text, and perft up to a depth (0:
  // none).
  bool playthrough = false;
  int perft = 0;
  // Also examples of moves, which the hub shows to clients.
  bool examples = false;
  // For a child process: only trace the games, for the comparison with another process.
  bool trace_only = false;
};

// One violation of the contract.
struct breach {
  std::string promise;
  std::string detail;
  bool in_game = false;  // If false, the members below are empty.
  std::uint64_t seed = 0;
  std::string after;  // The steps.
  std::string state;
  std::string options;
  int players = 0;
  // Of a leak: the game with the same history.
  std::uint64_t other_seed = 0;
  std::string other;
};

// The declared description of an engine.
struct declared {
  std::string id;
  std::string version;
  std::uint64_t actions_max = 0;
  std::uint64_t plies_max = 0;
  std::uint64_t state_bytes_max = 0;
};

// The observed extent of an engine.
struct seen {
  int playouts = 0;
  std::uint64_t plies = 0;
  std::uint64_t plies_most = 0;
  std::uint64_t actions_most = 0;
  std::uint64_t state_bytes_most = 0;
};

// The call times of one function of the ABI, in nanoseconds.
struct calls {
  std::string function;
  std::uint64_t count = 0;
  std::int64_t p50 = 0;
  std::int64_t p99 = 0;
  std::int64_t most = 0;
  std::uint64_t slow = 0;  // Calls beyond call_time_slow.
};

struct perft_row {
  int depth = 0;
  std::uint64_t nodes = 0;
  std::uint64_t ended = 0;
  double seconds = 0;
};

// The result of a check.
struct verdict {
  std::string unusable;  // A sentence if the engine could not be loaded.
  declared engine;       // Without an id if the check ended before.
  std::vector<breach> broken;
  std::vector<std::string> warnings;
  engines::check::seen seen;
  std::vector<engines::check::calls> calls;
  int compared = 0;  // Number of games also played in a second process.
  int played = 0;    // Number of games of a program also played by its request `play`.
  std::string playthrough;
  std::vector<perft_row> perft;
  std::string examples;  // A JSON array as of contract::examples_json(); empty: none.

  bool kept() const { return unusable.empty() && broken.empty(); }
};

}  // namespace gamehub::engines::check
