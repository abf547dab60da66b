// A connection to a bot, with TLS where its URL says so. One call at a time owns it; between two of
// them whoever keeps it does. One loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <optional>

namespace gamehub::gateways::bots::server {

class bot_connection {
 public:
  using tcp = boost::asio::ip::tcp;
  using stream_socket =
      boost::asio::basic_stream_socket<tcp, boost::asio::io_context::executor_type>;
  using secure_stream = boost::asio::ssl::stream<stream_socket&>;

  explicit bot_connection(boost::asio::io_context& io) : socket_(io) {}
  bot_connection(const bot_connection&) = delete;
  bot_connection& operator=(const bot_connection&) = delete;

  stream_socket& socket() { return socket_; }
  // Requires: connected.
  secure_stream& begin_tls(boost::asio::ssl::context&);

  // Reads or writes through whichever stream there is.
  template <class What>
  void with_stream(What what) {
    secure_ ? what(*secure_) : what(socket_);
  }

  // Nothing has come that nobody asked for, and the bot has not closed, as far as is known here.
  // Requires: nothing is being read or written.
  bool is_reusable();
  void close();

 private:
  stream_socket socket_;
  std::optional<secure_stream> secure_;
};

}  // namespace gamehub::gateways::jsonrpc::server
