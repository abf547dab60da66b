// The limits of an engine check.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::engines::check {

// Time limit of a call. A longer call would block all games of a loop.
inline constexpr std::chrono::milliseconds call_time_max{5'000};
inline constexpr std::chrono::milliseconds quick_call_time_max{2'000};

// A call that had the processor for less than half of its limit, because the machine is busy or the
// call waits for something, has this many times the limit.
inline constexpr int blocked_factor = 4;

// Several calls longer than the first limit give a warning, because another program may delay a
// single call. One call longer than the second limit gives a warning.
inline constexpr std::chrono::milliseconds call_time_slow{20};
inline constexpr std::chrono::milliseconds call_time_very_slow{250};

// A quick check: a hub may have to check a hundred plugins before it opens its ports.
inline constexpr int quick_seeds = 12;
inline constexpr std::chrono::milliseconds quick_time{500};
// A program takes a hundred times as long for a call as a plugin.
inline constexpr std::chrono::milliseconds quick_program_time{3'000};

// Time to make examples of moves.
inline constexpr std::chrono::milliseconds examples_time{250};
inline constexpr std::size_t examples_bytes_max = 64 * 1024;

// Games that a second process also plays.
inline constexpr int seeds_compared = 30;
inline constexpr int quick_seeds_compared = 4;
inline constexpr std::chrono::milliseconds comparing_time{3'000};
inline constexpr std::chrono::milliseconds quick_comparing_time{150};

// Games that a program also plays by the request `play`. A ply has six requests.
inline constexpr int seeds_of_play = 20;
inline constexpr int quick_seeds_of_play = 4;
inline constexpr std::chrono::milliseconds play_time{2'000};
inline constexpr std::chrono::milliseconds quick_play_time{300};

// Time to minimize the game of a violation.
inline constexpr std::chrono::milliseconds shrinking_time{500};

// The child process is killed this long after the requested time.
inline constexpr std::chrono::milliseconds grace{30'000};
inline constexpr std::chrono::milliseconds quick_grace{20'000};
static_assert(quick_grace > 2 * blocked_factor * quick_call_time_max);

// Address space of the child process.
inline constexpr std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
// A hub checks several plugins at once, on the same machine.
inline constexpr std::uint64_t quick_memory_bytes_max = std::uint64_t{512} << 20U;

// Sizes of the shared memory.
inline constexpr std::size_t place_bytes_max = 64 * 1024;
inline constexpr std::size_t request_bytes_max = 64 * 1024;
inline constexpr std::size_t report_bytes_max = 64 * 1024 * 1024;
// Traces are the largest part of a report.
inline constexpr std::size_t trace_bytes_max = 16 * 1024 * 1024;
static_assert(trace_bytes_max <= report_bytes_max / 2);
static_assert(report_bytes_max + place_bytes_max + request_bytes_max < quick_memory_bytes_max / 4);

inline constexpr int seeds_max = 1'000'000;
inline constexpr int perft_depth_max = 30;
inline constexpr double seconds_min = 0.1;
inline constexpr double seconds_max = 86'400;

}  // namespace gamehub::engines::check
