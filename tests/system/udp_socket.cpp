#include "tests/system/udp_socket.hpp"

#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::tests::system {

udp_socket::udp_socket(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    throw std::system_error{errno, std::generic_category(), "a UDP socket"};
}

udp_socket::~udp_socket() {
  if (socket_ >= 0) close(socket_);
}

udp_socket::udp_socket(udp_socket&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

void udp_socket::send(std::string_view datagram) {
  // The first one after a port was found closed only tells of that.
  for (int tries = 0; tries < 2; ++tries)
    if (::send(socket_, datagram.data(), datagram.size(), MSG_NOSIGNAL) >= 0) return;
}

std::optional<std::string> udp_socket::next(std::chrono::milliseconds time) {
  for (const deadline until{time};;) {
    if (auto got = next_now()) return got;
    pollfd waiting{socket_, POLLIN, 0};
    poll(&waiting, 1, until.poll_milliseconds());
    if (until.over()) return next_now();
  }
}

std::optional<std::string> udp_socket::next_now() {
  std::array<char, 2'048> buffer;
  const auto size = recv(socket_, buffer.data(), buffer.size(), 0);
  if (size < 0) return std::nullopt;
  return std::string{buffer.data(), static_cast<std::size_t>(size)};
}

bool udp_socket::ask(char byte, char answer) {
  constexpr std::chrono::milliseconds again_after{1'000};
  for (const deadline until; !until.over();) {
    send({&byte, 1});
    for (const deadline again{again_after}; !again.over();) {
      const auto heard = next(std::chrono::milliseconds{again.poll_milliseconds()});
      if (heard && !heard->empty() && heard->front() == answer) return true;
    }
  }
  return false;
}

}  // namespace gamehub::tests::system
