// A connection to a server, with or without TLS. One call owns it; between two calls its user does.
// Used on one loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <memory>
#include <optional>

namespace gamehub::gateways::http_client {

class connection {
 public:
  using tcp = boost::asio::ip::tcp;
  using stream_socket =
      boost::asio::basic_stream_socket<tcp, boost::asio::io_context::executor_type>;
  using secure_stream = boost::asio::ssl::stream<stream_socket&>;

  explicit connection(boost::asio::io_context& io) : socket_(io) {}
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  // Returns the TCP socket.
  stream_socket& socket() { return socket_; }
  // Starts TLS on the connection. Requires: connected.
  secure_stream& begin_tls(boost::asio::ssl::context&);

  // Returns OpenSSL's result of the verification of the certificate. Requires: TLS.
  long certificate_verdict();

  // Calls `what` with the TLS stream or the plain socket.
  template <class What>
  void with_stream(What what) {
    secure_ ? what(*secure_) : what(socket_);
  }

  // True if the connection can be used for another call: the server has sent no unexpected bytes
  // and has not closed it, as far as is known. Requires: no pending operation.
  bool is_reusable();
  // Closes the socket.
  void close();

 private:
  stream_socket socket_;
  std::optional<secure_stream> secure_;
};

}  // namespace gamehub::gateways::http_client
