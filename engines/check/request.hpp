// What `gamehub engine check` was asked for, and what was found: plain values, which go to a child
// process and come back as JSON. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::app::kit {

struct check_request {
  std::string target;  // As it was written: the id of an engine that is built in, or a file.
  std::string options;
  int players = 0;
  std::uint64_t seed = 1;
  int seeds = 100;
  double seconds = 20;
  bool quick = false;
  // Secrets may become public while a match goes on.
  bool reveals_midway = false;
  bool json = false;
  // Beside the verdict: the first seed's game as a text, and nodes by depth (0: none).
  bool playthrough = false;
  int perft = 0;
  // Of a child: only trace the games, to be compared with what another one traced.
  bool trace_only = false;
};

struct breach {
  std::string promise;
  std::string detail;
  bool in_game = false;  // Else there is nothing more to say.
  std::uint64_t seed = 0;
  std::string after;  // The turns.
  std::string state;
  std::string options;
  int players = 0;
  // Of a leak, the game that looked the same.
  std::uint64_t other_seed = 0;
  std::string other;
};

// What an engine declares of itself.
struct declared {
  std::string id;
  std::string version;
  std::uint64_t actions_max = 0;
  std::uint64_t plies_max = 0;
  std::uint64_t state_bytes_max = 0;
};

struct seen {
  int playouts = 0;
  std::uint64_t plies = 0;
  std::uint64_t plies_most = 0;
  std::uint64_t actions_most = 0;
  std::uint64_t state_bytes_most = 0;
};

// Of one function of the border, in nanoseconds.
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

struct verdict {
  std::string unusable;  // A sentence, if there was no engine to ask.
  declared engine;       // Without an id if it did not come so far.
  std::vector<breach> broken;
  std::vector<std::string> warnings;
  kit::seen seen;
  std::vector<kit::calls> calls;
  int compared = 0;  // Games that were played in a second process, too.
  std::string playthrough;
  std::vector<perft_row> perft;

  bool kept() const { return unusable.empty() && broken.empty(); }
};

}  // namespace gamehub::app::kit
