// The limits of the JSON-RPC protocol (README.md, "What a bot may not do"): sizes and times of a
// bot's replies, and limits that protect the hub and its other clients. Constants, any thread.
#pragma once

#include "hub/core/bot_record.hpp"
#include "hub/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

// Limits of a reply: its header, its body, and all bytes of the connection, including chunk framing
// and interim responses (status 1xx).
inline constexpr std::size_t bot_header_bytes_max = 8 * 1024;
inline constexpr std::size_t bot_body_bytes_max = 64 * 1024;
inline constexpr std::size_t bot_answer_bytes_max = 192 * 1024;
static_assert(bot_answer_bytes_max > bot_header_bytes_max + 2 * bot_body_bytes_max);

// How long an idle kept connection stays open: shorter than the usual keep-alive of servers, so
// that the hub usually closes it first.
inline constexpr seconds bot_connection_idle_max{4};

// Some bots listen only after they have the reply to their registration: how long the first ping is
// repeated, and the pauses between two pings.
inline constexpr seconds bot_trial_max{10};
inline constexpr milliseconds bot_trial_pause_min{250};
inline constexpr milliseconds bot_trial_pause_max{2'000};

// Sizes of a registration's parameters.
inline constexpr std::size_t bot_token_bytes_max = 256;
inline constexpr std::size_t bot_version_bytes_max = 64;
inline constexpr std::size_t bot_text_bytes_max = 1'024;  // of language, website and description
inline constexpr std::size_t bot_url_bytes_max = 1'024;
inline constexpr std::size_t bot_signing_secret_bytes_min = 16;
inline constexpr std::size_t bot_signing_secret_bytes_max = 128;
inline constexpr std::size_t bot_id_bytes_max =
    1'024;  // of the request id, which is repeated in the reply

// Registrations of one address: a burst, then one per interval. And of all addresses that are
// pending at the same time; further ones get status 429.
inline constexpr std::uint32_t bot_registrations_burst = 10;
inline constexpr milliseconds bot_registration_each{1'000};
inline constexpr std::size_t bot_registrations_at_once = 64;

// Registrations of one account (bot_record.hpp): a burst, so that all its bots may come back at
// once after a restart, then one per interval. And those that are pending: a quarter of all.
inline constexpr std::uint32_t bot_owner_registrations_burst = bot_names_per_owner_max;
inline constexpr milliseconds bot_owner_registration_each{1'000};
inline constexpr std::size_t bot_owner_registrations_at_once = bot_registrations_at_once / 4;

// Calls in flight of one account over all loops: one for each bot, by the default number of names.
// Further calls wait for their turn.
inline constexpr std::size_t bot_owner_calls_max = bot_names_per_owner_default;

// Buckets of their rates, each 16 bytes.
inline constexpr std::size_t bot_registration_buckets = 65'536;

// Threads that resolve host names, the time limit of one registration for that, and the names that
// wait: each bot that is reconnected at the start may have one.
inline constexpr std::size_t bot_resolver_threads = 2;
inline constexpr seconds bot_resolve_max{3};
inline constexpr std::size_t bot_names_waiting_max = 1'024;
static_assert(bot_names_waiting_max > bot_registrations_at_once);
// A stopping hub does not wait for a name.
static_assert(bot_resolve_max < farewell_max);
// Addresses of one name that are tried.
inline constexpr std::size_t bot_addresses_max = 8;

// Networks of --bot-allow.
inline constexpr std::size_t bot_networks_max = 64;

// Bytes of a bot's text that are quoted in a message.
inline constexpr std::size_t bot_quote_bytes_max = 80;

}  // namespace gamehub::limits
