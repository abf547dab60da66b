// A UDP socket that reads and sends many datagrams with one system call. It never blocks: datagrams
// that the kernel cannot buffer are lost. Owned by a datagram_port, used on its loop's thread.
#pragma once

#include "gateways/datagrams.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace gamehub::gateways::net {

using udp = boost::asio::ip::udp;

// A received datagram. `bytes` holds the beginning of the `size` bytes that were sent.
struct received_datagram {
  base::endpoint from;
  std::string_view bytes;
  std::size_t size = 0;
};

class datagram_socket {
 public:
  // The maximum number of datagrams per system call.
  static constexpr std::size_t batch_max = 64;

  // Binds a socket. The first socket of a port is bound before SO_REUSEPORT is set, so that a
  // second hub on the same port still gets "address in use"; the others share the port. Throws
  // listen_failed.
  datagram_socket(boost::asio::io_context&, const udp::endpoint&, bool first);
  datagram_socket(datagram_socket&&) noexcept;
  ~datagram_socket();

  // Returns the bound port.
  std::uint16_t port() const { return socket_.local_endpoint().port(); }

  // Calls `readable` once when datagrams can be read.
  template <class Readable>
  void wait(Readable readable) {
    socket_.async_wait(socket::wait_read, std::move(readable));
  }

  // Returns at most one batch of datagrams, of at most `most`; valid until the next call.
  std::span<const received_datagram> receive(std::size_t most = batch_max);

  // Sends datagrams; returns how many the kernel accepted.
  std::size_t send(std::span<const datagram>);

  // Returns how many datagrams the kernel has dropped since the socket was opened (SO_MEMINFO).
  std::uint32_t overflowed();

 private:
  using socket = boost::asio::basic_datagram_socket<udp, boost::asio::io_context::executor_type>;
  struct buffers;

  std::size_t send_batch(std::span<const datagram>);

  socket socket_;
  std::unique_ptr<buffers> buffers_;
};

}  // namespace gamehub::gateways::net
