#include "gateways/net/datagram_port.hpp"

#include "hub/base/random.hpp"
#include "hub/core/limits.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::net {

using boost::system::error_code;
using std::chrono::steady_clock;

// The attachment of one peer that has a session in the hub.
class datagram_port::client final : public attachment {
 public:
  client(datagram_port& at, peer_id peer, attachment_id id) : at_(at), peer_(peer), id_(id) {}

  attachment_id id() const override { return id_; }
  void deliver(const event& e) override { at_.deliver(*this, e); }
  void close(close_reason why) override { at_.close(*this, why); }
  void set_session(std::unique_ptr<session_handle> to) override {
    if (session_) session_ = std::move(to);
  }

  peer_id peer() const { return peer_; }

 private:
  friend class datagram_port;

  datagram_port& at_;
  peer_id peer_;
  attachment_id id_;
  std::unique_ptr<session_handle> session_;
  close_reason why_ = close_reason::client_left;
};

datagram_port::datagram_port(const loop_context& context, datagram_socket socket,
                             std::unique_ptr<datagram_protocol> protocol)
    : context_(context), socket_(std::move(socket)), protocol_(std::move(protocol)) {
  context_.loop->at_turn_end(*this);
}

datagram_port::~datagram_port() = default;

void datagram_port::wait() {
  waiting_ = true;
  socket_.wait([this](error_code failed) {
    waiting_ = false;
    if (!failed) read();
  });
}

// Reads a bounded number of batches; the rest is read in the next iteration, after these are
// answered.
void datagram_port::read() {
  changed_ = true;
  now_ = steady_clock::now();
  // The players of a whole batch would be more than the limit: while new ones come, batches are
  // smaller.
  const auto most = std::exchange(accepted_, 0) == 0
                        ? datagram_socket::batch_max
                        : std::size_t{limits::datagram_players_per_turn_max};
  for (int batches = 0; batches < limits::datagram_batches_per_turn_max &&
                        accepted_ < limits::datagram_players_per_turn_max;
       ++batches) {
    const auto received = socket_.receive(most);
    for (const auto& each : received) {
      cells().bytes_received.add(static_cast<std::int64_t>(each.size));
      receive(each.from, each.bytes);
    }
    run_commands();
    if (received.size() < most) break;
  }
  forward_misrouted();
}

// Datagrams of banned addresses are ignored.
void datagram_port::receive(const base::endpoint& from, std::string_view bytes) {
  if (!context_.loop->bans().bans(from.address)) protocol_->receive(from, bytes, now_, out_);
}

void datagram_port::close_banned() {
  changed_ = true;
  const auto& rules = context_.loop->bans();
  protocol_->close_where([&](const base::endpoint& from) { return rules.bans(from.address); },
                         steady_clock::now(), out_);
  for (const auto& each : out_.commands)
    if (each.what == peer_command::kind::release)
      clients_[each.from.slot]->why_ = close_reason::banned;
  run_commands();
}

void datagram_port::forward(std::vector<misrouted_datagram> received) {
  boost::asio::post(context_.loop->io(),
                    [this, received = std::move(received)] { receive_forwarded(received); });
}

void datagram_port::receive_forwarded(const std::vector<misrouted_datagram>& received) {
  changed_ = true;
  now_ = steady_clock::now();
  for (const auto& each : received) receive(each.from, {&each.byte, 1});
  run_commands();
  forward_misrouted();
}

void datagram_port::forward_misrouted() {
  if (out_.misrouted.empty()) return;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    std::vector<misrouted_datagram> theirs;
    for (const auto& each : out_.misrouted)
      if (each.socket == i) theirs.push_back(each);
    if (!theirs.empty()) all_[i]->forward(std::move(theirs));
  }
  out_.misrouted.clear();
}

void datagram_port::deliver(client& to, const event& e) {
  if (e.answers.ticket != 0 && e.answers.from == to.id() && e.game)
    context_.loop->record_answer(context_.number, e);
  changed_ = true;
  protocol_->deliver(to.peer(), e, steady_clock::now(), out_);
  run_commands();
}

void datagram_port::close(client& to, close_reason why) {
  changed_ = true;
  to.why_ = why;
  protocol_->closed(to.peer(), steady_clock::now(), out_);
  run_commands();
}

void datagram_port::run_commands() {
  // submit() appends a release command if the hub accepts no player.
  for (std::size_t i = 0; i < out_.commands.size(); ++i) {
    if (out_.commands[i].what == peer_command::kind::release)
      release(out_.commands[i].from);
    else
      submit(out_.commands[i]);
  }
  out_.commands.clear();
}

void datagram_port::submit(peer_command& what) {
  const auto peer = what.from;
  if (peer.slot >= clients_.size()) clients_.resize(peer.slot + 1);
  auto& at = clients_[peer.slot];
  if (!at) {
    at = std::make_shared<client>(*this, peer, context_.loop->next_attachment());
    ++clients_open_;
    ++accepted_;
    cells().connections_opened.add();
    cells().connections_open.add();
    at->why_ = close_reason::hub_full;
    // Whether it is a guest, and whether others still are, is known at the end of the iteration.
    count_guests(guests_counted_ + 1);
    at->session_ = context_.accept(at, at->why_);
    if (!at->session_) return protocol_->closed(peer, now_, out_);
    at->why_ = close_reason::client_left;
  }
  // The hub has not accepted the player: what it sent in the same batch is dropped.
  if (!at->session_) return;
  at->session_->submit(
      {{at->id(), context_.loop->next_trace(), now_, what.ticket}, std::move(what.intent)});
}

