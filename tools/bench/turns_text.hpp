// What clients of JSON turns and their hub say, a line each without its end: over TCP, and in the
// frames of a WebSocket. Functions without state, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hub/app/bench/wire.hpp"

namespace gamehub::app::bench {

void append_connect(int games, std::string& out);
void append_turns_move(std::int64_t game, int cell, std::string& out);

// What a line of the hub's tells. Refers to the line.
told read_turns_line(std::string_view line);

}  // namespace gamehub::app::bench
