// The bounds of the UDP wire: what its protocol fixes, and what keeps floods of datagrams from
// filling the hub. Constants, any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hub/core/limits.hpp"

namespace gamehub::limits {

// A digit names a cell, from 0 to 8.
inline constexpr int udp_cells_max = 9;

// The protocol's timeout, after which a byte without an answer is said again; and how often, so
// that an address nobody listens at any more is left alone.
inline constexpr milliseconds udp_resend_after{1'000};
inline constexpr int udp_resends_max = 30;
// The last word of a game is said again so often; then the result stands without an echo.
inline constexpr int udp_final_resends_max = 5;

// A late duplicate of the client's echo looks like a move to a taken cell. So many of them are met
// with the end of turn again before they are called invalid.
inline constexpr int udp_late_echoes_max = 2;

// An ended game is remembered, so that echoes of its last word are still answered.
inline constexpr seconds udp_ended_kept{10};
// One that ended while its client may have been away is remembered for longer: the client can't
// know until it asks.
inline constexpr seconds udp_status_kept{600};
static_assert(udp_status_kept > udp_ended_kept);
// An ended game must outlive the last words of its client, said again each second.
static_assert(udp_ended_kept > 2 * udp_resend_after);

// Who asked for a game and never answered is forgotten when it would be dropped on other wires: its
// first move may take as long.
inline constexpr seconds udp_newcomer_kept = idle_default;

// Addresses of one socket that were never heard to answer: about 100 bytes each. A spoofed flood
// fills these and nothing else.
inline constexpr std::size_t udp_newcomers_max = 65'536;
// Those of them for whom the hub plays or waits already: some KiB each.
inline constexpr std::size_t udp_unverified_max = 4'096;
static_assert(udp_unverified_max < udp_newcomers_max);
// Ended games of one socket that are remembered for long.
inline constexpr std::size_t udp_statuses_max = 65'536;

// Addresses of one socket in all.
inline constexpr std::size_t udp_sessions_max = connections_max;
static_assert(udp_newcomers_max < udp_sessions_max);

// Timed bytes that one call of the clock may say, so that a loop is never long in it.
inline constexpr int udp_timed_per_turn_max = 1'024;

}  // namespace gamehub::limits
