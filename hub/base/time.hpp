// The hub's two clocks, and wall times as text. An instant orders and measures (monotonic); a wall
// time is what logs and people read. Nothing below hub/server reads a clock by itself: the loop
// passes instants in, so that tests and the simulation decide what time it is.
#pragma once

#include <chrono>
#include <string>

namespace gamehub::base {

using instant = std::chrono::steady_clock::time_point;
using duration = std::chrono::steady_clock::duration;
using wall_time = std::chrono::sys_time<std::chrono::milliseconds>;

// Reads the system's clock. Only for hub/server and the verbs, which have no loop.
wall_time wall_now();

// Wall times as text, in UTC. Years have four digits: 0 to 9999.
std::string utc_day(wall_time);      // 2026-01-02
std::string utc_seconds(wall_time);  // 2026-01-02T03:04:05Z
// RFC 3339, to the millisecond: 2026-01-02T03:04:05.678Z
void append_rfc3339(wall_time, std::string& out);
// Six digits after the point and no zone, as the HTTP protocol has it: 2026-01-02T03:04:05.678000
std::string iso_time(wall_time);
// The Date field of HTTP (RFC 9110, 5.6.7): Fri, 02 Jan 2026 03:04:05 GMT
std::string http_date(wall_time);

}  // namespace gamehub::base
