// Opens connections to one address, without waiting for them. Towards loopback they come from many
// addresses, so that a hundred thousand short ones do not use up the ports of one. Owned by who
// dials; one thread at a time.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gamehub::app::bench {

class connector {
 public:
  // Throws operator_mistake if the host has no address, or nobody listens there.
  connector(const std::string& host, std::uint16_t port);

  // A descriptor that does not block and may still be connecting; or -1, and errno tells why.
  int dial();

  // Closes one that is not needed any more. On loopback by a reset: the system remembers every
  // other end for a minute, and after some hundred thousand of them it is slow to connect at all.
  void hang_up(int fd) const;

  bool loopback() const { return loopback_; }
  const std::string& where() const { return where_; }

 private:
  void find(const std::string& host, std::uint16_t port);
  void choose_source(int fd);

  std::string where_;
  sockaddr_storage to_{};
  socklen_t to_size_ = 0;
  bool loopback_ = false;
  std::uint32_t dialled_ = 0;
};

// Takes as many descriptors as the system allows. Throws operator_mistake if that is not enough for
// so many connections.
void raise_descriptor_limit(std::size_t connections);

}  // namespace gamehub::app::bench
