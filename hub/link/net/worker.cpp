#include "hub/link/net/worker.hpp"

#include "hub/base/address.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/link/net/tls.hpp"
#include "hub/link/peer_address.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace gamehub::link::net {

namespace asio = boost::asio;
using boost::system::error_code;
using clock = std::chrono::steady_clock;

namespace {

// Messages of one write; more of them wait for its end.
constexpr std::size_t write_bytes = 64 * 1024;

// The time between two log lines about refusals with the same reason.
constexpr std::chrono::seconds log_pause{1};

asio::ip::address address_of(const base::endpoint& from) {
  const asio::ip::address_v6 six{from.address};
  if (base::is_ipv4(from)) return asio::ip::make_address_v4(asio::ip::v4_mapped, six);
  return six;
}

base::address_bytes bytes_of(const asio::ip::address& from) {
  return (from.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, from.to_v4())
                       : from.to_v6())
      .to_bytes();
}

tcp::endpoint endpoint_to_listen_on(const links_options& o) {
  const auto address = base::read_address(o.listen);
  if (!address)
    throw base::usage_error{"links can't listen on " + o.listen + ": give a numeric address"};
  if (!o.tls && !base::is_loopback(*address))
    throw base::usage_error{"links without certificates listen on loopback only, not on " +
                            o.listen + ": give link-key, link-certificate and link-authority"};
  return {address_of(*address), o.port};
}

std::chrono::milliseconds since(base::instant then, base::instant now) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(now - then);
}

}  // namespace

links::worker::worker(links_options o, links_events e)
    : options_(std::move(o)),
      events_(std::move(e)),
      who_{options_.cluster, options_.self, options_.build},
      acceptor_(io_),
      timer_(io_) {
  if (options_.tls) tls_.emplace(make_tls(*options_.tls));
  for (const auto each : refusals) numbers_.refused[each] = 0;
  for (const auto each : break_causes) numbers_.broken[each] = 0;
  listen();
}

links::worker::~worker() { stop(); }

void links::worker::listen() {
  const auto at = endpoint_to_listen_on(options_);
  error_code failed;
  acceptor_.open(at.protocol(), failed);
  if (!failed) acceptor_.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor_.bind(at, failed);
  if (!failed) acceptor_.listen(asio::socket_base::max_listen_connections, failed);
  if (!failed) port_ = acceptor_.local_endpoint(failed).port();
  if (failed)
    throw base::usage_error{"link-port: port " + std::to_string(options_.port) + " of " +
                            options_.listen + " can't be used (" + failed.message() +
                            "): give another one"};
}

void links::worker::start() {
  accept();
  tick();
  thread_ = std::thread{[this] { io_.run(); }};
}

void links::worker::stop() {
  if (thread_.joinable()) {
    asio::post(io_, [this] { close_all(); });
    thread_.join();
  } else {
    close_all();
  }
}

void links::worker::close_all() {
  const lock held{mutex_};
  if (std::exchange(stopped_, true)) return;
  error_code ignored;
  acceptor_.close(ignored);
  timer_.cancel();
  for (const auto& each : unidentified_) each->close();
  for (const auto& [id, m] : members_)
    for (const auto& each : {m->out, m->in})
      if (each) each->close();
  unidentified_.clear();
  io_.stop();
}

void links::worker::set_members(std::vector<peer> all) {
  const lock held{mutex_};
  if (stopped_) return;
  const auto now = clock::now();
  std::erase_if(all, [this](const peer& p) { return p.id == who_.self; });
  std::vector<member_ref> gone;
  for (auto at = members_.begin(); at != members_.end();) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const peer& p) { return p.id == at->first; });
    if (same != all.end()) {
      at->second->address = same->address;
      ++at;
      continue;
    }
    const auto& out = at->second->state.out;
    numbers_.sent_messages += out.written();
    numbers_.repeated += out.repeated();
    gone.push_back(std::move(at->second));
    at = members_.erase(at);
  }
  for (const auto& p : all)
    if (!members_.contains(p.id))
      members_.emplace(p.id, std::make_shared<member>(p, options_, random_.next(), now));
  // A handler may be using them.
  if (!gone.empty())
    asio::post(io_, [this, gone] {
      const lock closing{mutex_};
      for (const auto& m : gone)
        for (const auto& each : {m->out, m->in})
          if (each) each->close();
    });
  if (!members_.empty()) asio::post(io_, [this] { dial_all(clock::now()); });
}

