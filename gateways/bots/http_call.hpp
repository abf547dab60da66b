// One call of a bot: connects to a checked address or uses a kept connection, performs the TLS
// handshake for https, sends one request and reads one response, within one deadline. Redirects are
// not followed. It lives on one loop, shared by its pending operation.
#pragma once

#include "gateways/bots/bot_connection.hpp"
#include "gateways/bots/bot_session.hpp"
#include "gateways/bots/resolver.hpp"
#include "gateways/bots/response_reader.hpp"
#include "hub/base/time.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace gamehub::gateways::bots {

// Returns a TLS context with the system's certificate authorities (SSL_CERT_FILE and SSL_CERT_DIR
// replace them) and TLS 1.2 or later.
std::shared_ptr<boost::asio::ssl::context> make_tls_context();

class http_call final : public std::enable_shared_from_this<http_call> {
 public:
  using tcp = boost::asio::ip::tcp;

  // What calls of one loop share.
  struct context {
    boost::asio::io_context* io = nullptr;
    std::shared_ptr<boost::asio::ssl::context> tls;
  };

  // `request` holds the bytes to send, from call_bytes(). `done` is called once on the loop, never
  // within start(), and not after cancel().
  http_call(context, std::shared_ptr<const bot_endpoint>, std::string request,
            std::function<void(call_outcome)> done);

  // Starts the call. `kept` is a connection of an earlier call to the same endpoint, or null. If
  // the bot has closed it, a new one is opened.
  void start(base::instant deadline, std::unique_ptr<bot_connection> kept = nullptr);
  // Cancels the call; `done` is not called.
  void cancel();

  // Returns the connection for the next call, or null if it cannot be kept. Requires: the call is
  // done.
  std::unique_ptr<bot_connection> take_connection() {
    return keep_alive_ ? std::move(connection_) : nullptr;
  }

 private:
  using error_code = boost::system::error_code;

  void open_connection();
  void connect(std::size_t which, error_code last);
  void connected();
  void start_tls();
  void write();
  void read();
  void received(error_code, std::size_t bytes);
  void fail(std::string why);
  void on_timeout();
  void finish(call_outcome);

  boost::asio::io_context& io_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::shared_ptr<const bot_endpoint> to_;
  std::string request_;
  std::function<void(call_outcome)> done_;
  std::unique_ptr<bot_connection> connection_;
  boost::asio::steady_timer timer_;
  base::instant began_{};
  response_reader reader_;
  bool is_connected_ = false;
  bool keep_alive_ = false;
  bool may_be_stale_ = false;  // a kept connection that has returned no bytes yet
  std::array<char, 4 * 1024> buffer_;
};

}  // namespace gamehub::gateways::bots
