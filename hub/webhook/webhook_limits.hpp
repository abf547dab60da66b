// The limits of webhooks: what players may register, and how the hub calls. Those that settings
// change are in hub/core/limits.hpp. Constants, any thread.
#pragma once

#include "hub/core/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

// Of a registration.
inline constexpr std::size_t webhook_url_bytes_max = 1'024;
inline constexpr std::size_t webhook_secret_bytes_min = 16;
inline constexpr std::size_t webhook_secret_bytes_max = 128;

// Webhooks of one address.
inline constexpr std::uint32_t webhooks_per_address_max = 64;

// Registrations of one address: a burst, then one per interval; and those that wait for their
// receivers at the same time, of one address and of all.
inline constexpr std::uint32_t webhook_registrations_burst = 8;
inline constexpr seconds webhook_registration_each{5};
inline constexpr std::size_t webhook_registrations_per_address_at_once = 4;
inline constexpr std::size_t webhook_registrations_at_once = 64;
// Buckets of that rate, each 16 bytes.
inline constexpr std::size_t webhook_registration_buckets = 16'384;

// Games of one player that have an event or whose turn was told: those that go on beside each
// other, and as many that have ended. And events of all players.
inline constexpr std::size_t webhook_events_per_player_max = 2 * games_kept_max;
inline constexpr std::size_t webhook_events_max = 262'144;
// Reports of games that the thread of webhooks has not read yet.
inline constexpr std::size_t webhook_reports_waiting_max = 65'536;

// Calls in flight: one of a webhook, and these of a host (name and port) and of all.
inline constexpr std::size_t webhook_calls_per_host_max = 4;
inline constexpr std::size_t webhook_calls_max = 64;

// A response: its header, its body, and all bytes.
inline constexpr std::size_t webhook_header_bytes_max = 8 * 1024;
inline constexpr std::size_t webhook_body_bytes_max = 4 * 1024;
inline constexpr std::size_t webhook_answer_bytes_max = 32 * 1024;
// Addresses of a name that are asked for the answer to a challenge, one after the other.
inline constexpr std::size_t webhook_addresses_max = 3;

// A webhook that was neither registered nor called for this time is removed.
inline constexpr std::chrono::hours webhook_unused_max{24 * 90};

}  // namespace gamehub::limits
