#include "gateways/http/connection.hpp"

#include "gateways/http/dispatch.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/static_files.hpp"
#include "hub/base/require.hpp"
#include "hub/base/static_file.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

using std::chrono::steady_clock;

connection::connection(loop_service& at, const net::loop_context& context,
                       net::accepted_stream from)
    : service_(at),
      io_(*this, context, std::move(from)),
      remote_(from.from),
      origin_{remote_, false, false} {}

connection::~connection() { io_.drop(close_reason::failed); }

void connection::start() {
  refused_ = service_.full();
  if (!refused_) return begin(true);
  // Also bounds the time that another loop takes to make room.
  set_deadline(steady_clock::now() + limits::http_refusal_time_max);
  service_.make_room([self = self()](bool made) { self->begin(made); });
}

void connection::begin(bool has_room) {
  if (state_ != state::reading) return;
  refused_ = !has_room;
  if (refused_ && service_.excess_connections() > limits::http_refused_at_once_max)
    refuse(from(refusal::hub_full), close_reason::hub_full);
  await_request(steady_clock::now());
  io_.start();
}

void connection::make_room() {
  GAMEHUB_REQUIRE(idle_.has_value());
  io_.cells().requests.connections_evicted.add();
  io_.drop(close_reason::idle);
}

void connection::on_bans_changed() {
  if (service_.limiter().bans(origin_.address) || service_.limiter().bans(remote_))
    io_.drop(close_reason::banned);
}

void connection::on_data(std::string_view bytes) {
  reader_.receive(bytes);
  process_input();
  reader_.keep_rest();
  await_request(io_.received_at());
}

void connection::process_input() {
  // A response during the loop below continues this loop and does not start another.
  if (std::exchange(processing_, true)) return;
  while (state_ == state::reading && wants_input()) {
    const auto found = reader_.next();
    if (found == message_reader::read_result::nothing) break;
    if (found == message_reader::read_result::wrong) {
      const auto& mistake = reader_.mistake();
      const auto kind = mistake.code == http::error_code::body_too_large || mistake.status == 431
                            ? protocol_error::too_long
                            : protocol_error::malformed;
      io_.record(kind);
      refuse(mistake, close_reason::protocol_error);
      break;
    }
    serve(reader_.here());
    io_.loop().note_request();
  }
  if (state_ == state::reading && reader_.take_expectation()) {
    io_.outbox() += "HTTP/1.1 100 Continue\r\n\r\n";
    io_.mark_dirty();
  }
  processing_ = false;
}

void connection::serve(const parsed_request& m) {
  state_ = state::answering;
  has_asked_ = true;
  form_ = {m.keep_alive && !service_.stopping(), m.is_1_1, m.what.method == "HEAD", {}, nullptr};
  auto request = m.what;
  if (refused_) return refuse_full(request);
  request.remote = remote_;
  request.received = io_.received_at();
  takes_gzip_ = request.method == "GET" && base::accepts_gzip(request.accept_encoding);
  dispatch(service_, self(), request);
}

void connection::refuse(const error& why, close_reason reason) {
  state_ = state::answering;
  why_ = reason;
  form_ = {};
  answer(to_response(why));
}

void connection::refuse_full(const request& r) {
  why_ = close_reason::hub_full;
  form_.keep_alive = false;
  const auto why = from(refusal::hub_full);
  const auto page = page_of_error(why, r);
  answer(page ? *page : to_response(why));
}

void connection::answer(const response& r) {
  if (state_ != state::answering || compressed_) return;
  // The answer costs its size before the compression.
  charge(r.body.size());
  charge_requests(r.extra_requests);
  if (!takes_gzip_ || r.content_type != response{}.content_type) return send_answer(r);
  if (gzip_writer::is_long(r)) {
    compressed_ = std::make_unique<gzip_parts>(r);
    return compress_next();
  }
  auto compressed = r;
  if (r.body.size() <= limits::http_gzip_part_bytes) service_.gzip().compress(compressed);
  send_answer(compressed);
}

void connection::compress_next() {
  if (state_ != state::answering) return compressed_.reset();
  if (compressed_->compress_next())
    return io_.loop().defer_part([self = self()] { self->compress_next(); });
  const auto done = std::exchange(compressed_, nullptr);
  send_answer(done->take());
}

void connection::send_answer(const response& r) {
  form_.date = service_.date();
  form_.keep_alive = form_.keep_alive && !service_.stopping();
  append_response(r, form_, io_.outbox());
  const auto hundreds = static_cast<std::size_t>(std::clamp(r.status / 100, 1, 5) - 1);
  io_.cells().requests.answers[route_][hundreds].add();
  route_ = unrouted;
  detach();
  if (form_.keep_alive) {
    state_ = state::reading;
    io_.mark_dirty();
  } else {
    finish(why_);
  }
}

void connection::answer_delayed(response r, limits::seconds pause) {
  detach();
  delayed_ = std::make_unique<delayed_response>(delayed_response{std::move(r), self()});
  set_deadline(steady_clock::now() + pause);
}

void connection::attach(std::shared_ptr<attached_stream> stream) {
  // The client has left while its player or game was looked for.
  if (state_ == state::ended) return stream->stop();
  stream_ = std::move(stream);
  // Starts reading, so that a disconnect is noticed.
  io_.mark_dirty();
}

void connection::charge_requests(std::uint32_t count) {
  if (count != 0) service_.limiter().charge(origin_, count, io_.received_at());
}

