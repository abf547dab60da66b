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
// Later repeats come at this distance. Clients repeat each second, and each repeat restarts the
// wait of the other side: with one distance for both, their datagrams can cross for several
// seconds.
inline constexpr milliseconds udp_resend_again_after{1'300};
inline constexpr int udp_resends_max = 30;
// Repeats of a result; after them the result stands without an acknowledgement.
inline constexpr int udp_final_resends_max = 5;

// Late duplicates of the client's echo that are answered with the end of turn. They look like a
// move to a taken cell; further ones are invalid moves.
inline constexpr int udp_late_echoes_max = 2;

// Confirmations in a row that are answered by the opponent's move; the next one is answered by the
// end of turn. If that move ended the game, the last one of these is answered by the result.
inline constexpr int udp_unheard_moves_max = 3;
inline constexpr int udp_unheard_results_max = 10;
// Four bits hold both counts.
static_assert(udp_unheard_results_max < 16 && udp_late_echoes_max < 16);

// How long an ended game is kept, so that echoes of its result are answered.
inline constexpr seconds udp_ended_kept{10};
// How long the result is kept if the client may not know it.
inline constexpr seconds udp_status_kept{600};
static_assert(udp_status_kept > udp_ended_kept);
// An ended game must be kept longer than a client repeats its last byte.
static_assert(udp_ended_kept > 2 * udp_resend_after);

// Information is counted in eighths of a bit. An address is proven by echoes of the hub's moves
// that are worth five bits together: a sender who receives nothing gets there in one of 32 attempts
// at most, and the 30 repeats that it gains then are fewer than the datagrams of these attempts.
inline constexpr int udp_information_unit = 8;
inline constexpr std::uint8_t udp_proof = 5 * udp_information_unit;
static_assert(udp_resends_max < 1 << (udp_proof / udp_information_unit));
// Positions whose moves one socket counts, about 60 bytes each. Tic-Tac-Toe has 4,520 in which a
// player is to move.
inline constexpr std::size_t udp_positions_max = 8'192;

// How long an unproven address that asked for a game is kept: as long as an idle connection of
// other protocols, because the first move may take as long.
inline constexpr seconds udp_newcomer_kept = idle_default;
// An unproven address that has a player and owes the hub an acknowledgement, which clients send at
// once, resigns after this time: the hub would not repeat its byte to a proven one any more.
inline constexpr milliseconds udp_guest_kept = udp_resends_max * udp_resend_after;
// How long an address keeps its place among those who wait for an opponent, without a byte from it:
// its client repeats its last byte each second.
inline constexpr milliseconds udp_waiting_kept = udp_guest_kept;
static_assert(udp_waiting_kept > 10 * udp_resend_after);

// Seconds of the rate of games of unproven addresses (--udp-guest-rate) that may begin at once.
inline constexpr std::uint32_t udp_guest_burst_seconds = 4;

// Unproven addresses of one port without a player, about 100 bytes each. A flood with forged
// senders uses this memory and no more.
inline constexpr std::size_t udp_newcomers_max = 65'536;
// Unproven addresses with a player in the hub, a few KiB each: they leave this part of the players
// of the port to proven addresses, and have at most this part of the games of the hub (divisors).
inline constexpr std::size_t udp_proven_share_of_players = 4;
inline constexpr std::size_t udp_guest_share_of_games = 4;
// Ended games of one port that are kept for udp_status_kept.
inline constexpr std::size_t udp_statuses_max = 65'536;

// All addresses of one port.
inline constexpr std::size_t udp_sessions_max = connections_max;
static_assert(udp_newcomers_max < udp_sessions_max);
// 1,000,000 unproven addresses may play at once (connections_max).
static_assert(games_max / udp_guest_share_of_games >= 1'000'000);

// Deadlines handled by one call of advance(), so that the call is short.
inline constexpr int udp_timed_per_turn_max = 1'024;

}  // namespace gamehub::limits
