// An error of a bot as the league stores it. Plain value; any thread.
#pragma once

#include "hub/core/bot_record.hpp"

namespace gamehub::league {

struct failure {
  bot_id who;
  bot_error what;  // the trace is not stored
  base::wall_time at{};
};

}  // namespace gamehub::league
