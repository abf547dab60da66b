#include "gateways/net/datagram_socket.hpp"

#include "gateways/net/address.hpp"
#include "gateways/net/listener.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace gamehub::gateways::net {

namespace asio = boost::asio;

namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

// The kernel's default buffers hold a few hundred small datagrams, less than a busy loop receives
// in one iteration. Only a privileged process may exceed net.core.rmem_max (SO_RCVBUFFORCE).
void enlarge(int fd, int forced, int bounded) {
  constexpr int bytes = limits::datagram_buffer_bytes;
  if (setsockopt(fd, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0)
    setsockopt(fd, SOL_SOCKET, bounded, &bytes, sizeof bytes);
}

}  // namespace

struct datagram_socket::buffers {
  using text = std::array<char, limits::datagram_bytes_max>;

  explicit buffers(bool of_ipv6) : six(of_ipv6) {
    for (std::size_t i = 0; i < batch_max; ++i) {
      in_parts[i] = {in_bytes[i].data(), in_bytes[i].size()};
      in[i].msg_hdr.msg_iov = &in_parts[i];
      in[i].msg_hdr.msg_iovlen = 1;
      in[i].msg_hdr.msg_name = &in_from[i];
      out_parts[i] = {nullptr, 1};
      out[i].msg_hdr.msg_iov = &out_parts[i];
      out[i].msg_hdr.msg_iovlen = 1;
      out[i].msg_hdr.msg_name = &out_to[i];
    }
  }

  bool six;
  std::array<mmsghdr, batch_max> in{}, out{};
  std::array<iovec, batch_max> in_parts{}, out_parts{};
  std::array<socket_address, batch_max> in_from{}, out_to{};
  std::array<text, batch_max> in_bytes{};
  std::array<received_datagram, batch_max> arrivals;
};

datagram_socket::datagram_socket(asio::io_context& io, const udp::endpoint& where, bool first) try
    : socket_(io), buffers_(std::make_unique<buffers>(where.protocol() == udp::v6())) {
  socket_.open(where.protocol());
  if (!first) socket_.set_option(reuse_port(true));
  socket_.bind(where);
  if (first) socket_.set_option(reuse_port(true));
  socket_.non_blocking(true);
  enlarge(socket_.native_handle(), SO_RCVBUFFORCE, SO_RCVBUF);
  enlarge(socket_.native_handle(), SO_SNDBUFFORCE, SO_SNDBUF);
} catch (const boost::system::system_error& e) {
  throw listen_failed{e.code().message()};
}

datagram_socket::datagram_socket(datagram_socket&&) noexcept = default;
datagram_socket::~datagram_socket() = default;

std::span<const received_datagram> datagram_socket::receive(std::size_t most) {
  auto& b = *buffers_;
  for (auto& each : b.in) each.msg_hdr.msg_namelen = sizeof(socket_address);
  // MSG_TRUNC: msg_len is the full length, also if the datagram was cut.
  const auto got =
      recvmmsg(socket_.native_handle(), b.in.data(),
               static_cast<unsigned>(std::min(most, batch_max)), MSG_DONTWAIT | MSG_TRUNC, nullptr);
  if (got <= 0) return {};
  const auto count = static_cast<std::size_t>(got);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = b.in[i].msg_len;
    b.arrivals[i] = {endpoint_of(b.in_from[i]),
                     {b.in_bytes[i].data(), std::min(size, b.in_bytes[i].size())},
                     size};
  }
  return {b.arrivals.data(), count};
}

std::size_t datagram_socket::send(std::span<const datagram> all) {
  std::size_t sent = 0;
  while (!all.empty()) {
    const auto batch = all.first(std::min(all.size(), batch_max));
    sent += send_batch(batch);
    all = all.subspan(batch.size());
  }
  return sent;
}

std::size_t datagram_socket::send_batch(std::span<const datagram> all) {
  auto& b = *buffers_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // sendmmsg() does not write through this pointer.
    b.out_parts[i].iov_base = const_cast<char*>(&all[i].byte);
    b.out[i].msg_hdr.msg_namelen = write_address(all[i].to, b.six, b.out_to[i]);
  }
  std::size_t sent = 0;
  for (std::size_t at = 0; at < all.size();) {
    const auto count = sendmmsg(socket_.native_handle(), b.out.data() + at,
                                static_cast<unsigned>(all.size() - at), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    // The datagram at `at` is lost. The following ones go to other addresses and may succeed.
    at += count < 0 ? 1 : static_cast<std::size_t>(count);
    sent += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  return sent;
}

std::uint32_t datagram_socket::overflowed() {
  std::array<std::uint32_t, SK_MEMINFO_VARS> numbers{};
  socklen_t size = sizeof numbers;
  if (getsockopt(socket_.native_handle(), SOL_SOCKET, SO_MEMINFO, numbers.data(), &size) != 0)
    return 0;
  return numbers[SK_MEMINFO_DROPS];
}

}  // namespace gamehub::gateways::net