void datagram_port::release(peer_id peer) {
  auto& at = clients_[peer.slot];
  // The session may keep the attachment for a while; the handle is destroyed now.
  at->session_.reset();
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
  if (reads_ && !waiting_ && !context_.loop->reading_paused()) wait();
}

void datagram_port::flush() {
  if (out_.datagrams.empty()) return;
  const auto sent = socket_.send(out_.datagrams);
  cells().bytes_sent.add(static_cast<std::int64_t>(sent));
  cells().datagrams.unsent.add(static_cast<std::int64_t>(out_.datagrams.size() - sent));
  out_.datagrams.clear();
}

// The timer keeps its earliest deadline. Usually that deadline has moved when the timer fires;
// checking it then costs less than arming the timer for each datagram.
void datagram_port::arm() {
  const auto next = std::min(protocol_->next(), close_deadline_);
  if (next >= armed_for_) return;
  armed_for_ = next;
  context_.loop->timers().arm(next, [this] { on_timeout(); });
}

void datagram_port::on_timeout() {
  changed_ = true;
  armed_for_ = base::instant::max();
  now_ = steady_clock::now();
  protocol_->advance(now_, out_);
  run_commands();
}

void datagram_port::count() {
  const auto& n = protocol_->counts();
  auto& to = cells().datagrams;
  const auto set = [](metrics::cell& c, std::uint64_t v) { c.set(static_cast<std::int64_t>(v)); };
  set(to.received, n.received);
  set(to.sent, n.sent);
  set(to.resent, n.resent);
  set(to.ignored, n.ignored);
  set(to.refused, n.refused);
  set(to.throttled, n.throttled);
  count_refusals(refusal::out_of_bounds, n.out_of_bounds, out_of_bounds_counted_);
  count_refusals(refusal::space_not_empty, n.space_not_empty, space_not_empty_counted_);
  set(to.evicted, n.evicted);
  set(to.proven, n.proven);
  set(to.misrouted, n.misrouted);
  set(to.sessions, protocol_->sessions());
  set(to.newcomers, protocol_->newcomers());
  set(to.guests, protocol_->guests());
  count_guests(protocol_->guests());
  if (now_ - drops_read_at_ < limits::datagram_drops_looked_at) return;
  drops_read_at_ = now_;
  set(to.overflowed, socket_.overflowed());
}

// The session counts those of the hub in the same cells.
void datagram_port::count_refusals(refusal why, std::uint64_t now, std::uint64_t& counted) {
  const auto more = now - std::exchange(counted, now);
  if (more > 0)
    cells().refusals[static_cast<std::size_t>(why)].add(static_cast<std::int64_t>(more));
}

void datagram_port::count_guests(std::size_t now) {
  if (now == guests_counted_) return;
  context_.sessions->add_guests(static_cast<std::int64_t>(now) -
                                static_cast<std::int64_t>(guests_counted_));
  guests_counted_ = now;
}

// After the last player has left, clients that were sent the end of their game have linger_max to
// acknowledge it.
void datagram_port::report_if_closed() {
  if (clients_open_ > 0 || !on_all_closed_) return;
  const auto now = steady_clock::now();
  if (close_deadline_ == base::instant::max()) close_deadline_ = now + limits::linger_max;
  if (protocol_->unsettled() > 0 && now < close_deadline_) return arm();
  reads_ = false;
  close_deadline_ = base::instant::max();
  std::exchange(on_all_closed_, nullptr)();
}

namespace {

class datagram_listener final : public listener {
 public:
  datagram_listener(const listener_context& context, datagram_factory make)
      : context_(context), make_(make) {}

  std::uint16_t open() override {
    const auto& settings = context_.hub->settings;
    datagram_setup setup;
    setup.engine = context_.engine;
    setup.against_engine = context_.against_engine;
    setup.sockets = context_.loops.size();
    setup.sessions_max = limits::connections_max;
    setup.players_max = settings.udp_connections_max;
    setup.games_max = settings.games_max;
    setup.per_address_max = settings.connections_per_address_max;
    setup.bound_loopback = settings.limit_loopback;
    setup.guest_rate = settings.udp_guest_rate;
    base::system_entropy random;
    auto protocols = make_(setup, random);
    const auto address = boost::asio::ip::make_address(settings.address);
    auto port = context_.port;
    std::vector<datagram_port*> all;
    for (std::size_t i = 0; i < protocols.size(); ++i) {
      auto& loop = *context_.loops[i].loop;
      datagram_socket socket{loop.io(), {address, port}, i == 0};
      port = socket.port();
      auto made = std::make_unique<datagram_port>(context_.on(i), std::move(socket),
                                                  std::move(protocols[i]));
      all.push_back(made.get());
      add(loop, std::move(made));
    }
    for (auto* each : all) each->link_sockets(all);
    return port;
  }

 private:
  listener_context context_;
  datagram_factory make_;
};

}  // namespace

std::unique_ptr<listener> make_datagram_listener(const listener_context& context,
                                                 datagram_factory make) {
  return std::make_unique<datagram_listener>(context, make);
}

}  // namespace gamehub::gateways::net
