// Messages over a stream socket between two processes: the size in four bytes, little-endian, then
// the bytes. One thread at a time on each end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace gamehub::engines::process {

// The result of a transfer.
enum class passed : std::uint8_t {
  whole,
  ended,        // the other side closed the socket
  out_of_time,  // the deadline has passed
  nonsense,     // the size is invalid
};

using deadline = std::chrono::steady_clock::time_point;

// No time limit.
inline constexpr deadline no_deadline = deadline::max();

// Sends a message of at most message_bytes_max bytes.
passed send(int socket, std::string_view message, deadline);
// Receives a message and replaces the contents of `message`.
passed receive(int socket, std::string& message, deadline);

}  // namespace gamehub::engines::process
