// The limits of the HTTP protocol (README.md): those of the protocol, and those that protect the
// hub from a single client. Constants, any thread.
#pragma once

#include "hub/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

// Size of a request: the header with its request line and all fields, and the body (README.md,
// "Limits, proxies and other sites").
inline constexpr std::size_t http_header_bytes_max = 8 * 1024;
inline constexpr std::size_t http_body_bytes_max = 64 * 1024;

// Time to receive a whole request, and the keep-alive time between two requests.
inline constexpr seconds http_request_time_max{10};
inline constexpr seconds http_keep_alive{75};
// Bytes that are read and discarded of a request that was refused before its end, so that the
// client can read the error.
inline constexpr std::size_t http_linger_bytes_max = 4 * 1024 * 1024;

// A full hub reads the first request of as many more connections, so that a browser gets a page and
// not JSON, for this time at most. It closes those beyond them at once.
inline constexpr std::uint32_t http_refused_at_once_max = 64;
inline constexpr seconds http_refusal_time_max{2};

// A connection that has sent nothing makes room in a full hub after this time: its first request
// may be on its way.
inline constexpr seconds http_silent_kept_for{2};

// Unanswered requests of one client.
inline constexpr std::size_t http_requests_in_flight_max = 16;

// How long a player whose updates are not read any more keeps its seat (--http-grace-seconds); by
// default at least the time of a turn.
inline constexpr seconds http_grace_default{120};
static_assert(http_grace_default >= turn_default);

// Parameters of one request, including unknown ones.
inline constexpr std::size_t http_parameters_max = 64;
// Size of one parameter, unless its spec has a smaller limit.
inline constexpr std::size_t http_parameter_bytes_max = 4 * 1024;
// A name fits into the header, with three bytes for each escaped byte.
static_assert(3 * name_bytes_max < http_header_bytes_max);

// Length of a client_id. A shorter one could be guessed.
inline constexpr std::size_t http_client_id_bytes_min = 16;
inline constexpr std::size_t http_client_id_bytes_max = 64;

// Length of a game id in a path.
inline constexpr std::size_t http_game_id_bytes_max = 32;
// Length of an engine's id, as engines declare it.
inline constexpr std::size_t http_engine_bytes_max = 64;

// Games of one combined stream: more than a browser has tabs on games.
inline constexpr std::size_t http_followed_games_max = 32;

// Default and maximum timeout of a long poll (README.md, "Following a game").
inline constexpr seconds http_wait_default{30};
inline constexpr seconds http_wait_max{60};
static_assert(http_wait_default <= http_wait_max);
// Delay of error responses to clients that retry immediately.
inline constexpr seconds http_error_pause{1};

// How long another hub of a cluster has to answer a request: longer than a long poll.
inline constexpr seconds http_relayed_time_max{90};
static_assert(http_wait_max < http_relayed_time_max);

// How long it still has when the hub that has read the request drains, which waits for its clients.
inline constexpr seconds http_relayed_drain_max{3};
static_assert(http_relayed_drain_max < farewell_max);

// Interval of keep-alive output on an idle stream, below the usual timeout of proxies.
inline constexpr seconds http_heartbeat{15};

// How long all guests of a game get the same line, whose clock is that of its first reader.
inline constexpr milliseconds http_shared_clock{50};

// How long a stream of an ended game stays open for offers (README.md, "Offers").
inline constexpr seconds http_offers_for{600};
// A player that had such a stream, and has had none for this time, answers no offer and makes none.
// A page is loaded again within it.
inline constexpr milliseconds http_offers_left_after{1'000};

// Listed guests of one game; more may watch.
inline constexpr std::size_t http_guests_listed_max = guests_listed_default;
// One guest of a game is listed in this time, after as many at once as the list has places: a guest
// who comes and goes costs each reader of the game two lines.
inline constexpr seconds http_guest_listed_each{1};
// Games whose latest guests are remembered for that, 16 bytes each.
inline constexpr std::size_t http_guest_buckets = 4'096;

// Streams that get a line about a guest, or of the operator, in one iteration of a loop, at some 4
// microseconds each.
inline constexpr int http_streams_at_once = 64;

// Size of a chat message, and the rate and burst of one player.
inline constexpr std::size_t http_chat_bytes_max = 500;
static_assert(http_chat_bytes_max <= http_parameter_bytes_max);
static_assert(http_chat_bytes_max <= chat_bytes_max);
inline constexpr milliseconds http_chat_each{2'000};
inline constexpr std::uint32_t http_chat_burst = 5;

// Token buckets of the rate limiter, 16 bytes each; a full bucket can be reused.
inline constexpr std::size_t http_buckets = 65'536;
// Unused players that are looked at for one of an address that has reached its limit.
inline constexpr int http_unused_looked_at_max = 64;
// The bytes of responses that count as one request more of their address: a long replay costs as
// much as many short answers.
inline constexpr std::uint32_t http_bytes_per_request = 4'096;

// The logs that a page of the list of games reads, which count as one request more of its address:
// some 30 microseconds each.
inline constexpr std::size_t http_logs_per_request = 4;

// The records of an ended game that count as one request more of the address that reads it: its log
// is replayed, also for an answer of few bytes, at some 6 microseconds each.
inline constexpr std::uint32_t http_records_per_request = 16;

// Sizes of the answers that are compressed, and the part of one that is compressed in one iteration
// of a loop, at 8 ms a MiB.
inline constexpr std::size_t http_gzip_bytes_min = 1'024;
inline constexpr std::size_t http_gzip_bytes_max = 2 * 1024 * 1024;
inline constexpr std::size_t http_gzip_part_bytes = 32 * 1024;

// How long lists of games repeat what an operator has said to all.
inline constexpr seconds http_notice_for{300};

// Entries of a forwarding field that are followed.
inline constexpr std::size_t http_hops_max = 16;
// Networks of --http-trusted-proxy.
inline constexpr std::size_t http_trusted_networks_max = 64;

// Size of all files of the web page, compressed.
inline constexpr std::size_t http_page_bytes_max = 60 * 1024;

// Default values of Retry-After.
inline constexpr seconds http_retry_when_full{5};
inline constexpr seconds http_retry_soon{1};

}  // namespace gamehub::limits
