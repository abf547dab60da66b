// How long and how far the kit asks an engine. Constants, for all.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::app::kit {

// A call that has not come back after this never will, as far as a hub is concerned: the games of
// a whole loop wait for it.
inline constexpr std::chrono::milliseconds call_time_max{5'000};
inline constexpr std::chrono::milliseconds quick_call_time_max{2'000};

// A call longer than this is worth a word if it was not the only one: once, another program may
// have had the processor. One of the second kind is in any case.
inline constexpr std::chrono::milliseconds call_time_slow{20};
inline constexpr std::chrono::milliseconds call_time_very_slow{250};

// Of a quick check: a hub may have a hundred plugins to look at before it opens its ports.
inline constexpr int quick_seeds = 12;
inline constexpr std::chrono::milliseconds quick_time{500};

// Of the games that a second process plays, too.
inline constexpr int seeds_compared = 30;
inline constexpr int quick_seeds_compared = 4;
inline constexpr std::chrono::milliseconds comparing_time{3'000};
inline constexpr std::chrono::milliseconds quick_comparing_time{150};

// For making the game in which a promise broke shorter.
inline constexpr std::chrono::milliseconds shrinking_time{500};

// The last resort, beyond the time that was asked for.
inline constexpr std::chrono::milliseconds grace{30'000};
inline constexpr std::chrono::milliseconds quick_grace{10'000};
static_assert(quick_grace > 2 * quick_call_time_max);

// Address space of the process in which an engine is asked.
inline constexpr std::uint64_t memory_bytes_max = std::uint64_t{2} << 30U;
// A hub asks several plugins at once, and shares its memory with them.
inline constexpr std::uint64_t quick_memory_bytes_max = std::uint64_t{512} << 20U;

// What that process can tell.
inline constexpr std::size_t place_bytes_max = 64 * 1024;
inline constexpr std::size_t request_bytes_max = 64 * 1024;
inline constexpr std::size_t report_bytes_max = 64 * 1024 * 1024;
// The rest of a report is small beside this, or is what a person asked for.
inline constexpr std::size_t trace_bytes_max = 16 * 1024 * 1024;
static_assert(trace_bytes_max <= report_bytes_max / 2);
static_assert(report_bytes_max + place_bytes_max + request_bytes_max < quick_memory_bytes_max / 4);

inline constexpr int seeds_max = 1'000'000;
inline constexpr int perft_depth_max = 30;
inline constexpr double seconds_min = 0.1;
inline constexpr double seconds_max = 86'400;

}  // namespace gamehub::app::kit
