// The sockets of the players of the UDP protocol: a byte goes to the hub from the address of a
// player, and a received byte has the player's number. Owned by the load, used on its thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gamehub::tools::bench {

struct udp_byte {
  std::uint32_t player = 0;
  char byte = 0;
};

class udp_sockets {
 public:
  virtual ~udp_sockets() = default;

  // May be delayed until flush(). A datagram that the system refuses is lost, as any may be.
  virtual void send(udp_byte) = 0;
  virtual void flush() = 0;
  // Returns the received bytes; waits at most this time for the first. Valid until the next call.
  virtual std::span<const udp_byte> receive(std::chrono::milliseconds wait) = 0;

  virtual std::size_t descriptors() const = 0;
};

// The address of the hub.
struct udp_target {
  std::string host;
  std::uint16_t port = 0;

  std::string where() const { return host + " port " + std::to_string(port); }
  // True for an address of this machine.
  bool loopback() const;
};

// One socket for each player, or with `sources` one socket with a loopback address for each player.
// Throws usage_error.
std::unique_ptr<udp_sockets> open_udp_sockets(const udp_target&, std::size_t players, bool sources);

}  // namespace gamehub::tools::bench
