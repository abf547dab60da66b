#include "gateways/net/datagram_port.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>

#include "hub/core/limits.hpp"

namespace gamehub::gateways::net {

using boost::system::error_code;
using std::chrono::steady_clock;

// Who has a player in the hub: the way of its events to the peer.
class datagram_port::client final : public attachment {
 public:
  client(datagram_port& at, peer_id peer, attachment_id id) : at_(at), peer_(peer), id_(id) {}

  attachment_id id() const override { return id_; }
  void deliver(const event& e) override { at_.deliver(*this, e); }
  void close(close_reason why) override { at_.close(*this, why); }
  void set_session(std::unique_ptr<session_handle> to) override {
    if (door_) door_ = std::move(to);
  }

  peer_id peer() const { return peer_; }

 private:
  friend class datagram_port;

  datagram_port& at_;
  peer_id peer_;
  attachment_id id_;
  std::unique_ptr<session_handle> door_;
  close_reason why_ = close_reason::client_left;
};

datagram_port::datagram_port(listener_context wire, datagram_socket socket,
                             std::unique_ptr<datagram_protocol> protocol)
    : wire_(wire), socket_(std::move(socket)), protocol_(std::move(protocol)) {
  wire_.loop->at_turn_end(*this);
}

datagram_port::~datagram_port() = default;

void datagram_port::wait() {
  waiting_ = true;
  socket_.wait([this](error_code failed) {
    waiting_ = false;
    if (!failed) read();
  });
}

// A bounded part of what has come: the rest in the next turn, when this is answered.
void datagram_port::read() {
  changed_ = true;
  now_ = steady_clock::now();
  for (int batches = 0; batches < limits::datagram_batches_per_turn_max; ++batches) {
    const auto came = socket_.receive();
    for (const auto& each : came) {
      cells().bytes_received.add(static_cast<std::int64_t>(each.size));
      receive(each.from, each.bytes);
    }
    carry_out();
    if (came.size() < datagram_socket::batch_max) break;
  }
  forward_misrouted();
}

// Whom the operator keeps out is not answered.
void datagram_port::receive(const endpoint& from, std::string_view bytes) {
  if (!wire_.loop->rules().bans(from.address)) protocol_->receive(from, bytes, now_, out_);
}

void datagram_port::close_banned() {
  changed_ = true;
  const auto& rules = wire_.loop->rules();
  protocol_->close_where([&](const endpoint& from) { return rules.bans(from.address); },
                         steady_clock::now(), out_);
  for (const auto& each : out_.orders)
    if (each.what == order::kind::release) clients_[each.from.slot]->why_ = close_reason::banned;
  carry_out();
}

void datagram_port::hand_over(std::vector<misrouted_datagram> came) {
  boost::asio::post(wire_.loop->io(), [this, came = std::move(came)] { take(came); });
}

void datagram_port::take(const std::vector<misrouted_datagram>& came) {
  changed_ = true;
  now_ = steady_clock::now();
  for (const auto& each : came) receive(each.from, {&each.byte, 1});
  carry_out();
  forward_misrouted();
}

void datagram_port::forward_misrouted() {
  if (out_.strays.empty()) return;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    std::vector<misrouted_datagram> theirs;
    for (const auto& each : out_.strays)
      if (each.socket == i) theirs.push_back(each);
    if (!theirs.empty()) all_[i]->hand_over(std::move(theirs));
  }
  out_.strays.clear();
}

void datagram_port::deliver(client& to, const event& e) {
  if (e.answers.ticket != 0 && e.answers.from == to.id() && e.game)
    wire_.loop->answered(wire_.number, e);
  changed_ = true;
  protocol_->deliver(to.peer(), e, steady_clock::now(), out_);
  carry_out();
}

void datagram_port::close(client& to, close_reason why) {
  changed_ = true;
  to.why_ = why;
  protocol_->closed(to.peer(), steady_clock::now(), out_);
  carry_out();
}