bool links::worker::send(journal::member_id to, std::string message) {
  const lock held{mutex_};
  const auto at = members_.find(to);
  if (at == members_.end() || message.size() > message_bytes_max) return false;
  auto& m = *at->second;
  if (!m.state.out.send(std::move(message))) {
    ++numbers_.dropped;
    if (!std::exchange(m.drops, true))
      base::log::warning("messages to another hub are dropped, because it does not take them",
                         {{"member", to.value}});
    return false;
  }
  m.drops = false;
  return true;
}

void links::worker::post_flush() {
  {
    const lock held{mutex_};
    if (std::exchange(flush_posted_, true)) return;
  }
  asio::post(io_, [this] { flush(); });
}

std::size_t links::worker::unanswered_bytes(journal::member_id of) const {
  const lock held{mutex_};
  const auto at = members_.find(of);
  return at == members_.end() ? 0 : at->second->state.out.bytes();
}

std::vector<link_status> links::worker::status() const {
  const lock held{mutex_};
  const auto now = clock::now();
  std::vector<link_status> all;
  for (const auto& [id, m] : members_)
    all.push_back({id, m->address, m->up_out, m->up_in, since(m->since, now), m->why, m->build,
                   m->state.out.bytes()});
  return all;
}

link_numbers links::worker::numbers() const {
  const lock held{mutex_};
  auto n = numbers_;
  n.links_wanted = members_.size();
  for (const auto& [id, m] : members_) {
    n.links_up += m->up ? 1u : 0u;
    n.sent_messages += m->state.out.written();
    n.repeated += m->state.out.repeated();
  }
  return n;
}

void links::worker::finish(lock& held) {
  const auto due = std::exchange(events_due_, {});
  held.unlock();
  for (const auto& event : due) event();
}

// After an error (no descriptors) the next tick tries again.
void links::worker::accept() {
  accepting_ = true;
  acceptor_.async_accept([this](error_code failed, tcp::socket socket) {
    accepting_ = false;
    if (failed) return;
    const auto from = socket.remote_endpoint(failed);
    if (!failed) accept_client(std::move(socket), from);
    accept();
  });
}

void links::worker::accept_client(tcp::socket socket, const tcp::endpoint& from) {
  connection_ref c;
  {
    const lock held{mutex_};
    if (stopped_) return;
    const auto address = bytes_of(from.address());
    if (unidentified_.size() >= options_.unidentified_max ||
        unidentified_of_[address] >= options_.unidentified_per_address_max) {
      if (unidentified_of_[address] == 0) unidentified_of_.erase(address);
      return count(refusal::crowded);
    }
    const auto now = clock::now();
    c = std::make_shared<connection>(*this, std::move(socket), tls_ ? &*tls_ : nullptr,
                                     pulse::tuning{options_.beat, options_.silence_max}, now,
                                     now + options_.hello_max);
    count_in(*c, address);
  }
  c->open(true, options_.socket_buffer_bytes);
}

void links::worker::count_in(connection& c, const base::address_bytes& from) {
  c.counted = from;
  ++unidentified_of_[from];
  unidentified_.insert(c.shared_from_this());
}

void links::worker::count_out(connection& c) {
  if (!c.counted) return;
  if (--unidentified_of_[*c.counted] == 0) unidentified_of_.erase(*c.counted);
  c.counted.reset();
  unidentified_.erase(c.shared_from_this());
}

