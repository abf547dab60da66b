#include "gateways/net/stream_connection.hpp"

#include <chrono>
#include <utility>

namespace gamehub::gateways::net {

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
}

void stream_connection::start(std::string_view unread) {
  polled_ = loop().poller().add(socket_.descriptor(), {owner_.shared_from_this(), this});
  if (!outbox_.empty()) mark_dirty();
  received_ = steady_clock::now();
  if (!unread.empty()) process_bytes(unread);
  if (state_ != state::closed) continue_reading();
}

std::optional<base::address_bytes> stream_connection::peer_address() const {
  const auto from = socket_.peer();
  if (!from) return std::nullopt;
  return from->address;
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
  const auto from = account() ? std::optional{account()->address()} : peer_address();
  if (from) report(context_.number, what, *from);
}

void stream_connection::on_ready(socket_poller::readiness now) {
  readable_ |= now.input;
  peer_closed_ |= now.ended;
  if (now.output && std::exchange(blocked_, false)) mark_dirty();
  if (reading_ && readable_) receive();
}

void stream_connection::read() {
  if (reading_ || input_ended_ || state_ == state::closed) return;
  reading_ = true;
  if (readable_) loop().poller().call_later(polled_);
}

void stream_connection::receive() {
  reading_ = false;
  received_ = steady_clock::now();
  auto& buffer = loop().buffer();
  const auto [what, bytes] = socket_.receive(buffer);
  if (what == stream_socket::status::failed) return on_end_of_input();
  // A short read leaves nothing, and the poller tells what comes later. It has told an end.
  const bool done = what == stream_socket::status::done;
  readable_ = done && (bytes == buffer.size() || peer_closed_);
  if (done) process_bytes({buffer.data(), bytes});
  if (state_ != state::closed) continue_reading();
}

void stream_connection::on_end_of_input() {
  if (state_ == state::closed) return;
  if (loop().has_request_time()) return drop_counted();
  input_ended_ = true;
  if (!std::exchange(read_paused_, true)) loop().add_paused(shared());
}

void stream_connection::drop_counted() {
  drop(why_);
  loop().note_request();
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
  if (input_ended_) return drop_counted();
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
  blocked_ = true;
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
  socket_.shut_down_output();
  read();
}

void stream_connection::drop(close_reason why) {
  if (std::exchange(state_, state::closed) == state::closed) return;
  // on_close() may release what else keeps it alive.
  const auto self = owner_.weak_from_this().lock();
  cells().connections_open.add(-1);
  cells().connections_closed[static_cast<std::size_t>(why)].add();
  loop().timers().cancel(timer_);
  socket_.close();
  if (polled_ != socket_poller::none) loop().poller().remove(polled_);
  owner_.on_close();
  unsent_.set(0);
  admission_.reset();
}

accepted_stream stream_connection::release() {
  // The next protocol has all bytes from here on.
  const auto self = shared();
  if (polled_ != socket_poller::none)
    loop().poller().release(std::exchange(polled_, socket_poller::none), socket_.descriptor());
  accepted_stream out{std::move(socket_), {}, std::move(admission_), std::move(outbox_)};
  drop(close_reason::upgraded);
  return out;
}

}  // namespace gamehub::gateways::net
