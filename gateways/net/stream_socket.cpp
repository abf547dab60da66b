#include "gateways/net/stream_socket.hpp"

#include "gateways/net/address.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace gamehub::gateways::net {

namespace {

stream_socket::result result_of(ssize_t bytes) {
  using status = stream_socket::status;
  if (bytes > 0) return {status::done, static_cast<std::size_t>(bytes)};
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {status::blocked};
  return {status::failed};
}

template <class Call>
stream_socket::result without_interruption(Call call) {
  for (;;) {
    const auto bytes = call();
    if (bytes >= 0 || errno != EINTR) return result_of(bytes);
  }
}

}  // namespace

void stream_socket::close() {
  if (is_open()) ::close(std::exchange(descriptor_, closed));
}

stream_socket::result stream_socket::receive(std::span<char> to) {
  return without_interruption([&] { return ::recv(descriptor_, to.data(), to.size(), 0); });
}

stream_socket::result stream_socket::send(std::string_view bytes) {
  return without_interruption(
      [&] { return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
}

void stream_socket::shut_down_output() { ::shutdown(descriptor_, SHUT_WR); }

std::optional<base::endpoint> stream_socket::peer() const {
  socket_address from{};
  socklen_t size = sizeof from;
  if (::getpeername(descriptor_, &from.any, &size) != 0) return std::nullopt;
  return endpoint_of(from);
}

}  // namespace gamehub::gateways::net