void links::worker::dial_all(base::instant now) {
  std::vector<std::pair<connection_ref, tcp::endpoint>> all;
  lock held{mutex_};
  if (stopped_) return;
  for (const auto& [id, m] : members_) {
    if (m->out || now < m->next_try) continue;
    const auto to = read_peer_address(m->address);
    if (!to || (!tls_ && !base::is_loopback(*to))) {
      m->why = std::string{to_string(break_cause::address)} + ": " + m->address;
      m->next_try = now + options_.connect_pause_max;
      ++numbers_.broken[break_cause::address];
      continue;
    }
    m->out = std::make_shared<connection>(*this, tcp::socket{io_}, tls_ ? &*tls_ : nullptr,
                                          pulse::tuning{options_.beat, options_.silence_max}, now,
                                          now + options_.hello_max);
    m->out->peer = id;
    all.emplace_back(m->out, tcp::endpoint{address_of(*to), to->port});
  }
  finish(held);
  for (const auto& [c, to] : all) c->connect(to, options_.socket_buffer_bytes);
}

links::worker::member* links::worker::find(const connection& c) const {
  if (!c.peer) return nullptr;
  const auto at = members_.find(*c.peer);
  if (at == members_.end()) return nullptr;
  auto& m = *at->second;
  return m.out.get() == &c || m.in.get() == &c ? &m : nullptr;
}

void links::worker::on_open(connection& c) {
  const lock held{mutex_};
  if (c.peer) {
    auto* const m = find(c);
    if (m == nullptr) return c.close();
    c.frames.allow(frame_bytes_max);
    append(c.calls.emplace(who_, m->state).begin(), c.output);
    write(c);
  }
  c.read();
}

void links::worker::on_bytes(connection& c, std::size_t bytes) {
  lock held{mutex_};
  const auto self = c.shared_from_this();
  numbers_.received_bytes += bytes;
  c.heart.on_bytes(clock::now());
  while (!c.is_closed() && !c.closes) {
    const auto next = c.frames.next();
    if (!next) break;
    if (const auto* wrong = std::get_if<fault>(&*next)) {
      const auto why = ending_of(*wrong);
      c.peer ? end(c, why.cause, why.why) : refuse(c, refusal::garbage);
      break;
    }
    take(c, std::get<frame>(*next), held);
  }
  if (!c.is_closed()) {
    if (c.answers)
      if (const auto a = c.answers->take_acknowledgement()) append(*a, c.output);
    fill(c);
    write(c);
  }
  finish(held);
}

void links::worker::take(connection& c, const frame& what, lock& held) {
  if (!c.peer) return greet(c, what);
  auto* const m = find(c);
  if (m == nullptr) return c.close();
  if (c.calls) {
    const auto wrong = c.calls->on_frame(what);
    if (wrong) return end(c, wrong->cause, wrong->why);
    if (m->up_out || !c.calls->is_up()) return;
    m->up_out = true;
    m->build = c.calls->build();
    m->pause.reset();
    return note_up(*m);
  }
  const auto effect = c.answers->on_frame(what);
  if (const auto* wrong = std::get_if<ending>(&effect)) return end(c, wrong->cause, wrong->why);
  const auto* arrived = std::get_if<message>(&effect);
  if (arrived == nullptr) return;
  ++numbers_.received_messages;
  if (!events_.on_message) return;
  const auto from = *c.peer;
  held.unlock();
  events_.on_message(from, arrived->bytes);
  held.lock();
}

void links::worker::greet(connection& c, const frame& what) {
  const auto* h = std::get_if<hello>(&what);
  if (h == nullptr) return refuse(c, refusal::garbage);
  const auto at = members_.find(h->from);
  auto* const m = at == members_.end() ? nullptr : at->second.get();
  if (const auto why = check(*h, who_, m == nullptr ? nullptr : &m->state)) return refuse(c, *why);
  count_out(c);
  if (m->in) end(*m->in, break_cause::replaced, "replaced");
  c.peer = h->from;
  m->in = c.shared_from_this();
  c.frames.allow(frame_bytes_max);
  append(c.answers.emplace(who_, m->state, *h, options_.unanswered_bytes_max).answer(), c.output);
  m->up_in = true;
  m->build = h->build;
  note_up(*m);
}

void links::worker::note_up(member& m) {
  if (m.up || !m.up_out || !m.up_in) return;
  m.up = true;
  m.since = clock::now();
  if (events_.on_up) later([this, id = m.state.id] { events_.on_up(id); });
}

