#include "hub/link/net/connection.hpp"

#include <boost/asio/ssl/error.hpp>

#include <utility>

namespace gamehub::link::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

void set_options(tcp::socket& s, int buffer_bytes) {
  error_code ignored;
  s.set_option(tcp::no_delay(true), ignored);
  if (buffer_bytes == 0) return;
  s.set_option(asio::socket_base::send_buffer_size(buffer_bytes), ignored);
  s.set_option(asio::socket_base::receive_buffer_size(buffer_bytes), ignored);
}

}  // namespace

void connection::connect(const tcp::endpoint& to, int buffer_bytes) {
  channel_.socket().async_connect(to, [self = shared_from_this(), buffer_bytes](error_code failed) {
    if (self->closed_) return;
    failed ? self->fail(failed) : self->open(false, buffer_bytes);
  });
}

void connection::open(bool as_server, int buffer_bytes) {
  set_options(channel_.socket(), buffer_bytes);
  channel_.handshake(as_server, [self = shared_from_this()](error_code failed) {
    if (self->closed_) return;
    if (failed) return self->fail(failed);
    self->opened_ = true;
    self->owner_.on_open(*self);
  });
}

void connection::read() {
  if (closed_) return;
  channel_.read(asio::buffer(input_),
                [self = shared_from_this()](error_code failed, std::size_t bytes) {
                  if (self->closed_) return;
                  if (failed) return self->fail(failed);
                  self->frames.receive({self->input_.data(), bytes});
                  self->owner_.on_bytes(*self, bytes);
                  self->read();
                });
}

void connection::write() {
  if (writing_ || closed_ || output.empty()) return;
  writing_ = true;
  writing_bytes_.clear();
  writing_bytes_.swap(output);
  written_ = 0;
  write_rest();
}

void connection::write_rest() {
  channel_.write(asio::buffer(std::string_view{writing_bytes_}.substr(written_)),
                 [self = shared_from_this()](error_code failed, std::size_t bytes) {
                   if (self->closed_) return;
                   if (failed) return self->fail(failed);
                   self->written_ += bytes;
                   const auto done = self->written_ == self->writing_bytes_.size();
                   if (done) self->writing_ = false;
                   self->owner_.on_written(*self, bytes, done);
                   if (!done && !self->closed_) self->write_rest();
                 });
}

void connection::close() {
  closed_ = true;
  channel_.close();
}

// With TLS 1.3 the side that has connected learns from its first read that its certificate was
// refused.
void connection::fail(const error_code& failed) {
  const auto tls = failed.category() == asio::error::get_ssl_category() &&
                   (!opened_ || (calls && !calls->is_up()));
  owner_.on_failure(*this, failed == asio::error::eof ? "closed" : failed.message(), tls);
}

}  // namespace gamehub::link::net
