// `gamehub bot check`. On the program's only thread.
#pragma once

#include "hub/config/command_line.hpp"
#include "tools/bot/check.hpp"

#include <functional>

namespace gamehub::tools::bot {

// Adds `bot check` to a program.
void add_bot_verbs(config::verb& to, std::function<int(const check_request&)> run);

// Returns the program's exit code. Throws usage_error.
int carry_out(const check_request&);

}  // namespace gamehub::tools::bot
