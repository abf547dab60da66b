// The messages of JSON turns, as lines without line end: over TCP, and in the frames of a
// WebSocket. Functions without state, any thread.
#pragma once

#include "tools/bench/wire.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::tools::bench {

void append_connect(int games, std::string& out);
void append_turns_move(std::int64_t game, int cell, std::string& out);

// Parses a line of the hub. The result refers to the line.
server_message read_turns_line(std::string_view line);

}  // namespace gamehub::tools::bench
