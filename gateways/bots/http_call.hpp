// One call of a bot: connects to an address that was judged before, or takes the connection of an
// earlier call, speaks TLS where the URL says so, sends one request and reads one answer, all by
// one deadline. Redirects are answers like any other. Lives on one loop, shared by its pending
// operation.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "gateways/jsonrpc/caller.hpp"
#include "gateways/jsonrpc/server/bot_connection.hpp"
#include "gateways/jsonrpc/server/place.hpp"
#include "gateways/jsonrpc/server/response_reader.hpp"
#include "hub/core/time.hpp"

namespace gamehub::gateways::bots::server {

// Trusts what the system trusts (SSL_CERT_FILE and SSL_CERT_DIR change that), from TLS 1.2 on.
std::shared_ptr<boost::asio::ssl::context> make_tls_context();

class http_call final : public std::enable_shared_from_this<http_call> {
 public:
  using tcp = boost::asio::ip::tcp;

  // What calls of one loop share.
  struct means {
    boost::asio::io_context* io = nullptr;
    std::shared_ptr<boost::asio::ssl::context> tls;
  };

  // `request` are the bytes to send, as call_bytes() has them. `done` is called once, on the loop,
  // never within start(); not at all after cancel().
  http_call(means, std::shared_ptr<const place>, std::string request,
            std::function<void(call_outcome)> done);

  // `kept` is of an earlier call to the same place, or null. Where the bot has closed it meanwhile
  // there is a new one.
  void start(instant deadline, std::unique_ptr<bot_connection> kept = nullptr);
  void cancel();

  // For the next call; null where the bot does not keep it. Requires: it is done.
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
  void time_is_up();
  void finish(call_outcome);

  boost::asio::io_context& io_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::shared_ptr<const place> to_;
  std::string request_;
  std::function<void(call_outcome)> done_;
  std::unique_ptr<bot_connection> connection_;
  boost::asio::steady_timer clock_;
  instant began_{};
  response_reader reader_;
  bool is_connected_ = false;
  bool keep_alive_ = false;
  bool may_be_stale_ = false;  // the connection is an earlier one, and nothing came by it
  std::array<char, 4 * 1024> buffer_;
};

}  // namespace gamehub::gateways::jsonrpc::server
