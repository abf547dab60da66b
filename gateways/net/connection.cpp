#include "gateways/net/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <utility>

#include "gateways/net/address.hpp"
#include "gateways/net/outbox.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using boost::system::error_code;

connection::connection(listener_context& wire, stream_socket socket, std::unique_ptr<codec> codec,
                       std::function<void()> gone)
    : wire_(wire),
      socket_(std::move(socket)),
      codec_(std::move(codec)),
      gone_(std::move(gone)),
      id_(wire.loop->next_attachment()) {
  cells().connections_opened.add();
  cells().connections_open.add();
  wire_.loop->joined(*this);
}

connection::~connection() { drop(close_reason::failed); }

void connection::start(std::string first, std::string_view read) {
  auto why = close_reason::hub_full;
  outbox_ = std::move(first);
  if (!outbox_.empty()) touch();
  if (is_banned()) return close(close_reason::banned);
  door_ = wire_.desk->admit(shared_from_this(), why);
  if (!door_) return close(why);
  received_ = std::chrono::steady_clock::now();
  if (!read.empty()) take(read);
  if (state_ != state::closed) read_unless_paused();
}

bool connection::is_banned() const {
  const auto& rules = wire_.loop->rules();
  if (!rules.bans_addresses()) return false;
  error_code failed;
  const auto from = socket_.remote_endpoint(failed);
  return !failed && rules.bans(bytes_of(from.address()));
}

void connection::read() {
  if (reading_ || state_ == state::closed) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(small_),
                          [self = shared_from_this()](error_code failed, std::size_t bytes) {
                            self->reading_ = false;
                            if (failed)
                              self->drop(self->why_);
                            else
                              self->received(bytes);
                          });
}

void connection::received(std::size_t bytes) {
  received_ = std::chrono::steady_clock::now();
  take({small_.data(), bytes});
  if (bytes == small_.size() && state_ != state::closed && !paused()) {
    // There may be more. A short read says that there is not.
    auto& buffer = wire_.loop->buffer();
    error_code failed;
    bytes = socket_.read_some(asio::buffer(buffer), failed);
    if (!failed)
      take({buffer.data(), bytes});
    else if (failed != asio::error::would_block)
      return drop(why_);
  }
  if (state_ != state::closed) read_unless_paused();
}

void connection::read_unless_paused() {
  if (!paused()) return read();
  if (wire_.loop->reading_paused() && !std::exchange(held_, true)) wire_.loop->held(shared_from_this());
}

void connection::go_on() {
  held_ = false;
  touch();
}

void connection::take(std::string_view bytes) {
  cells().bytes_received.add(static_cast<std::int64_t>(bytes.size()));
  if (state_ != state::open) {
    discarded_bytes_ += static_cast<std::uint32_t>(bytes.size());
    if (discarded_bytes_ > limits::linger_bytes_max) drop(why_);
    return;
  }
  codec_->receive(bytes);
  process_input();
  codec_->keep_rest();
}

void connection::pay() {
  const auto before = outbox_.size();
  codec_->owe(outbox_);
  if (outbox_.size() != before) touch();
}

void connection::process_input() {
  submit_intents();
  pay();
}

void connection::submit_intents() {
  while (state_ == state::open && !paused()) {
    auto said = codec_->next();
    if (!said) return;
    if (auto* what = std::get_if<intent>(&*said)) {
      submit(*what);
    } else if (const auto* wrong = std::get_if<protocol_error>(&*said)) {
      cells().protocol_errors[static_cast<std::size_t>(*wrong)].add();
      return close(close_reason::protocol_error);
    } else {
      return close(close_reason::client_left);
    }
  }
}

void connection::submit(intent& what) {
  signing_in_ = std::holds_alternative<sign_in>(what);
  ++in_flight_;
  door_->submit({{id_, wire_.loop->next_trace(), received_, ++next_ticket_}, std::move(what)});
}

bool connection::paused() const {
  if (state_ == state::closing) return false;  // what still comes is thrown away
  return in_flight_ >= limits::intents_in_flight_max || signing_in_ || blocked_ ||
         wire_.loop->reading_paused();
}

void connection::deliver(const event& e) {
  if (e.answers.ticket != 0 && e.answers.from == id_) {
    if (in_flight_ > 0) --in_flight_;
    signing_in_ = false;
    if (e.game) wire_.loop->answered(wire_.number, e);
  }
  if (state_ != state::open) return;
  codec_->send(e, outbox_);
  if (blocked_ && outbox_.size() > limits::outbox_bytes_max) return drop(close_reason::slow_reader);
  touch();
}

void connection::set_session(std::unique_ptr<session_handle> to) {
  // Closed meanwhile: the new door hears of it at once, as it is dropped here.
  if (state_ == state::open) door_ = std::move(to);
}

void connection::touch() {
  if (std::exchange(dirty_, true)) return;
  wire_.loop->add_dirty(shared_from_this());
}

void connection::flush() {
  dirty_ = false;
  if (state_ == state::closed || blocked_) return;
  if (!send_some() || blocked_) return;
  if (state_ == state::closing) return send_close();
  if (reading_) return;
  if (paused()) return read_unless_paused();
  // It was held up: first what was read already.
  process_input();
  codec_->keep_rest();
  if (state_ == state::open) read_unless_paused();
}

// False if the connection was dropped.
bool connection::send_some() {
  switch (send_waiting(socket_, outbox_, cells().bytes_sent)) {
    case sent::all: return true;
    case sent::failed: return drop(why_), false;
    case sent::part: break;
  }
  if (outbox_.size() > limits::outbox_bytes_max) return drop(close_reason::slow_reader), false;
  wait_writable();
  return true;
}

void connection::wait_writable() {
  blocked_ = true;
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](error_code failed) {
    self->blocked_ = false;
    if (failed) return self->drop(self->why_);
    self->touch();
  });
}

void connection::close(close_reason why) {
  if (state_ != state::open) return;
  state_ = state::closing;
  why_ = why;
  codec_->farewell(why, outbox_);
  // It reads and plays no more; only the last words are still under way.
  door_.reset();
  deadline_ = wire_.loop->timers().arm(std::chrono::steady_clock::now() + limits::linger_max,
                                       [weak = weak_from_this()] {
                                         if (const auto self = weak.lock()) self->drop(self->why_);
                                       });
  touch();
}

// All was sent. The client gets to read it before the socket goes: closing at once while something
// unread lies in our own buffer would reset the connection and destroy the last words.
void connection::send_close() {
  if (std::exchange(close_sent_, true)) return;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  read();
}

void connection::drop(close_reason why) {
  if (std::exchange(state_, state::closed) == state::closed) return;
  wire_.loop->left(*this);
  cells().connections_open.add(-1);
  cells().connections_closed[static_cast<std::size_t>(why)].add();
  wire_.loop->timers().cancel(deadline_);
  error_code ignored;
  socket_.close(ignored);
  door_.reset();
  std::exchange(gone_, nullptr)();
}

}  // namespace gamehub::gateways::net
