#include "gateways/net/stream_connection.hpp"

#include "gateways/net/address.hpp"

#include <boost/asio/buffer.hpp>

#include <chrono>
#include <poll.h>
#include <utility>

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::steady_clock;

stream_connection::stream_connection(stream_protocol& owner, const loop_context& context,
                                     accepted_stream from)
    : owner_(owner),
      context_(context),
      socket_(std::move(from.socket)),
      admission_(std::move(from.counted)),
      outbox_(std::move(from.outbox)),
      unsent_(admission_.get_deleter().counted.account(), address_limit::unsent) {
  cells().connections_opened.add();
  cells().connections_open.add();
  loop().add_connection(*this);
}

void stream_connection::start(std::string_view unread) {
  if (!outbox_.empty()) mark_dirty();
  received_ = steady_clock::now();
  if (!unread.empty()) process_bytes(unread);
  if (state_ != state::closed) continue_reading();
}

std::optional<base::address_bytes> stream_connection::peer_address() const {
  error_code failed;
  const auto from = socket_.remote_endpoint(failed);
  if (failed) return std::nullopt;
  return endpoint_of(from.address()).address;
}

bool stream_connection::is_peer_banned() const {
  const auto& rules = loop().bans();
  if (!rules.bans_addresses()) return false;
  const auto from = peer_address();
  return from && rules.bans(*from);
}

void stream_connection::record(protocol_error what) const {
  cells().protocol_errors[static_cast<std::size_t>(what)].add();
  const auto& report = loop().on_protocol_error();
  if (!report) return;
  // The account has the address of a client behind a proxy.
  const auto& account = admission_.get_deleter().counted.account();
  const auto from = account ? std::optional{account->address()} : peer_address();
  if (from) report(context_.number, what, *from);
}

bool stream_connection::has_peer_closed() {
  pollfd at{socket_.native_handle(), POLLRDHUP, 0};
  return ::poll(&at, 1, 0) > 0 && (at.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void stream_connection::read() {
  if (reading_ || input_ended_ || state_ == state::closed) return;
  reading_ = true;
  const auto to = owner_.read_buffer();
  socket_.async_read_some(asio::buffer(to.data(), to.size()),
                          [self = shared()](error_code failed, std::size_t bytes) {
                            self->reading_ = false;
                            if (failed)
                              self->on_end_of_input();
                            else
                              self->on_read(bytes);
                          });
}

void stream_connection::on_read(std::size_t bytes) {
  received_ = steady_clock::now();
  const auto read = owner_.read_buffer();
  process_bytes({read.data(), bytes});
  if (bytes == read.size() && state_ != state::closed && !paused()) {
    // The buffer is full, so more bytes may be available. A short read means that no more bytes are
    // available.
    auto& buffer = loop().buffer();
    error_code failed;
    bytes = socket_.read_some(asio::buffer(buffer), failed);
    if (!failed)
      process_bytes({buffer.data(), bytes});
    else if (failed != asio::error::would_block)
      return drop(why_);
  }
  if (state_ != state::closed) continue_reading();
}

void stream_connection::on_end_of_input() {
  if (state_ == state::closed) return;
  if (loop().has_request_time()) return drop(why_);
  input_ended_ = true;
  if (!std::exchange(read_paused_, true)) loop().add_paused(shared());
}

void stream_connection::process_bytes(std::string_view bytes) {
  cells().bytes_received.add(static_cast<std::int64_t>(bytes.size()));
  if (state_ == state::open) return owner_.on_data(bytes);
  if (bytes.size() > discardable_) return drop(why_);
  discardable_ -= static_cast<std::uint32_t>(bytes.size());
}

void stream_connection::continue_reading() {
  if (!paused()) return read();
  if ((loop().reading_paused() || !loop().has_request_time()) && !std::exchange(read_paused_, true))
    loop().add_paused(shared());
}

void stream_connection::resume_reading() {
  read_paused_ = false;
  if (input_ended_) return drop(why_);
  if (!dirty_) flush();
}

void stream_connection::mark_dirty() {
  if (!std::exchange(dirty_, true)) loop().add_dirty(shared());
}

void stream_connection::flush() {
  dirty_ = false;
  if (state_ == state::closed || blocked_) return;
  if (!send_some() || blocked_) return;
  if (state_ == state::closing) return send_close();
  owner_.on_sent();
}

// Returns false if the connection was dropped.
bool stream_connection::send_some() {
  const auto waiting = outbox_.size();
  const auto result = send_waiting(socket_, outbox_, cells().bytes_sent);
  if (outbox_.size() < waiting) no_progress_ = false;
  switch (result) {
    case sent::all: unsent_.set(0); return true;
    case sent::failed: return drop(why_), false;
    case sent::part: break;
  }
  // The socket is blocked: until it is closing, nothing more is added to the outbox without a
  // check.
  wait_writable();
  const bool fits = hold_unsent() && outbox_.size() <= limits::outbox_bytes_max;
  if (!fits && state_ == state::open && !owner_.on_slow_reader())
    return drop(close_reason::slow_reader), false;
  return true;
}

bool stream_connection::hold_unsent() {
  const auto kib = static_cast<std::uint32_t>(outbox_.size() / 1024), held = unsent_.count();
  if (kib > held) return unsent_.take(kib - held) == kib - held;
  unsent_.set(kib);
  return true;
}

void stream_connection::wait_writable() {
  blocked_ = true;
  socket_.async_wait(tcp::socket::wait_write, [self = shared()](error_code failed) {
    self->blocked_ = false;
    if (failed) return self->drop(self->why_);
    self->mark_dirty();
  });
}

void stream_connection::set_timer(base::instant when) {
  auto& timers = loop().timers();
  timers.cancel(timer_);
  timer_ = timers.arm(when, [weak = std::weak_ptr{shared()}] {
    if (const auto self = weak.lock()) self->on_timer();
  });
}

void stream_connection::on_timer() {
  if (state_ == state::closing) return drop(why_);
  owner_.on_timeout();
}

void stream_connection::close(close_reason why, std::size_t discarded_max) {
  if (state_ != state::open) return;
  state_ = state::closing;
  why_ = why;
  discardable_ = static_cast<std::uint32_t>(discarded_max);
  set_timer(steady_clock::now() + limits::linger_max);
  mark_dirty();
}

// The outbox is sent. Only the sending side is shut down first: closing the socket while it has
// unread received bytes would reset the connection and could destroy the last output.
void stream_connection::send_close() {
  if (std::exchange(close_sent_, true)) return;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  read();
}

void stream_connection::drop(close_reason why) {
  if (std::exchange(state_, state::closed) == state::closed) return;
  // on_close() may release what else keeps it alive.
  const auto self = owner_.weak_from_this().lock();
  loop().remove_connection(*this);
  cells().connections_open.add(-1);
  cells().connections_closed[static_cast<std::size_t>(why)].add();
  loop().timers().cancel(timer_);
  error_code ignored;
  socket_.close(ignored);
  owner_.on_close();
  unsent_.set(0);
  admission_.reset();
}

accepted_stream stream_connection::release() {
  error_code ignored;
  // A pending read would take the first bytes of the next protocol.
  if (reading_) socket_.cancel(ignored);
  accepted_stream out{std::move(socket_), {}, std::move(admission_), std::move(outbox_)};
  drop(close_reason::upgraded);
  return out;
}

}  // namespace gamehub::gateways::net