// The page and its files are in memory, and many clients of one address may load them at once.
void connection::charge(std::size_t bytes) {
  if (route_ == static_cast<std::uint8_t>(operation::page)) return;
  uncharged_bytes_ += static_cast<std::uint32_t>(bytes);
  if (uncharged_bytes_ < limits::http_bytes_per_request) return;
  charge_requests(uncharged_bytes_ / limits::http_bytes_per_request);
  uncharged_bytes_ %= limits::http_bytes_per_request;
}

void connection::detach() {
  proxied_stream_ = {};
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
  append_stream_head(content_type, form_, io_.outbox());
  constexpr std::size_t good = 1;  // 2xx
  io_.cells().requests.answers[route_][good].add();
  io_.cells().requests.streams.add();
  set_deadline(steady_clock::now() + limits::http_heartbeat);
  io_.mark_dirty();
}

void connection::send_chunk(std::initializer_list<std::string_view> parts) {
  if (state_ != state::streaming) return;
  append_chunk(parts, form_, io_.outbox());
  for (const auto part : parts) charge(part.size());
  deadline_ = steady_clock::now() + limits::http_heartbeat;
  if (io_.outbox().size() > net::stream_connection::outbox_pause_bytes &&
      !std::exchange(stream_paused_, true))
    stream_->pause(true);
  io_.mark_dirty();
}

void connection::end_stream() {
  if (state_ != state::streaming) return;
  append_last_chunk(form_, io_.outbox());
  io_.cells().requests.streams.add(-1);
  detach();
  if (!form_.keep_alive || service_.stopping()) return finish(why_);
  state_ = state::reading;
  io_.mark_dirty();
}

void connection::switch_to_websocket(const response& accepted) {
  form_.date = service_.date();
  append_switch(accepted, form_, io_.outbox());
  io_.cells().requests.answers[route_][0].add();
  // The response becomes the first output of the WebSocket protocol.
  const std::string unread{reader_.unread()};
  auto stream = io_.release();
  if (proxied_stream_.count() > 0) stream.hold() = std::move(proxied_stream_);
  service_.upgrade(std::move(stream), unread);
}

bool connection::wants_input() const {
  if (state_ == state::reading) return !io_.is_congested() && io_.loop().has_request_time();
  // Keeps reading during a long response, so that a disconnect is noticed.
  return stream_ && reader_.kept_bytes() <= limits::http_header_bytes_max;
}

void connection::on_sent() {
  // The stream may queue more output now.
  if (std::exchange(stream_paused_, false) && stream_) stream_->pause(false);
  // Input may have been left: first process the bytes that were already read.
  process_input();
  reader_.keep_rest();
  // The answer continues it. It is not idle: on_data() has seen to that.
  if (state_ == state::answering && !stream_) return;
  await_request(steady_clock::now());
  io_.continue_reading();
}

void connection::on_drain() {
  if (const auto stream = stream_) return stream->on_shutdown();
  // Requests behind responses that the client does not read are not answered any more.
  if (state_ == state::reading && (!reader_.midway() || io_.is_blocked()))
    finish(close_reason::draining);
}

void connection::finish(close_reason why) {
  state_ = state::ended;
  io_.close(why, limits::http_linger_bytes_max);
}

void connection::on_close() {
  leave_idle();
  if (std::exchange(state_, state::ended) == state::streaming) io_.cells().requests.streams.add(-1);
  // It may hold the last reference to this object.
  const auto unsent = std::exchange(delayed_, nullptr);
  detach();
}

void connection::await_request(base::instant now) {
  const bool idle =
      state_ == state::reading && !refused_ && !reader_.midway() && io_.outbox().empty();
  if (!idle) leave_idle();
  if (idle && !idle_) idle_ = service_.idle().add(*this, has_asked_, now);
  if (state_ != state::reading || refused_) return;
  if (!reader_.midway())
    set_deadline(now + limits::http_keep_alive);
  else if (deadline_ > now + limits::http_request_time_max)
    set_deadline(now + limits::http_request_time_max);
}

void connection::leave_idle() {
  if (const auto idle = std::exchange(idle_, std::nullopt)) service_.idle().remove(*idle);
}

// The timer keeps its earliest deadline. Usually that deadline has moved when the timer fires;
// checking it then costs less than arming the timer for each request.
void connection::set_deadline(base::instant when) {
  deadline_ = when;
  if (when >= armed_for_) return;
  armed_for_ = when;
  io_.set_timer(when);
}

void connection::on_timeout() {
  armed_for_ = base::instant::max();
  if (steady_clock::now() < deadline_) return set_deadline(deadline_);
  deadline_ = base::instant::max();
  switch (state_) {
    case state::answering:
      if (const auto now = std::exchange(delayed_, nullptr)) return answer(now->what);
      if (stream_) stream_->on_timeout();
      return;
    case state::streaming:
      if (io_.is_stalled()) return io_.drop(close_reason::slow_reader);
      set_deadline(steady_clock::now() + limits::http_heartbeat);
      return stream_->on_timeout();
    case state::reading: {
      if (refused_) return refuse(from(refusal::hub_full), close_reason::hub_full);
      if (!reader_.midway()) return finish(close_reason::idle);
      auto e = bad_request("the request did not come to its end in time");
      e.status = 408;
      return refuse(e, close_reason::handshake_timeout);
    }
    case state::ended: return;
  }
}

}  // namespace gamehub::gateways::http
