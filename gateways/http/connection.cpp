#include "gateways/http/connection.hpp"

#include "gateways/http/dispatch.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/update_stream.hpp"
#include "gateways/net/outbox.hpp"

#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

namespace asio = boost::asio;
using std::chrono::steady_clock;

connection::connection(loop_service& at, net::stream_socket socket, const base::endpoint& remote)
    : service_(at), socket_(std::move(socket)), remote_(remote), requester_(remote) {
  service_.cells().connections_opened.add();
  service_.cells().connections_open.add();
}

connection::~connection() { drop(close_reason::failed); }

void connection::start(std::function<void()> on_closed) {
  on_closed_ = std::move(on_closed);
  if (service_.full()) return refuse(from(refusal::hub_full), close_reason::hub_full);
  read_unless_paused();
}

bool connection::is_banned() const {
  return service_.limiter().bans(requester_) || service_.limiter().bans(remote_);
}

void connection::read() {
  if (reading_ || state_ == state::closed) return;
  reading_ = true;
  socket_.async_read_some(
      asio::buffer(small_),
      [self = shared_from_this()](boost::system::error_code failed, std::size_t bytes) {
        self->reading_ = false;
        if (failed)
          self->drop(self->why_);
        else
          self->on_read(bytes);
      });
}

void connection::on_read(std::size_t bytes) {
  received_ = steady_clock::now();
  process_bytes({small_.data(), bytes});
  if (bytes == small_.size() && state_ != state::closed && !paused()) {
    // The buffer is full, so more bytes may be available. A short read means that no more bytes are
    // available.
    auto& buffer = service_.loop().buffer();
    boost::system::error_code failed;
    bytes = socket_.read_some(asio::buffer(buffer), failed);
    if (!failed)
      process_bytes({buffer.data(), bytes});
    else if (failed != asio::error::would_block)
      return drop(why_);
  }
  if (state_ != state::closed) read_unless_paused();
}

void connection::process_bytes(std::string_view bytes) {
  service_.cells().bytes_received.add(static_cast<std::int64_t>(bytes.size()));
  if (state_ == state::closing) {
    discarded_bytes_ += static_cast<std::uint32_t>(bytes.size());
    if (discarded_bytes_ > limits::http_linger_bytes_max) drop(why_);
    return;
  }
  reader_.receive(bytes);
  process_input();
  reader_.keep_rest();
}

void connection::process_input() {
  // A response during the loop below continues this loop and does not start another.
  if (std::exchange(processing_, true)) return;
  while (state_ == state::reading && !paused()) {
    const auto found = reader_.next();
    if (found == message_reader::read_result::nothing) break;
    if (found == message_reader::read_result::wrong) {
      const auto& mistake = reader_.mistake();
      const auto kind = mistake.code == http::error_code::body_too_large || mistake.status == 431
                            ? protocol_error::too_long
                            : protocol_error::malformed;
      service_.cells().protocol_errors[static_cast<std::size_t>(kind)].add();
      refuse(mistake, close_reason::protocol_error);
      break;
    }
    serve(reader_.here());
  }
  if (state_ == state::reading && reader_.take_expectation()) {
    outbox_ += "HTTP/1.1 100 Continue\r\n\r\n";
    mark_dirty();
  }
  processing_ = false;
}

void connection::serve(const parsed_request& m) {
  state_ = state::answering;
  form_ = {m.keep_alive && !service_.stopping(), m.is_1_1, m.what.method == "HEAD", {}, nullptr};
  auto request = m.what;
  request.remote = remote_;
  request.received = received_;
  dispatch(service_, shared_from_this(), request);
}

void connection::refuse(const error& why, close_reason reason) {
  state_ = state::answering;
  why_ = reason;
  form_ = {};
  answer(to_response(why));
}