void datagram_port::carry_out() {
  // Where the hub takes nobody, submit() adds to the list.
  for (std::size_t i = 0; i < out_.orders.size(); ++i) {
    if (out_.orders[i].what == order::kind::release)
      release(out_.orders[i].from);
    else
      submit(out_.orders[i]);
  }
  out_.orders.clear();
}

void datagram_port::submit(order& what) {
  const auto who = what.from;
  if (who.slot >= clients_.size()) clients_.resize(who.slot + 1);
  auto& at = clients_[who.slot];
  if (!at) {
    at = std::make_shared<client>(*this, who, wire_.loop->next_attachment());
    ++clients_open_;
    cells().connections_opened.add();
    cells().connections_open.add();
    at->why_ = close_reason::hub_full;
    at->door_ = wire_.desk->admit(at, at->why_);
    if (!at->door_) return protocol_->closed(who, now_, out_);
    at->why_ = close_reason::client_left;
  }
  at->door_->submit(
      {{at->id(), wire_.loop->next_trace(), now_, what.ticket}, std::move(what.intent)});
}

void datagram_port::release(peer_id who) {
  auto& at = clients_[who.slot];
  // Whoever shares the client may keep it for a while; its door goes at once.
  at->door_.reset();
  --clients_open_;
  cells().connections_open.add(-1);
  cells().connections_closed[static_cast<std::size_t>(at->why_)].add();
  at.reset();
}

void datagram_port::stop(std::function<void()> on_all_closed) {
  stopped_ = changed_ = true;
  on_all_closed_ = std::move(on_all_closed);
  protocol_->drain();
}

void datagram_port::end_turn() {
  if (changed_) {
    flush();
    arm();
    count();
    changed_ = false;
    if (stopped_) report_if_closed();
  }
  if (reads_ && !waiting_ && !wire_.loop->reading_paused()) wait();
}

void datagram_port::flush() {
  if (out_.datagrams.empty()) return;
  const auto sent = socket_.send(out_.datagrams);
  cells().bytes_sent.add(static_cast<std::int64_t>(sent));
  cells().datagrams.unsent.add(static_cast<std::int64_t>(out_.datagrams.size() - sent));
  out_.datagrams.clear();
}

// The timer is armed for what was due soonest at some time. Mostly that has moved on when it comes,
// which costs less than to arm it anew for each datagram.
void datagram_port::arm() {
  const auto next = std::min(protocol_->next(), close_deadline_);
  if (next >= armed_for_) return;
  armed_for_ = next;
  wire_.loop->timers().arm(next, [this] { time_is_up(); });
}

void datagram_port::time_is_up() {
  changed_ = true;
  armed_for_ = instant::max();
  now_ = steady_clock::now();
  protocol_->advance(now_, out_);
  carry_out();
}

void datagram_port::count() {
  const auto& n = protocol_->counts();
  auto& to = cells().datagrams;
  const auto set = [](metrics::cell& c, std::uint64_t v) { c.set(static_cast<std::int64_t>(v)); };
  set(to.received, n.received);
  set(to.said, n.said);
  set(to.resent, n.resent);
  set(to.ignored, n.ignored);
  set(to.refused, n.refused);
  set(to.evicted, n.evicted);
  set(to.misrouted, n.misrouted);
  set(to.sessions, protocol_->sessions());
  set(to.newcomers, protocol_->newcomers());
  if (now_ - looked_at_ < limits::datagram_drops_looked_at) return;
  looked_at_ = now_;
  set(to.overflowed, socket_.overflowed());
}

// When no player is left, those who heard the end of their game get a moment to say so.
void datagram_port::report_if_closed() {
  if (clients_open_ > 0 || !on_all_closed_) return;
  const auto now = steady_clock::now();
  if (close_deadline_ == instant::max()) close_deadline_ = now + limits::linger_max;
  if (protocol_->unsettled() > 0 && now < close_deadline_) return arm();
  reads_ = false;
  close_deadline_ = instant::max();
  std::exchange(on_all_closed_, nullptr)();
}

}  // namespace gamehub::gateways::net
