#include "gateways/net/codec_connection.hpp"

#include "hub/core/limits.hpp"

#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::gateways::net {

using std::chrono::steady_clock;

codec_connection::codec_connection(const loop_context& context, accepted_stream from,
                                   std::unique_ptr<codec> codec)
    : io_(*this, context, std::move(from)),
      codec_(std::move(codec)),
      id_(context.loop->next_attachment()) {}

codec_connection::~codec_connection() { io_.drop(close_reason::failed); }

void codec_connection::start(std::string_view unread) {
  if (io_.is_peer_banned()) {
    close(close_reason::banned);
  } else {
    auto why = close_reason::hub_full;
    session_ = io_.context().accept({shared_from_this(), this}, why);
    if (!session_) close(why);
  }
  io_.start(unread);
}

void codec_connection::on_data(std::string_view bytes) {
  codec_->receive(bytes);
  process_input();
  codec_->compact();
}

void codec_connection::process_input() {
  submit_intents();
  const auto before = io_.outbox().size();
  codec_->append_control_output(io_.outbox());
  if (io_.outbox().size() != before) io_.mark_dirty();
}

void codec_connection::submit_intents() {
  while (io_.is_open() && wants_input()) {
    auto input = codec_->next();
    if (!input) return;
    if (auto* what = std::get_if<intent>(&*input)) {
      submit(*what);
    } else if (const auto* wrong = std::get_if<protocol_error>(&*input)) {
      io_.record(*wrong);
      return close(close_cause{close_reason::protocol_error, *wrong});
    } else {
      return close(close_cause{close_reason::client_left});
    }
  }
}

void codec_connection::submit(intent& what) {
  signing_in_ = std::holds_alternative<sign_in>(what);
  ++in_flight_;
  if (io_.account()) charge_message();
  session_->submit(
      {{id_, io_.loop().next_trace(), io_.received_at(), ++next_ticket_}, std::move(what)});
}

// Several at once, because all loops share the account.
void codec_connection::charge_message() {
  if (++uncharged_ < limits::messages_charged_at_once) return;
  const auto now = io_.received_at();
  auto& account = *io_.account();
  account.charge(address_limit::messages, std::exchange(uncharged_, std::uint16_t{0}), now);
  const auto wait = account.wait(address_limit::messages, now);
  if (wait) pause_until(now + *wait);
}

void codec_connection::count_refusal(bool refused) {
  const auto was_slowed = is_slowed();
  refusals_ = !refused ? 0 : is_slowed() ? refusals_ : static_cast<std::uint16_t>(refusals_ + 1);
  if (is_slowed() != was_slowed) {
    if (!was_slowed) io_.cells().connections_slowed.add();
    codec_->set_slowed(is_slowed());
  }
  if (is_slowed()) pause_until(steady_clock::now() + limits::refusal_pause);
}

// A pause that is running already is not made longer.
void codec_connection::pause_until(base::instant when) {
  if (!std::exchange(paused_, true)) io_.set_timer(when);
}

void codec_connection::on_timeout() {
  paused_ = false;
  // Unread input hides the end of the connection, and at this pace it could do so for hours.
  if (is_slowed() && io_.has_peer_closed()) return close(close_reason::client_left);
  on_sent();
}

bool codec_connection::wants_input() const {
  const auto in_flight_max = is_slowed() ? 1 : limits::intents_in_flight_max;
  return !paused_ && in_flight_ < in_flight_max && !signing_in_ && !io_.is_congested();
}

void codec_connection::on_sent() {
  // While a read is pending, all input has been processed.
  if (io_.is_reading()) return;
  if (wants_input()) {
    process_input();
    codec_->compact();
  }
  if (io_.is_open()) io_.continue_reading();
}

void codec_connection::on_bans_changed() {
  if (io_.is_peer_banned()) close(close_reason::banned);
}

// The client has the time of any other close to read what waits, and the reason behind it.
bool codec_connection::on_slow_reader() {
  close(close_reason::slow_reader);
  return true;
}

void codec_connection::deliver(const event& e) {
  if (e.answers.ticket != 0 && e.answers.from == id_) {
    if (in_flight_ > 0) --in_flight_;
    signing_in_ = false;
    if (e.game) io_.loop().record_answer(io_.context().number, e);
    count_refusal(std::holds_alternative<refused>(e.what));
  }
  if (!io_.is_open()) return;
  codec_->send(e, io_.outbox());
  if (io_.is_blocked() && io_.outbox().size() > limits::outbox_bytes_max)
    return close(close_reason::slow_reader);
  io_.mark_dirty();
}

void codec_connection::set_session(std::unique_ptr<session_handle> to) {
  // If the connection is closed, the handle is destroyed here, which detaches from the new session.
  if (io_.is_open()) session_ = std::move(to);
}

void codec_connection::close(const close_cause& cause) {
  if (!io_.is_open()) return;
  codec_->farewell(cause, io_.outbox());
  io_.close(cause.why);
  // No more intents are submitted; only the outbox is still sent.
  session_.reset();
}

}  // namespace gamehub::gateways::net
