#include "gateways/net/loop_io.hpp"

#include "gateways/net/stream_connection.hpp"

#include <boost/asio/post.hpp>

#include <utility>
#include <vector>

namespace gamehub::gateways::net {

const ban_list& loop_io::empty_ban_list() {
  static const ban_list none;
  return none;
}

std::unique_ptr<session_handle> loop_context::accept(const std::shared_ptr<attachment>& client,
                                                     close_reason& why) const {
  auto session = sessions->accept(client, why);
  if (session || why != close_reason::hub_full) return session;
  if (sessions->make_room(unused_client::newcomer) || loop->make_room() ||
      sessions->make_room(unused_client::idle))
    session = sessions->accept(client, why);
  return session;
}

// A copy, because each may close itself or others.
std::vector<std::shared_ptr<stream_connection>> loop_io::connections() const {
  std::vector<std::shared_ptr<stream_connection>> out;
  poller_.for_each([&](socket_poller::listener& each) {
    out.push_back(static_cast<stream_connection&>(each).shared());
  });
  return out;
}

void loop_io::close_banned() {
  for (const auto& each : connections()) each->owner_.on_bans_changed();
}

void loop_io::drain(const loop_context& of) {
  for (const auto& each : connections())
    if (&each->context_ == &of) each->owner_.on_drain();
}

void loop_io::flush() {
  // Flushing resumes paused connections, which may close and queue a close message.
  while (!dirty_.empty()) {
    flushing_.swap(dirty_);
    for (auto& c : flushing_) {
      if (c->outbox().size() > limits::long_outbox_bytes)
        long_outboxes_.push_back(std::move(c));
      else
        c->flush();
    }
    flushing_.clear();
  }
  if (!answered_.empty()) time_answers();
}

void loop_io::flush_long() {
  if (long_outboxes_.empty()) return;
  const auto c = std::move(long_outboxes_.front());
  long_outboxes_.pop_front();
  c->flush();
}

void loop_io::time_answers() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& a : answered_) {
    const auto took = now - a.to.received;
    cells_.wires[a.protocol].move_duration.observe(took);
    if (took >= slow_move_threshold_) slow_move_listener_->slow({a.protocol, a.game, a.to, took});
  }
  answered_.clear();
}

void loop_io::end_turn(bool pause) {
  if (pause && !std::exchange(reading_paused_, true)) wake();
  reading_paused_ = pause;
  for (auto* each : turn_listeners_) each->end_turn();
  // First what moves have caused: requests that wait and a long output take longer.
  flush();
  if (!pause) resume_paused();
  flush_long();
  flush();
  // Also those that flushing made wait. A timer would run up to a millisecond later.
  if ((!pause && !paused_connections_.empty()) || !long_outboxes_.empty())
    boost::asio::post(io_, [] {});
  requests_began_ = {};
  requests_took_long_ = false;
  poller_.wait();
}

bool loop_io::has_request_time() {
  if (!resuming_ && !paused_connections_.empty()) return false;
  if (requests_began_ == base::instant{}) requests_began_ = std::chrono::steady_clock::now();
  return !requests_took_long_;
}

void loop_io::note_request() {
  requests_took_long_ =
      requests_began_ != base::instant{} &&
      std::chrono::steady_clock::now() - requests_began_ >= limits::request_time_of_iteration;
}

void loop_io::resume_paused() {
  resuming_ = true;
  // Each may pause again, behind the others.
  for (auto left = paused_connections_.size(); left > 0 && has_request_time(); --left) {
    const auto c = std::move(paused_connections_.front());
    paused_connections_.pop_front();
    c->resume_reading();
  }
  resuming_ = false;
}

void loop_io::wake() {
  timers_.arm(std::chrono::steady_clock::now() + limits::journal_pause, [this] {
    if (reading_paused_) wake();
  });
}

}  // namespace gamehub::gateways::net