void connection::answer(const response& r) {
  if (state_ != state::answering) return;
  form_.date = service_.date();
  form_.keep_alive = form_.keep_alive && !service_.stopping();
  append_response(r, form_, outbox_);
  const auto hundreds = static_cast<std::size_t>(std::clamp(r.status / 100, 1, 5) - 1);
  service_.cells().requests.answers[route_][hundreds].add();
  route_ = unrouted;
  detach();
  if (form_.keep_alive) {
    state_ = state::reading;
    mark_dirty();
  } else {
    finish();
  }
}

void connection::answer_delayed(response r, limits::seconds pause) {
  detach();
  delayed_ = std::make_unique<delayed_response>(delayed_response{std::move(r), shared_from_this()});
  set_deadline(steady_clock::now() + pause);
}

void connection::attach(std::shared_ptr<update_stream> stream) {
  stream_ = std::move(stream);
  // Starts reading, so that a disconnect is noticed.
  mark_dirty();
}

void connection::detach() {
  if (const auto stream = std::exchange(stream_, nullptr)) stream->stop();
}

void connection::set_poll_timeout(limits::seconds time) {
  set_deadline(steady_clock::now() + time);
}

void connection::begin_stream(std::string_view content_type) {
  state_ = state::streaming;
  form_.date = service_.date();
  // Without chunks (HTTP/1.0) the end of the connection ends the stream.
  form_.keep_alive = form_.keep_alive && form_.is_1_1;
  append_stream_head(content_type, form_, outbox_);
  constexpr std::size_t good = 1;  // 2xx
  service_.cells().requests.answers[route_][good].add();
  service_.cells().requests.streams.add();
  set_deadline(steady_clock::now() + limits::http_heartbeat);
  mark_dirty();
}

void connection::send_chunk(std::initializer_list<std::string_view> parts) {
  if (state_ != state::streaming) return;
  append_chunk(parts, form_, outbox_);
  deadline_ = steady_clock::now() + limits::http_heartbeat;
  if (outbox_.size() > limits::http_stream_bytes_max && !std::exchange(stream_paused_, true))
    stream_->pause(true);
  mark_dirty();
}

void connection::end_stream() {
  if (state_ != state::streaming) return;
  append_last_chunk(form_, outbox_);
  service_.cells().requests.streams.add(-1);
  detach();
  if (!form_.keep_alive || service_.stopping()) return finish();
  state_ = state::reading;
  mark_dirty();
}

void connection::switch_to_websocket(const response& accepted) {
  form_.date = service_.date();
  std::string first = std::exchange(outbox_, {});
  append_switch(accepted, form_, first);
  service_.cells().requests.answers[route_][0].add();
  // The response becomes the first output of the WebSocket connection.
  const auto self = shared_from_this();
  const std::string read{reader_.unread()};
  auto socket = std::move(socket_);
  auto on_closed = std::exchange(on_closed_, nullptr);
  drop(close_reason::client_left);
  service_.open_socket(std::move(socket), std::move(on_closed), std::move(first), read);
}

bool connection::paused() const {
  switch (state_) {
    case state::closing:
      return false;  // received bytes are discarded
    // Keeps reading during a long response, so that a disconnect is noticed.
    case state::answering:
    case state::streaming: return !stream_ || reader_.kept_bytes() > limits::http_header_bytes_max;
    case state::reading:
    case state::closed: break;
  }
  return blocked_ || service_.loop().reading_paused();
}

void connection::read_unless_paused() {
  if (state_ == state::reading) {
    const auto now = steady_clock::now();
    if (!reader_.midway())
      set_deadline(now + limits::http_keep_alive);
    else if (deadline_ > now + limits::http_request_time_max)
      set_deadline(now + limits::http_request_time_max);
  }
  if (!paused()) return read();
  if (service_.loop().reading_paused() && state_ == state::reading &&
      !std::exchange(read_paused_, true))
    service_.add_paused(shared_from_this());
}

void connection::resume_reading() {
  read_paused_ = false;
  mark_dirty();
}

void connection::mark_dirty() {
  if (std::exchange(dirty_, true)) return;
  service_.add_dirty(shared_from_this());
}

