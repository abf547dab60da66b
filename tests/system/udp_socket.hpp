// A UDP socket as a test has one: bytes out as datagrams, datagrams in, every wait with a deadline.
// One thread.
#pragma once

#include "tests/system/patience.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tests::system {

class udp_socket {
 public:
  // Speaks to that port of loopback, and hears only it. Throws std::system_error.
  explicit udp_socket(std::uint16_t port);
  ~udp_socket();
  udp_socket(udp_socket&&) noexcept;
  udp_socket& operator=(udp_socket&&) = delete;

  // One datagram. It is no failure if no socket receives it.
  void send(std::string_view datagram);
  // The next one, waiting for it; nothing if none came.
  std::optional<std::string> next(std::chrono::milliseconds time = patience);
  // The next one, if it is here already.
  std::optional<std::string> next_now();

  // Says a byte, and says it again each second, until this byte comes: what else comes meanwhile is
  // a late copy of something older. False if it never comes.
  bool ask(char byte, char answer);

  int descriptor() const { return socket_; }

 private:
  int socket_ = -1;
};

}  // namespace gamehub::tests::system
