// A UDP socket that reads and sends many datagrams with one system call. It never waits: what the
// kernel has no room for is lost, as any datagram may be. Owned by a datagram_port, used on its
// loop's thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "gateways/datagrams.hpp"

namespace gamehub::gateways::net {

using udp = boost::asio::ip::udp;

// A datagram that came. The bytes are the first of `size` that it had.
struct arrival {
  endpoint from;
  std::string_view bytes;
  std::size_t size = 0;
};

class datagram_socket {
 public:
  // The most datagrams of one system call.
  static constexpr std::size_t batch_max = 64;

  // The first of a port is bound before SO_REUSEPORT is set, so that a second hub on the same port
  // still gets "address in use"; the others share it. Throws listen_failed.
  datagram_socket(boost::asio::io_context&, const udp::endpoint&, bool first);
  datagram_socket(datagram_socket&&) noexcept;
  ~datagram_socket();

  std::uint16_t port() const { return socket_.local_endpoint().port(); }

  // Calls `readable` once something has come.
  template <class Readable>
  void wait(Readable readable) {
    socket_.async_wait(socket::wait_read, std::move(readable));
  }

  // What has come, a batch at most; valid until the next call.
  std::span<const arrival> receive();

  // Returns how many it could send.
  std::size_t send(std::span<const datagram>);

  // Datagrams that came when the kernel had no room for them, since the beginning.
  std::uint32_t overflowed();

 private:
  using socket = boost::asio::basic_datagram_socket<udp, boost::asio::io_context::executor_type>;
  struct buffers;

  std::size_t send_batch(std::span<const datagram>);

  socket socket_;
  std::unique_ptr<buffers> buffers_;
};

}  // namespace gamehub::gateways::net
