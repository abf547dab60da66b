// Calls a bot as the hub does, and reports its errors. Blocks the calling thread until the end.
#pragma once

#include "engines/host/registry.hpp"
#include "gateways/bots/bot_limits.hpp"

#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <string>

namespace gamehub::tools::bot {

struct check_request {
  std::string url;
  std::string engine = "tictactoe";
  std::filesystem::path plugins;  // a folder with more engines; empty: none
  int players = 0;                // of the games; 0: as many as by default
  bool keep_alive = false;
  std::string opponent;        // the name of the opponent in calls; empty: none
  std::string signing_secret;  // of the registration; empty: calls are not signed
  std::chrono::seconds call_time = limits::bot_move_default;
};

// Writes one line per call and a summary. Returns true if the bot has no error. Throws usage_error.
bool check(const check_request&, const engines::host::registry&, std::ostream& out);

}  // namespace gamehub::tools::bot
