#include "gateways/bots/http_call.hpp"

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
#include <variant>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;

namespace {

std::string text_of(const http_call::tcp::endpoint& at) {
  const auto address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

}  // namespace

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

http_call::http_call(context by, std::shared_ptr<const bot_endpoint> to, std::string request,
                     std::function<void(call_outcome)> done)
    : io_(*by.io),
      tls_(std::move(by.tls)),
      to_(std::move(to)),
      request_(std::move(request)),
      done_(std::move(done)),
      timer_(*by.io) {}

void http_call::start(base::instant deadline, std::unique_ptr<bot_connection> kept) {
  began_ = std::chrono::steady_clock::now();
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->on_timeout();
  });
  if (!kept || !kept->is_reusable()) return open_connection();
  connection_ = std::move(kept);
  is_connected_ = may_be_stale_ = true;
  write();
}

void http_call::open_connection() {
  connection_ = std::make_unique<bot_connection>(io_);
  may_be_stale_ = false;
  connect(0, {});
}

void http_call::cancel() {
  done_ = nullptr;
  finish(unanswered{});
}

void http_call::connect(std::size_t which, error_code last) {
  if (which == to_->addresses.size()) {
    const auto& tried = to_->addresses.front();
    return fail("You could not be reached at " + text_of(tried) + ": " + last.message() + ".");
  }
  connection_->close();
  connection_->socket().async_connect(to_->addresses[which],
                                      [self = shared_from_this(), which](error_code failed) {
                                        if (!self->done_) return;
                                        if (failed) return self->connect(which + 1, failed);
                                        self->connected();
                                      });
}

void http_call::connected() {
  is_connected_ = true;
  error_code ignored;
  connection_->socket().set_option(tcp::no_delay{true}, ignored);
  to_->url.tls ? start_tls() : write();
}

void http_call::start_tls() {
  auto& secure = connection_->begin_tls(*tls_);
  const auto& url = to_->url;
  error_code failed;
  secure.set_verify_callback(asio::ssl::host_name_verification{url.host}, failed);
  // SNI takes host names only (RFC 6066, section 3).
  if (!url.address) SSL_set_tlsext_host_name(secure.native_handle(), url.host.c_str());
  secure.async_handshake(
      asio::ssl::stream_base::client, [self = shared_from_this(), &secure](error_code wrong) {
        if (!self->done_) return;
        if (!wrong) return self->write();
        const auto* tls = secure.native_handle();
        const auto verdict = SSL_get_verify_result(tls);
        // A wrong host name is checked last and leaves the verdict at X509_V_OK.
        if (verdict == X509_V_OK && wrong.category() == asio::error::get_ssl_category() &&
            wrong.message().find("certificate verify failed") != std::string::npos)
          return self->fail("Your TLS certificate is not for \"" + self->to_->url.host + "\".");
        if (verdict != X509_V_OK)
          return self->fail("Your TLS certificate is not trusted: " +
                            std::string{X509_verify_cert_error_string(verdict)} + ".");
        self->fail("You could not be spoken to by TLS: " + wrong.message() + ".");
      });
}

void http_call::write() {
  connection_->with_stream([this](auto& stream) {
    asio::async_write(stream, asio::buffer(request_),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (!self->done_) return;
                        // The bot may have answered and closed before it read the whole request.
                        static_cast<void>(failed);
                        self->read();
                      });
  });
}

void http_call::read() {
  connection_->with_stream([this](auto& stream) {
    stream.async_read_some(asio::buffer(buffer_),
                           [self = shared_from_this()](error_code failed, std::size_t bytes) {
                             if (self->done_) self->received(failed, bytes);
                           });
  });
}

void http_call::received(error_code failed, std::size_t bytes) {
  using state = response_reader::state;
  // The bot had closed the kept connection, so it has not received the call.
  if (may_be_stale_ && bytes == 0 && failed) return open_connection();
  may_be_stale_ = false;
  auto result = reader_.receive({buffer_.data(), bytes});
  const bool closed = failed == asio::error::eof || failed == asio::ssl::error::stream_truncated;
  if (result == state::reading && closed) result = reader_.end();
  if (result == state::done) {
    keep_alive_ = !failed && reader_.keeps_alive();
    return finish(reader_.take());
  }
  if (result == state::wrong) return fail(reader_.mistake());
  if (failed) return fail("The connection to you broke: " + failed.message() + ".");
  read();
}

void http_call::fail(std::string why) { finish(unanswered{false, std::move(why), is_connected_}); }

void http_call::on_timeout() {
  const auto time =
      std::chrono::round<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
  const auto seconds = std::to_string(time.count()) + (time.count() == 1 ? " second" : " seconds");
  finish(unanswered{true, (is_connected_ ? "You did not answer within "
                                         : "You could not be connected to within ") +
                              seconds + "."});
}

void http_call::finish(call_outcome what) {
  timer_.cancel();
  if (!keep_alive_ && connection_) connection_->close();
  if (done_) std::exchange(done_, nullptr)(std::move(what));
}

}  // namespace gamehub::gateways::bots
