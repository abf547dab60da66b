// The hub's two clocks. An instant orders and measures (monotonic); a wall time is what
// logs and people read. Nothing below hub/app reads a clock by itself: the loop passes
// instants in, so that tests and the simulation decide what time it is.
#pragma once

#include <chrono>

namespace gamehub {

using instant = std::chrono::steady_clock::time_point;
using duration = std::chrono::steady_clock::duration;
using wall_time = std::chrono::sys_time<std::chrono::milliseconds>;

}  // namespace gamehub
