// A TCP socket with or without TLS, as one connection of a link uses it. Used on the thread of the
// links. The handlers of pending operations keep alive what they capture; they fail after close().
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace gamehub::link::net {

using boost::asio::ip::tcp;

class channel {
 public:
  // `tls` outlives the channel; null: none.
  channel(tcp::socket socket, boost::asio::ssl::context* tls) : socket_(std::move(socket)) {
    if (tls != nullptr) tls_.emplace(socket_, *tls);
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  tcp::socket& socket() { return socket_; }

  // Calls done(error), at once if there is no TLS.
  template <class Done>
  void handshake(bool as_server, Done done) {
    if (!tls_) return done(boost::system::error_code{});
    using kind = boost::asio::ssl::stream_base;
    tls_->async_handshake(as_server ? kind::server : kind::client, std::move(done));
  }
  template <class Done>
  void read(boost::asio::mutable_buffer to, Done done) {
    tls_ ? tls_->async_read_some(to, std::move(done))
         : socket_.async_read_some(to, std::move(done));
  }
  template <class Done>
  void write(boost::asio::const_buffer from, Done done) {
    tls_ ? tls_->async_write_some(from, std::move(done))
         : socket_.async_write_some(from, std::move(done));
  }
  void close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
  std::optional<boost::asio::ssl::stream<tcp::socket&>> tls_;
};

}  // namespace gamehub::link::net
