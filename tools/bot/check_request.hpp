// What `gamehub bot check` is asked for, and how its command line is read. Plain values; read once,
// on the program's only thread.
#pragma once

#include <chrono>
#include <string>
#include <variant>

#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app::bots {

struct check_request {
  std::string url;
  std::string engine = "tictactoe";
  std::string plugins;  // a folder with more engines; empty: none
  bool keep_alive = false;
  std::string opponent;  // of whom the bot is told; empty: it is not
  std::chrono::seconds call_time = limits::bot_move_default;
};

// Requires: argv[0] is the program, and "bot" follows. A mistake is a reply, too.
std::variant<check_request, reply> parse(int argc, const char* const* argv);

}  // namespace gamehub::app::bots
