// Messages over a stream socket between two processes: four bytes of size, least first, then the
// bytes. One thread at a time on each end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::app::process {

enum class passed : std::uint8_t {
  whole,
  ended,        // the other side closed, or is gone
  out_of_time,  // the deadline is over
  nonsense,     // a size that no message has
};

using deadline = std::chrono::steady_clock::time_point;

// For ever.
inline constexpr deadline no_deadline = deadline::max();

// Requires: message.size() <= engines::remote::message_bytes_max.
passed send(int socket, std::string_view message, deadline);
// Replaces what is in `message`.
passed receive(int socket, std::string& message, deadline);

}  // namespace gamehub::app::isolation
