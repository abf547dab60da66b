// Opens connections to the ports of one host without blocking. Connections to loopback use many
// source addresses, so that a hundred thousand short ones do not exhaust the ports of one. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace gamehub::tools::bench {

class connector {
 public:
  // Throws usage_error if the host has no address, or nothing listens at one of these ports.
  connector(const std::string& host, const std::vector<std::uint16_t>& ports);

  // Connects to one of the ports. Returns a non-blocking descriptor, which may still be connecting,
  // or -1 with errno.
  int dial(std::size_t port = 0);

  // Closes a connection. On loopback by a reset: otherwise the system keeps it in TIME_WAIT for a
  // minute, and some hundred thousand of those slow down every connect.
  void hang_up(int fd) const;

  bool loopback() const { return loopback_; }
  std::size_t ports() const { return to_.size(); }
  const std::string& where() const { return where_; }

 private:
  struct target {
    sockaddr_storage address{};
    socklen_t size = 0;
  };
  void add(const std::string& host, std::uint16_t port);
  void choose_source(int fd);

  std::string where_;
  std::vector<target> to_;  // one for each port
  bool loopback_ = false;
  std::uint32_t dialled_ = 0;
};

// Raises the limit of descriptors to the hard limit. Throws usage_error if that is not enough for
// this number of connections.
void raise_descriptor_limit(std::size_t connections);

}  // namespace gamehub::tools::bench
