// CPU, memory and descriptors of the server under load, from /proc. Used by the bench, on its
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <sys/types.h>

namespace gamehub::tools::bench {

struct server_usage {
  double cpu_seconds = 0;
  std::uint64_t resident_kib = 0;
  std::size_t descriptors = 0;
};

// Returns nothing if the process does not exist or is not readable.
std::optional<server_usage> usage_of(pid_t);

enum class transport : std::uint8_t { tcp, udp };

// The process that listens on a port of this machine, or nothing.
std::optional<pid_t> listener_on(std::uint16_t port, transport = transport::tcp);

// The parsers. The inode of the socket that listens on a port, from a line of /proc/net/tcp, udp,
// tcp6 or udp6:
std::optional<std::uint64_t> listening_inode(std::string_view line, std::uint16_t port,
                                             transport = transport::tcp);
// VmRSS, from /proc/PID/status:
std::uint64_t resident_kib(std::string_view status);

}  // namespace gamehub::tools::bench
