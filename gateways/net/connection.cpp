#include "gateways/net/connection.hpp"

#include "gateways/net/address.hpp"
#include "gateways/net/outbox.hpp"
#include "hub/core/limits.hpp"

#include <boost/asio/buffer.hpp>

#include <utility>

namespace gamehub::gateways::net {

namespace asio = boost::asio;
using boost::system::error_code;

connection::connection(listener_context& context, stream_socket socket,
                       std::unique_ptr<codec> codec, std::function<void()> on_closed)
    : context_(context),
      socket_(std::move(socket)),
      codec_(std::move(codec)),
      on_closed_(std::move(on_closed)),
      id_(context.loop->next_attachment()) {
  cells().connections_opened.add();
  cells().connections_open.add();
  context_.loop->add_connection(*this);
}

connection::~connection() { drop(close_reason::failed); }

void connection::start(std::string first, std::string_view read) {
  auto why = close_reason::hub_full;
  outbox_ = std::move(first);
  if (!outbox_.empty()) mark_dirty();
  if (is_banned()) return close(close_reason::banned);
  session_ = context_.sessions->accept(shared_from_this(), why);
  if (!session_) return close(why);
  received_ = std::chrono::steady_clock::now();
  if (!read.empty()) process_bytes(read);
  if (state_ != state::closed) read_unless_paused();
}

bool connection::is_banned() const {
  const auto& rules = context_.loop->bans();
  if (!rules.bans_addresses()) return false;
  error_code failed;
  const auto from = socket_.remote_endpoint(failed);
  return !failed && rules.bans(endpoint_of(from.address()).address);
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
                              self->on_read(bytes);
                          });
}

void connection::on_read(std::size_t bytes) {
  received_ = std::chrono::steady_clock::now();
  process_bytes({small_.data(), bytes});
  if (bytes == small_.size() && state_ != state::closed && !paused()) {
    // The buffer is full, so more bytes may be available. A short read means that no more bytes are
    // available.
    auto& buffer = context_.loop->buffer();
    error_code failed;
    bytes = socket_.read_some(asio::buffer(buffer), failed);
    if (!failed)
      process_bytes({buffer.data(), bytes});
    else if (failed != asio::error::would_block)
      return drop(why_);
  }
  if (state_ != state::closed) read_unless_paused();
}

void connection::read_unless_paused() {
  if (!paused()) return read();
  if (context_.loop->reading_paused() && !std::exchange(read_paused_, true))
    context_.loop->add_paused(shared_from_this());
}

void connection::resume_reading() {
  read_paused_ = false;
  mark_dirty();
}

void connection::process_bytes(std::string_view bytes) {
  cells().bytes_received.add(static_cast<std::int64_t>(bytes.size()));
  if (state_ != state::open) {
    discarded_bytes_ += static_cast<std::uint32_t>(bytes.size());
    if (discarded_bytes_ > limits::linger_bytes_max) drop(why_);
    return;
  }
  codec_->receive(bytes);
  process_input();
  codec_->compact();
}

void connection::flush_control_output() {
  const auto before = outbox_.size();
  codec_->append_control_output(outbox_);
  if (outbox_.size() != before) mark_dirty();
}

void connection::process_input() {
  submit_intents();
  flush_control_output();
}

void connection::submit_intents() {
  while (state_ == state::open && !paused()) {
    auto input = codec_->next();
    if (!input) return;
    if (auto* what = std::get_if<intent>(&*input)) {
      submit(*what);
    } else if (const auto* wrong = std::get_if<protocol_error>(&*input)) {
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
  session_->submit(
      {{id_, context_.loop->next_trace(), received_, ++next_ticket_}, std::move(what)});
}

bool connection::paused() const {
  if (state_ == state::closing) return false;  // received bytes are discarded
  return in_flight_ >= limits::intents_in_flight_max || signing_in_ || blocked_ ||
         context_.loop->reading_paused();
}

void connection::deliver(const event& e) {
  if (e.answers.ticket != 0 && e.answers.from == id_) {
    if (in_flight_ > 0) --in_flight_;
    signing_in_ = false;
    if (e.game) context_.loop->record_answer(context_.number, e);
  }
  if (state_ != state::open) return;
  codec_->send(e, outbox_);
  if (blocked_ && outbox_.size() > limits::outbox_bytes_max) return drop(close_reason::slow_reader);
  mark_dirty();
}

void connection::set_session(std::unique_ptr<session_handle> to) {
  // If the connection is closed, the handle is destroyed here, which detaches from the new session.
  if (state_ == state::open) session_ = std::move(to);
}

void connection::mark_dirty() {
  if (std::exchange(dirty_, true)) return;
  context_.loop->add_dirty(shared_from_this());
}

void connection::flush() {
  dirty_ = false;
  if (state_ == state::closed || blocked_) return;
  if (!send_some() || blocked_) return;
  if (state_ == state::closing) return send_close();
  if (reading_) return;
  if (paused()) return read_unless_paused();
  // Reading was paused: first process the bytes that were already read.
  process_input();
  codec_->compact();
  if (state_ == state::open) read_unless_paused();
}

// Returns false if the connection was dropped.
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
    self->mark_dirty();
  });
}

void connection::close(close_reason why) {
  if (state_ != state::open) return;
  state_ = state::closing;
  why_ = why;
  codec_->farewell(why, outbox_);
  // No more intents are submitted; only the outbox is still sent.
  session_.reset();
  deadline_ = context_.loop->timers().arm(std::chrono::steady_clock::now() + limits::linger_max,
                                          [weak = weak_from_this()] {
                                            if (const auto self = weak.lock())
                                              self->drop(self->why_);
                                          });
  mark_dirty();
}

// The outbox is sent. Only the sending side is shut down first: closing the socket while it has
// unread received bytes would reset the connection and could destroy the close message.
void connection::send_close() {
  if (std::exchange(close_sent_, true)) return;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  read();
}

void connection::drop(close_reason why) {
  if (std::exchange(state_, state::closed) == state::closed) return;
  context_.loop->remove_connection(*this);
  cells().connections_open.add(-1);
  cells().connections_closed[static_cast<std::size_t>(why)].add();
  context_.loop->timers().cancel(deadline_);
  error_code ignored;
  socket_.close(ignored);
  session_.reset();
  std::exchange(on_closed_, nullptr)();
}

}  // namespace gamehub::gateways::net
