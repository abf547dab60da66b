// The bounds of the JSON-RPC wire: what bots may say, how long they may take, and what keeps a
// hostile one from taking the hub from the others. Constants, any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hub/core/limits.hpp"

namespace gamehub::limits {

// What a bot's answer may have: its header, its body, and all that comes over the connection, the
// framing of chunks and answers of the kind 100 included.
inline constexpr std::size_t bot_header_bytes_max = 8 * 1024;
inline constexpr std::size_t bot_body_bytes_max = 64 * 1024;
inline constexpr std::size_t bot_answer_bytes_max = 192 * 1024;
static_assert(bot_answer_bytes_max > bot_header_bytes_max + 2 * bot_body_bytes_max);

// For one call, from the first packet to the last byte of the answer: by default, and as settings
// have it.
inline constexpr seconds bot_move_default{5};
inline constexpr seconds bot_move_min{1};
inline constexpr seconds bot_move_max{60};

// A connection that a bot keeps is closed when it has not been called for so long: shorter than the
// usual servers', so that it is seldom they who close it.
inline constexpr seconds bot_connection_idle_max{4};

// Some bots listen only once they have the answer to their registration: for so long it is tried.
inline constexpr seconds bot_trial_max{10};
inline constexpr milliseconds bot_trial_pause_min{250};
inline constexpr milliseconds bot_trial_pause_max{2'000};

// Games of one bot at once, people's included: by default, and the most that settings allow. It is
// called for one move at a time, so that each of its opponents may wait for all its other moves.
inline constexpr std::uint32_t bot_games_default = 4;
inline constexpr std::uint32_t bot_games_max = 64;

// What a registration may say.
inline constexpr std::size_t bot_token_bytes_max = 256;
inline constexpr std::size_t bot_version_bytes_max = 64;
inline constexpr std::size_t bot_text_bytes_max = 1'024;  // language, website, description
inline constexpr std::size_t bot_url_bytes_max = 1'024;
inline constexpr std::size_t bot_id_bytes_max = 1'024;  // the id of its request, which is repeated

// Registrations of one address: as many at once, then one in so long. And of all addresses that are
// looked into at the same time: beyond that they are told to come back.
inline constexpr std::uint32_t bot_registrations_burst = 10;
inline constexpr milliseconds bot_registration_each{1'000};
inline constexpr std::size_t bot_registrations_at_once = 64;

// Threads that ask for the addresses of names, and how long one registration waits for them.
inline constexpr std::size_t bot_resolver_threads = 2;
inline constexpr seconds bot_resolve_max{3};
// A hub that goes down does not wait for a name.
static_assert(bot_resolve_max < farewell_max);
// Addresses of one name that are tried.
inline constexpr std::size_t bot_addresses_max = 8;

// Networks that can be allowed.
inline constexpr std::size_t bot_networks_max = 64;

// What is said of a bot's own words, where they are repeated.
inline constexpr std::size_t bot_quote_bytes_max = 80;

}  // namespace gamehub::limits
