#include "gateways/http/server/connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <chrono>
#include <utility>

#include "gateways/http/http_limits.hpp"
#include "gateways/http/server/dispatch.hpp"
#include "gateways/http/server/service.hpp"
#include "gateways/http/server/update_reader.hpp"
#include "gateways/net/outbox.hpp"

namespace gamehub::gateways::http::server {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::steady_clock;

connection::connection(loop_service& at, net::stream_socket socket, const endpoint& remote)
    : service_(at), socket_(std::move(socket)), remote_(remote), requester_(remote) {
  service_.cells().connections_opened.add();
  service_.cells().connections_open.add();
}

connection::~connection() { drop(close_reason::failed); }

void connection::start(std::function<void()> gone) {
  gone_ = std::move(gone);
  if (service_.full()) return refuse(from(refusal::hub_full), close_reason::hub_full);
  read_unless_paused();
}

bool connection::is_banned() const {
  return service_.gates().bans(requester_) || service_.gates().bans(remote_);
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
  received_ = steady_clock::now();
  take({small_.data(), bytes});
  if (bytes == small_.size() && state_ != state::closed && !paused()) {
    // There may be more. A short read says that there is not.
    auto& buffer = service_.loop().buffer();
    error_code failed;
    bytes = socket_.read_some(asio::buffer(buffer), failed);
    if (!failed)
      take({buffer.data(), bytes});
    else if (failed != asio::error::would_block)
      return drop(why_);
  }
  if (state_ != state::closed) read_unless_paused();
}

void connection::take(std::string_view bytes) {
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
  // An answer at once lets the loop below go on; it need not begin another.
  if (std::exchange(processing_, true)) return;
  while (state_ == state::reading && !paused()) {
    const auto found = reader_.next();
    if (found == message_reader::found::nothing) break;
    if (found == message_reader::found::wrong) {
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
    touch();
  }
  processing_ = false;
}

void connection::serve(const message& m) {
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
    touch();
  } else {
    finish();
  }
}

void connection::answer_delayed(response r, limits::seconds pause) {
  detach();
  late_ = std::make_unique<delayed_response>(delayed_response{std::move(r), shared_from_this()});
  set_deadline(steady_clock::now() + pause);
}

void connection::attach(std::shared_ptr<update_stream> reader) {
  stream_ = std::move(reader);
  // So that it is seen when the client goes.
  touch();
}

void connection::detach() {
  if (const auto reader = std::exchange(stream_, nullptr)) reader->stop();
}

void connection::set_poll_timeout(limits::seconds time) { set_deadline(steady_clock::now() + time); }

void connection::begin_stream(std::string_view content_type) {
  state_ = state::streaming;
  form_.date = service_.date();
  // The end of the connection is the end of the stream to those who know no chunks.
  form_.keep_alive = form_.keep_alive && form_.is_1_1;
  append_stream_head(content_type, form_, outbox_);
  constexpr std::size_t good = 1;  // 2xx
  service_.cells().requests.answers[route_][good].add();
  service_.cells().requests.streams.add();
  set_deadline(steady_clock::now() + limits::http_heartbeat);
  touch();
}

void connection::send_chunk(std::initializer_list<std::string_view> parts) {
  if (state_ != state::streaming) return;
  append_chunk(parts, form_, outbox_);
  deadline_ = steady_clock::now() + limits::http_heartbeat;
  if (outbox_.size() > limits::http_stream_bytes_max && !std::exchange(stream_paused_, true))
    stream_->hold(true);
  touch();
}

void connection::end_stream() {
  if (state_ != state::streaming) return;
  append_last_chunk(form_, outbox_);
  service_.cells().requests.streams.add(-1);
  detach();
  if (!form_.keep_alive || service_.stopping()) return finish();
  state_ = state::reading;
  touch();
}

void connection::switch_to_websocket(const response& accepted) {
  form_.date = service_.date();
  std::string first = std::exchange(outbox_, {});
  append_switch(accepted, form_, first);
  service_.cells().requests.answers[route_][0].add();
  // Its last words here are the other one's first; what was sent before has no effect on it.
  const auto self = shared_from_this();
  const std::string read{reader_.unread()};
  auto socket = std::move(socket_);
  auto gone = std::exchange(gone_, nullptr);
  drop(close_reason::client_left);
  service_.open_socket(std::move(socket), std::move(gone), std::move(first), read);
}

bool connection::paused() const {
  switch (state_) {
    case state::closing:
      return false;  // what still comes is thrown away
    // A client that waits for what may take long is read from, to see whether it is still there.
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
  if (service_.loop().reading_paused() && state_ == state::reading && !std::exchange(held_, true))
    service_.held(shared_from_this());
}

void connection::go_on() {
  held_ = false;
  touch();
}

void connection::touch() {
  if (std::exchange(dirty_, true)) return;
  service_.add_dirty(shared_from_this());
}

void connection::flush() {
  dirty_ = false;
  if (state_ == state::closed || blocked_) return;
  if (!send_some() || blocked_) return;
  if (state_ == state::closing) return send_close();
  // It was held up: first what was read already.
  process_input();
  reader_.keep_rest();
  if (state_ != state::closed) read_unless_paused();
}

// False if the connection was dropped.
bool connection::send_some() {
  const auto waiting = outbox_.size();
  const auto got_away = net::send_waiting(socket_, outbox_, service_.cells().bytes_sent);
  if (outbox_.size() < waiting) no_progress_ = false;
  switch (got_away) {
    case net::sent::all:
      if (!std::exchange(stream_paused_, false) || !stream_) return true;
      // It may have had more to say, which is sent before anything else happens.
      stream_->hold(false);
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
  socket_.async_wait(net::tcp::socket::wait_write, [self = shared_from_this()](error_code failed) {
    self->blocked_ = false;
    if (failed) return self->drop(self->why_);
    self->touch();
  });
}

void connection::stop() {
  if (const auto reader = stream_) return reader->on_shutdown();
  if (state_ != state::reading || reader_.midway()) return;
  why_ = close_reason::draining;
  finish();
}

void connection::finish() {
  state_ = state::closing;
  set_deadline(steady_clock::now() + limits::linger_max);
  touch();
}

// All was sent. The client gets to read it before the socket goes: closing at once while something
// unread lies in our own buffer would reset the connection and destroy the last words.
void connection::send_close() {
  if (std::exchange(close_sent_, true)) return;
  error_code ignored;
  socket_.shutdown(net::tcp::socket::shutdown_send, ignored);
  read();
}

void connection::drop(close_reason why) {
  const auto was = std::exchange(state_, state::closed);
  if (was == state::closed) return;
  if (was == state::streaming) service_.cells().requests.streams.add(-1);
  const auto unsaid = std::exchange(late_, nullptr);
  detach();
  service_.cells().connections_open.add(-1);
  service_.cells().connections_closed[static_cast<std::size_t>(why)].add();
  service_.loop().timers().cancel(clock_);
  service_.forget(this);
  error_code ignored;
  socket_.close(ignored);
  if (gone_) std::exchange(gone_, nullptr)();
}

// The timer is armed for what was due soonest at some time: mostly that has moved on when it comes,
// which costs less than to arm it anew for each request.
void connection::set_deadline(instant when) {
  deadline_ = when;
  if (when >= armed_for_) return;
  auto& timers = service_.loop().timers();
  timers.cancel(clock_);
  armed_for_ = when;
  clock_ = timers.arm(when, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->time_is_up();
  });
}

void connection::time_is_up() {
  armed_for_ = instant::max();
  if (steady_clock::now() < deadline_) return set_deadline(deadline_);
  deadline_ = instant::max();
  switch (state_) {
    case state::closing: return drop(why_);
    case state::answering:
      if (const auto now = std::exchange(late_, nullptr)) return answer(now->what);
      if (stream_) stream_->time_is_up();
      return;
    case state::streaming:
      if (blocked_ && std::exchange(no_progress_, true)) return drop(close_reason::slow_reader);
      set_deadline(steady_clock::now() + limits::http_heartbeat);
      return stream_->time_is_up();
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

}  // namespace gamehub::gateways::http::server
