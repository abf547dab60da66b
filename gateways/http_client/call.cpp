#include "gateways/http_client/call.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <chrono>
#include <utility>

namespace gamehub::gateways::http_client {

namespace asio = boost::asio;

namespace {

std::string text_of(const call::tcp::endpoint& at) {
  const auto address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

std::shared_ptr<asio::ssl::context> make_tls_context() {
  auto out = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  boost::system::error_code ignored;
  out->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                       asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression,
                   ignored);
  out->set_default_verify_paths(ignored);
  out->set_verify_mode(asio::ssl::verify_peer, ignored);
  return out;
}

}  // namespace

std::shared_ptr<asio::ssl::context> tls_context() {
  static const auto shared = make_tls_context();
  return shared;
}

call::call(context by, std::shared_ptr<const server> to, const response_limits& limits,
           std::string request, std::function<void(outcome)> done)
    : io_(*by.io),
      tls_(std::move(by.tls)),
      to_(std::move(to)),
      request_(std::move(request)),
      done_(std::move(done)),
      timer_(*by.io),
      parser_(limits) {}

void call::start(base::instant deadline, std::unique_ptr<connection> kept) {
  began_ = std::chrono::steady_clock::now();
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (stopped) return;
    const auto time =
        std::chrono::round<std::chrono::seconds>(std::chrono::steady_clock::now() - self->began_);
    self->fail(call_error::timeout,
               std::to_string(time.count()) + (time.count() == 1 ? " second" : " seconds"));
  });
  if (!kept || !kept->is_reusable()) return open_connection();
  connection_ = std::move(kept);
  is_connected_ = may_be_stale_ = true;
  write();
}

void call::open_connection() {
  connection_ = std::make_unique<connection>(io_);
  may_be_stale_ = false;
  connect(0, {});
}

void call::cancel() {
  done_ = nullptr;
  finish(failure{});
}

void call::connect(std::size_t which, error_code last) {
  if (which == to_->addresses.size())
    return fail(call_error::unreachable, text_of(to_->addresses.front()) + ": " + last.message());
  connection_->close();
  connection_->socket().async_connect(
      to_->addresses[which], [self = shared_from_this(), which](error_code failed) {
        if (!self->done_) return;
        if (failed) return self->connect(which + 1, failed);
        self->is_connected_ = true;
        self->connection_->socket().set_option(tcp::no_delay{true}, failed);
        self->to_->tls ? self->start_tls() : self->write();
      });
}

void call::start_tls() {
  auto& secure = connection_->begin_tls(*tls_);
  error_code failed;
  secure.set_verify_callback(asio::ssl::host_name_verification{to_->host}, failed);
  // SNI takes host names only (RFC 6066, section 3).
  if (to_->is_name) SSL_set_tlsext_host_name(secure.native_handle(), to_->host.c_str());
  secure.async_handshake(asio::ssl::stream_base::client,
                         [self = shared_from_this()](error_code wrong) {
                           if (!self->done_) return;
                           wrong ? self->on_tls_failed(wrong) : self->write();
                         });
}

void call::on_tls_failed(const error_code& wrong) {
  const auto verdict = connection_->certificate_verdict();
  // A wrong host name is checked last and leaves the verdict at X509_V_OK.
  if (verdict == X509_V_OK && wrong.category() == asio::error::get_ssl_category() &&
      wrong.message().find("certificate verify failed") != std::string::npos)
    return fail(call_error::certificate_name, to_->host);
  if (verdict != X509_V_OK)
    return fail(call_error::certificate, X509_verify_cert_error_string(verdict));
  fail(call_error::tls, wrong.message());
}

void call::write() {
  connection_->with_stream([this](auto& stream) {
    asio::async_write(stream, asio::buffer(request_),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (!self->done_) return;
                        // The server may have answered and closed before it read all of the
                        // request.
                        static_cast<void>(failed);
                        self->read();
                      });
  });
}

void call::read() {
  connection_->with_stream([this](auto& stream) {
    stream.async_read_some(asio::buffer(buffer_),
                           [self = shared_from_this()](error_code failed, std::size_t bytes) {
                             if (self->done_) self->received(failed, bytes);
                           });
  });
}

void call::received(error_code failed, std::size_t bytes) {
  using state = response_parser::state;
  // The server had closed the kept connection, so it has not received the call.
  if (may_be_stale_ && bytes == 0 && failed) return open_connection();
  may_be_stale_ = false;
  auto result = parser_.receive({buffer_.data(), bytes});
  const bool closed = failed == asio::error::eof || failed == asio::ssl::error::stream_truncated;
  if (result == state::reading && closed) result = parser_.end();
  if (result == state::done) {
    keep_alive_ = !failed && parser_.keeps_alive();
    return finish(std::move(parser_.here()));
  }
  if (result == state::failed) return fail(parser_.error());
  if (failed) return fail(call_error::broken, failed.message());
  read();
}

void call::fail(call_error what, std::string detail) {
  finish(failure{what, std::move(detail), is_connected_});
}

void call::finish(outcome what) {
  timer_.cancel();
  if (!keep_alive_ && connection_) connection_->close();
  if (done_) std::exchange(done_, nullptr)(std::move(what));
}

}  // namespace gamehub::gateways::http_client