void connection::flush() {
  dirty_ = false;
  if (state_ == state::closed || blocked_) return;
  if (!send_some() || blocked_) return;
  if (state_ == state::closing) return send_close();
  // Reading was paused: first process the bytes that were already read.
  process_input();
  reader_.keep_rest();
  if (state_ != state::closed) read_unless_paused();
}

// Returns false if the connection was dropped.
bool connection::send_some() {
  const auto waiting = outbox_.size();
  const auto result = net::send_waiting(socket_, outbox_, service_.cells().bytes_sent);
  if (outbox_.size() < waiting) no_progress_ = false;
  switch (result) {
    case net::sent::all:
      if (!std::exchange(stream_paused_, false) || !stream_) return true;
      // The stream may queue more output now.
      stream_->pause(false);
      return send_some();
    case net::sent::failed: return drop(why_), false;
    case net::sent::part: break;
  }
  if (outbox_.size() > limits::outbox_bytes_max) return drop(close_reason::slow_reader), false;
  wait_writable();
  return true;
}

void connection::wait_writable() {
  blocked_ = true;
  socket_.async_wait(net::tcp::socket::wait_write,
                     [self = shared_from_this()](boost::system::error_code failed) {
                       self->blocked_ = false;
                       if (failed) return self->drop(self->why_);
                       self->mark_dirty();
                     });
}

void connection::stop() {
  if (const auto stream = stream_) return stream->on_shutdown();
  if (state_ != state::reading || reader_.midway()) return;
  why_ = close_reason::draining;
  finish();
}

void connection::finish() {
  state_ = state::closing;
  set_deadline(steady_clock::now() + limits::linger_max);
  mark_dirty();
}

// The outbox is sent. Only the sending side is shut down first: closing the socket while it has
// unread received bytes would reset the connection and could destroy the response.
void connection::send_close() {
  if (std::exchange(close_sent_, true)) return;
  boost::system::error_code ignored;
  socket_.shutdown(net::tcp::socket::shutdown_send, ignored);
  read();
}

void connection::drop(close_reason why) {
  const auto was = std::exchange(state_, state::closed);
  if (was == state::closed) return;
  if (was == state::streaming) service_.cells().requests.streams.add(-1);
  const auto unsent = std::exchange(delayed_, nullptr);
  detach();
  service_.cells().connections_open.add(-1);
  service_.cells().connections_closed[static_cast<std::size_t>(why)].add();
  service_.loop().timers().cancel(timer_);
  service_.remove(this);
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (on_closed_) std::exchange(on_closed_, nullptr)();
}

// The timer keeps its earliest deadline. Usually that deadline has moved when the timer fires;
// checking it then costs less than arming the timer for each request.
void connection::set_deadline(base::instant when) {
  deadline_ = when;
  if (when >= armed_for_) return;
  auto& timers = service_.loop().timers();
  timers.cancel(timer_);
  armed_for_ = when;
  timer_ = timers.arm(when, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->on_timeout();
  });
}

void connection::on_timeout() {
  armed_for_ = base::instant::max();
  if (steady_clock::now() < deadline_) return set_deadline(deadline_);
  deadline_ = base::instant::max();
  switch (state_) {
    case state::closing: return drop(why_);
    case state::answering:
      if (const auto now = std::exchange(delayed_, nullptr)) return answer(now->what);
      if (stream_) stream_->on_timeout();
      return;
    case state::streaming:
      if (blocked_ && std::exchange(no_progress_, true)) return drop(close_reason::slow_reader);
      set_deadline(steady_clock::now() + limits::http_heartbeat);
      return stream_->on_timeout();
    case state::reading: {
      if (!reader_.midway()) {
        why_ = close_reason::idle;
        return finish();
      }
      auto e = bad_request("the request did not come to its end in time");
      e.status = 408;
      return refuse(e, close_reason::handshake_timeout);
    }
    case state::closed: return;
  }
}

}  // namespace gamehub::gateways::http