void links::worker::end(connection& c, break_cause cause, const std::string& why) {
  if (c.is_closed()) return;
  const auto self = c.shared_from_this();
  c.close();
  count_out(c);
  auto* const m = find(c);
  if (m == nullptr) return;
  ++numbers_.broken[cause];
  m->why = why;
  const auto now = clock::now();
  if (m->out == self) {
    m->out.reset();
    m->up_out = false;
    m->state.out.disconnect();
    m->next_try = now + m->pause.next();
  } else {
    m->in.reset();
    m->up_in = false;
  }
  if (!std::exchange(m->up, false)) return;
  m->since = now;
  ++numbers_.breaks;
  if (events_.on_broken) later([this, id = m->state.id, why] { events_.on_broken(id, why); });
}

void links::worker::refuse(connection& c, refusal why) {
  count(why);
  append(refused{why}, c.output);
  c.closes = true;
  write(c);
}

void links::worker::count(refusal why) {
  ++numbers_.refused[why];
  const auto now = clock::now();
  const auto at = logged_.find(why);
  if (at != logged_.end() && now - at->second < log_pause) return;
  logged_[why] = now;
  base::log::warning("a connection to the links is refused",
                     {{"why", std::string{to_string(why)}}, {"refused", numbers_.refused[why]}});
}

void links::worker::fill(connection& c) {
  auto* const m = find(c);
  if (m != nullptr && c.calls && c.calls->is_up()) m->state.out.write(c.output, write_bytes);
}

void links::worker::write(connection& c) {
  if (c.output.empty() || c.is_writing() || c.is_closed()) return;
  numbers_.sent_bytes += c.output.size();
  c.heart.on_write(clock::now());
  c.write();
}

void links::worker::on_written(connection& c, std::size_t, bool done) {
  lock held{mutex_};
  c.heart.on_progress(clock::now(), done);
  if (!done) return;
  if (c.closes && c.output.empty()) {
    c.close();
    return count_out(c);
  }
  fill(c);
  write(c);
}

void links::worker::on_failure(connection& c, const std::string& why, bool tls) {
  lock held{mutex_};
  if (c.peer) {
    const auto dialled = c.calls ? !c.calls->is_up() : !c.answers;
    end(c,
        tls       ? break_cause::certificate
        : dialled ? break_cause::unreachable
                  : break_cause::closed,
        tls ? "certificate: " + why : why);
  } else {
    if (tls) count(refusal::certificate);
    c.close();
    count_out(c);
  }
  finish(held);
}

void links::worker::flush() {
  const lock held{mutex_};
  flush_posted_ = false;
  for (const auto& [id, m] : members_) {
    if (!m->out) continue;
    fill(*m->out);
    write(*m->out);
  }
}

void links::worker::look_at(connection& c, base::instant now) {
  if (c.is_closed()) return;
  const bool identified = c.answers || (c.calls && c.calls->is_up());
  if (!identified) {
    if (now < c.hello_until) return;
    if (c.peer) return end(c, break_cause::unreachable, "no answer in time");
    if (!c.closes) count(refusal::silent);
    c.close();
    return count_out(c);
  }
  const auto found = c.heart.check(now);
  if (found.silent) return end(c, break_cause::silent, "silent");
  if (!found.ping) return;
  append(ping{}, c.output);
  write(c);
}

void links::worker::tick() {
  const auto now = clock::now();
  {
    lock held{mutex_};
    if (stopped_) return;
    std::vector<connection_ref> all{unidentified_.begin(), unidentified_.end()};
    for (const auto& [id, m] : members_)
      for (const auto& each : {m->out, m->in})
        if (each) all.push_back(each);
    for (const auto& each : all) look_at(*each, now);
    finish(held);
  }
  dial_all(now);
  if (!accepting_) accept();
  timer_.expires_after(std::max(options_.beat / 4, std::chrono::milliseconds{1}));
  timer_.async_wait([this](error_code cancelled) {
    if (!cancelled) tick();
  });
}

}  // namespace gamehub::link::net
