#include "gateways/http_client/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <openssl/ssl.h>

namespace gamehub::gateways::http_client {

namespace asio = boost::asio;
using boost::system::error_code;

connection::secure_stream& connection::begin_tls(asio::ssl::context& with) {
  return secure_.emplace(socket_, with);
}

long connection::certificate_verdict() { return SSL_get_verify_result(secure_->native_handle()); }

bool connection::is_reusable() {
  error_code failed;
  socket_.non_blocking(true, failed);
  if (failed) return false;
  char first = 0;
  socket_.receive(asio::buffer(&first, 1), asio::socket_base::message_peek, failed);
  // TLS servers may have sent session tickets.
  return failed == asio::error::would_block || (!failed && secure_);
}

void connection::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace gamehub::gateways::http_client
