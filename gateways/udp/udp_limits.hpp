// The limits of the UDP protocol (README.md, "Limits" and "Timeouts"). The first ones are part of
// the protocol; the others limit the memory that a flood of datagrams can use. Constants, any
// thread.
#pragma once

#include "hub/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

// Cells of a board: a digit from 0 to 8 names one (README.md, "Bytes").
inline constexpr int udp_cells_max = 9;

// The protocol's timeout, after which an unanswered byte is repeated, and the number of repeats.
// After the last one an address that does not answer is not sent to any more.
inline constexpr milliseconds udp_resend_after{1'000};
inline constexpr int udp_resends_max = 30;
// Repeats of a result; after them the result stands without an acknowledgement.
inline constexpr int udp_final_resends_max = 5;

// Late duplicates of the client's echo that are answered with the end of turn. They look like a
// move to a taken cell; further ones are invalid moves.
inline constexpr int udp_late_echoes_max = 2;

// How long an ended game is kept, so that echoes of its result are answered.
inline constexpr seconds udp_ended_kept{10};
// How long the result is kept if the client may not know it.
inline constexpr seconds udp_status_kept{600};
static_assert(udp_status_kept > udp_ended_kept);
// An ended game must be kept longer than a client repeats its last byte.
static_assert(udp_ended_kept > 2 * udp_resend_after);

// How long an address that asked for a game and never answered is kept: as long as an idle
// connection of other protocols, because the first move may take as long.
inline constexpr seconds udp_newcomer_kept = idle_default;

// Addresses of one port that never answered, about 100 bytes each. A flood with forged senders uses
// this memory and no more.
inline constexpr std::size_t udp_newcomers_max = 65'536;
// Those of them that have a player in the hub, a few KiB each.
inline constexpr std::size_t udp_unverified_max = 4'096;
static_assert(udp_unverified_max < udp_newcomers_max);
// Ended games of one port that are kept for udp_status_kept.
inline constexpr std::size_t udp_statuses_max = 65'536;

// All addresses of one port.
inline constexpr std::size_t udp_sessions_max = connections_max;
static_assert(udp_newcomers_max < udp_sessions_max);

// Deadlines handled by one call of advance(), so that the call is short.
inline constexpr int udp_timed_per_turn_max = 1'024;

}  // namespace gamehub::limits
