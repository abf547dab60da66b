// The bounds of the HTTP wire: what its protocol fixes, and what keeps one client from taking the
// hub from the others. Constants, any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hub/core/limits.hpp"

namespace gamehub::limits {

// What a request may bring. The header with its request line and all fields.
inline constexpr std::size_t http_header_bytes_max = 8 * 1024;
inline constexpr std::size_t http_body_bytes_max = 64 * 1024;

// For a request that has begun to be there whole, and for the next one to begin.
inline constexpr seconds http_request_time_max{10};
inline constexpr seconds http_keep_alive{75};
// What is read and thrown away of a request that was refused before its end, so that its client
// gets to read why.
inline constexpr std::size_t http_linger_bytes_max = 4 * 1024 * 1024;

// Requests of one client that may be unanswered at once.
inline constexpr std::size_t http_requests_in_flight_max = 16;

// How long a player that has read its game and reads it no more keeps its seat.
inline constexpr seconds http_grace_default{60};

// Parameters of one request, those that nobody knows included.
inline constexpr std::size_t http_parameters_max = 64;
// One of them, where its own description says nothing less.
inline constexpr std::size_t http_parameter_bytes_max = 4 * 1024;
// Names fit the header whole, escaped three bytes each.
static_assert(3 * name_bytes_max < http_header_bytes_max);

// A client's secret. Fewer characters could be guessed.
inline constexpr std::size_t http_client_id_bytes_min = 16;
inline constexpr std::size_t http_client_id_bytes_max = 64;

// The name of a game in a path.
inline constexpr std::size_t http_game_id_bytes_max = 32;

// A long poll waits so long unless it says how long, and at most so long.
inline constexpr seconds http_wait_default{30};
inline constexpr seconds http_wait_max{60};
static_assert(http_wait_default <= http_wait_max);
// Answers with an error wait so long where the client asks again at once, for ever.
inline constexpr seconds http_error_pause{1};

// What may wait for the reader of a stream before it is told nothing more until it has read that.
inline constexpr std::size_t http_stream_bytes_max = 64 * 1024;
static_assert(2 * http_stream_bytes_max < outbox_bytes_max);

// Something goes over a quiet stream so often, or proxies close it.
inline constexpr seconds http_heartbeat{15};

// Ended games can be read for so long.
inline constexpr seconds http_ended_kept{24 * 3600};

// Guests of one game that are listed. More may watch.
inline constexpr std::size_t http_guests_listed_max = guests_listed_default;

// One line of chat, and how many of one player.
inline constexpr std::size_t http_chat_bytes_max = 500;
static_assert(http_chat_bytes_max <= http_parameter_bytes_max);
static_assert(http_chat_bytes_max <= chat_bytes_max);
inline constexpr milliseconds http_chat_each{2'000};
inline constexpr std::uint32_t http_chat_burst = 5;

// Buckets of requests, each 16 bytes: full ones are free to be taken by others.
inline constexpr std::size_t http_buckets = 65'536;

// Proxies on the way of one request whose word is heard.
inline constexpr std::size_t http_hops_max = 16;
// Networks of proxies that can be trusted.
inline constexpr std::size_t http_trusted_networks_max = 64;

// The page to play on, as a browser fetches it: all of its files, compressed.
inline constexpr std::size_t http_page_bytes_max = 60 * 1024;

// When to come back, where nothing else says so.
inline constexpr seconds http_retry_when_full{5};
inline constexpr seconds http_retry_soon{1};

}  // namespace gamehub::limits
