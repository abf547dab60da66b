#include "gateways/http/relayed_answer.hpp"

#include "gateways/http/dispatch.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

namespace messages = gamehub::relay;
using std::chrono::steady_clock;

namespace {

// Of one message.
constexpr std::size_t part_bytes_max = 16 * 1024;
// On the way of one response.
constexpr std::size_t untaken_bytes_max = 64 * 1024;
// A link without room is tried again after this time.
constexpr std::chrono::milliseconds room_pause{20};

}  // namespace

relayed_answer::relayed_answer(request_relay& relay, loop_service& service, member_id to,
                               std::uint64_t number)
    : relay_(relay), service_(service), to_(to), number_(number) {}

relayed_answer::~relayed_answer() = default;

messages::web_answer relayed_answer::message_of(std::uint64_t number, const response& r) {
  messages::web_answer m{number, static_cast<std::uint32_t>(r.status)};
  m.content_type = r.content_type;
  m.cache_control = r.cache_control;
  for (const auto& each : r.fields) {
    m.names.emplace_back(each.name);
    m.values.push_back(each.value);
  }
  return m;
}

void relayed_answer::run(const messages::web_request& what) {
  if (state_ != state::answering) return;
  dispatch_relayed(service_, shared_from_this(), to_, what);
}

void relayed_answer::attach(std::shared_ptr<attached_stream> stream) {
  if (state_ == state::ended) return stream->stop();
  stream_ = std::move(stream);
}

void relayed_answer::charge_requests(std::uint32_t count) { extra_requests_ += count; }

void relayed_answer::set_poll_timeout(limits::seconds time) {
  next_timeout_ = steady_clock::now() + time;
  arm(next_timeout_);
}

void relayed_answer::begin_stream(std::string_view content_type) {
  if (state_ != state::answering) return;
  state_ = state::streaming;
  set_poll_timeout(limits::http_heartbeat);
  if (!send(messages::web_stream{number_, std::string{content_type}, extra_requests_})) stop();
}

void relayed_answer::send_chunk(std::initializer_list<std::string_view> parts) {
  if (state_ != state::streaming) return;
  for (const auto part : parts) text_ += part;
  next_timeout_ = steady_clock::now() + limits::http_heartbeat;
  flush();
  if (unsent_bytes() > untaken_bytes_max && stream_ && !std::exchange(stream_paused_, true))
    stream_->pause(true);
}

void relayed_answer::end_stream() {
  if (state_ != state::streaming) return;
  state_ = state::ending;
  detach();
  flush();
}

void relayed_answer::answer(const response& r) {
  if (state_ != state::answering) return;
  state_ = state::ending;
  head_ = r;
  text_ = std::move(head_->body);
  detach();
  flush();
}

void relayed_answer::answer_delayed(response r, limits::seconds pause) {
  if (state_ != state::answering) return;
  detach();
  delayed_ = std::move(r);
  set_poll_timeout(pause);
}

bool relayed_answer::send(const messages::message& m) {
  return relay_.port().send(to_, m, steady_clock::now());
}

void relayed_answer::flush() {
  if (state_ == state::ended || blocked_) return;
  const auto block = [this] {
    blocked_ = true;
    arm(steady_clock::now() + room_pause);
  };
  const std::size_t last = head_ ? part_bytes_max : 0;
  while (unsent_bytes() > last) {
    if (untaken_bytes_ >= untaken_bytes_max) return;
    auto part = text_.substr(sent_bytes_, part_bytes_max);
    const auto size = part.size();
    if (!relay_.port().has_room(to_) || !send(messages::web_part{number_, std::move(part)}))
      return block();
    sent_bytes_ += size;
    untaken_bytes_ += size;
  }
  // Of a stream, whose text grows.
  if (!head_) text_.erase(0, std::exchange(sent_bytes_, 0));
  if (state_ != state::ending) return;
  if (!head_) return send(messages::web_end{number_}) ? end() : block();
  auto m = message_of(number_, *head_);
  m.body = text_.substr(sent_bytes_);
  m.extra_requests = extra_requests_ + head_->extra_requests;
  constexpr int not_found = 404, unknown_client = 401, draining = 503;
  m.not_here = head_->status == not_found || head_->status == unknown_client ||
               (head_->status == draining && service_.stopping());
  send(m) ? end() : block();
}

void relayed_answer::on_taken(std::uint32_t bytes) {
  untaken_bytes_ -= std::min<std::size_t>(untaken_bytes_, bytes);
  flush();
  if (unsent_bytes() == 0 && std::exchange(stream_paused_, false) && stream_) stream_->pause(false);
}

void relayed_answer::stop() {
  if (state_ != state::ended) end();
}

void relayed_answer::end() {
  state_ = state::ended;
  const auto self = shared_from_this();
  relay_.close(to_, number_);
  service_.loop().timers().cancel(std::exchange(timer_, {}));
  head_.reset();
  delayed_.reset();
  detach();
}

void relayed_answer::detach() {
  if (const auto stream = std::exchange(stream_, nullptr)) stream->stop();
}

// The timer keeps its earliest moment, and looks then what is due.
void relayed_answer::arm(base::instant at) {
  if (state_ == state::ended) return;
  service_.loop().timers().cancel(std::exchange(timer_, {}));
  timer_ = service_.loop().timers().arm(std::min(at, next_timeout_), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->on_timer();
  });
}

void relayed_answer::on_timer() {
  timer_ = {};
  if (std::exchange(blocked_, false)) flush();
  if (state_ == state::ended) return;
  const auto now = steady_clock::now();
  if (now >= next_timeout_) {
    next_timeout_ = base::instant::max();
    if (auto late = std::exchange(delayed_, std::nullopt)) return answer(*late);
    if (state_ == state::streaming) next_timeout_ = now + limits::http_heartbeat;
    if (const auto stream = stream_) stream->on_timeout();
  }
  if (state_ != state::ended && !timer_ && next_timeout_ != base::instant::max())
    arm(next_timeout_);
}

}  // namespace gamehub::gateways::http
