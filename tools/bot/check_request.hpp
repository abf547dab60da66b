// The command line of `gamehub bot check`. Plain values; read once, on the program's only thread.
#pragma once

#include "gateways/bots/bot_limits.hpp"
#include "hub/config/settings.hpp"

#include <chrono>
#include <string>
#include <variant>

namespace gamehub::tools::bot {

struct check_request {
  std::string url;
  std::string engine = "tictactoe";
  std::string plugins;  // a folder with more engines; empty: none
  bool keep_alive = false;
  std::string opponent;  // the name of the opponent in calls; empty: none
  std::chrono::seconds call_time = limits::bot_move_default;
};

// Requires: argv[0] is the program, argv[1] is "bot". Returns an early_exit for help and for a
// mistake.
std::variant<check_request, config::early_exit> parse(int argc, const char* const* argv);

}  // namespace gamehub::tools::bot
