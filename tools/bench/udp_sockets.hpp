// What the players of the UDP wire speak by: a byte goes to the hub from the address of a player,
// and what comes for one is told by its number. Owned by the load, used on its thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gamehub::app::bench {

struct udp_byte {
  std::uint32_t player = 0;
  char byte = 0;
};

class udp_sockets {
 public:
  virtual ~udp_sockets() = default;

  // May be kept back until flush(). What the system does not take is lost, as any datagram may be.
  virtual void send(udp_byte) = 0;
  virtual void flush() = 0;
  // What has come, waiting for so long if nothing has; valid until the next call.
  virtual std::span<const udp_byte> receive(std::chrono::milliseconds wait) = 0;

  virtual std::size_t descriptors() const = 0;
};

// Where the hub is.
struct udp_target {
  std::string host;
  std::uint16_t port = 0;

  std::string where() const { return host + " port " + std::to_string(port); }
  // On this machine, by its address.
  bool loopback() const;
};

// A socket for each player, or with `sources` one that speaks from an address of loopback for each.
// Throws operator_mistake.
std::unique_ptr<udp_sockets> open_udp_sockets(const udp_target&, std::size_t players, bool sources);

}  // namespace gamehub::app::bench
