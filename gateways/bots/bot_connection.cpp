#include "gateways/bots/bot_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;
using boost::system::error_code;

bot_connection::secure_stream& bot_connection::begin_tls(asio::ssl::context& with) {
  return secure_.emplace(socket_, with);
}

bool bot_connection::is_reusable() {
  error_code failed;
  socket_.non_blocking(true, failed);
  if (failed) return false;
  char first = 0;
  socket_.receive(asio::buffer(&first, 1), asio::socket_base::message_peek, failed);
  // TLS servers may have sent session tickets.
  return failed == asio::error::would_block || (!failed && secure_);
}

void bot_connection::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace gamehub::gateways::bots
