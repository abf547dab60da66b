// One call of an HTTP/1.1 server: connects to given addresses or uses a kept connection, performs
// the TLS handshake, sends one request and reads one response, within limits and one deadline. No
// name is resolved and no redirect followed. It lives on one loop, shared by its pending operation.
#pragma once

#include "gateways/http_client/connection.hpp"
#include "gateways/http_client/outcome.hpp"
#include "gateways/http_client/response_parser.hpp"
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
#include <vector>

namespace gamehub::gateways::http_client {

// Returns the TLS context of all calls: the system's certificate authorities (SSL_CERT_FILE and
// SSL_CERT_DIR replace them) and TLS 1.2 or later. The first call reads these, which takes tens of
// milliseconds and 1 MiB. Any thread.
std::shared_ptr<boost::asio::ssl::context> tls_context();

// A server that may be called. Immutable, any thread.
struct server {
  std::vector<boost::asio::ip::tcp::endpoint> addresses;  // in the order of trying; at least one
  bool tls = false;
  std::string host = {};  // the certificate must name it
  bool is_name = false;   // the host is no address
};

class call final : public std::enable_shared_from_this<call> {
 public:
  using tcp = boost::asio::ip::tcp;

  // What calls of one loop share.
  struct context {
    boost::asio::io_context* io = nullptr;
    std::shared_ptr<boost::asio::ssl::context> tls;  // null: no call uses TLS
  };

  // `request` holds the bytes to send. `done` is called once on the loop, never within start(), and
  // not after cancel().
  call(context, std::shared_ptr<const server>, const response_limits&, std::string request,
       std::function<void(outcome)> done);

  // Starts the call. `kept` is a connection of an earlier call to the same server, or null. If the
  // server has closed it, a new one is opened.
  void start(base::instant deadline, std::unique_ptr<connection> kept = nullptr);
  // Cancels the call; `done` is not called.
  void cancel();

  // Returns the connection for the next call, or null if it cannot be kept. Requires: the call is
  // done.
  std::unique_ptr<connection> take_connection() {
    return keep_alive_ ? std::move(connection_) : nullptr;
  }

 private:
  using error_code = boost::system::error_code;

  void open_connection();
  void connect(std::size_t which, error_code last);
  void start_tls();
  void on_tls_failed(const error_code&);
  void write();
  void read();
  void received(error_code, std::size_t bytes);
  void fail(call_error, std::string detail = {});
  void finish(outcome);

  boost::asio::io_context& io_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::shared_ptr<const server> to_;
  std::string request_;
  std::function<void(outcome)> done_;
  std::unique_ptr<connection> connection_;
  boost::asio::steady_timer timer_;
  base::instant began_{};
  response_parser parser_;
  bool is_connected_ = false;
  bool keep_alive_ = false;
  bool may_be_stale_ = false;  // a kept connection that has returned no bytes yet
  std::array<char, 4 * 1024> buffer_;
};

}  // namespace gamehub::gateways::http_client
