#include "gateways/udp/peers.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::gateways::udp {

peer_table::peer_table(peers_setup setup) : setup_(std::move(setup)) {
  if (!setup_.senders) setup_.senders = std::make_shared<source_quota>();
}

void peer_table::receive(const endpoint& from, std::string_view bytes, instant now, peers_output& out) {
  const auto hash = hash_of(from, setup_.key);
  auto slot = find(from, hash);
  const bool newcomer = slot == nil;
  if (newcomer && !bytes.empty() && strays(from, hash, bytes[0], out)) return;
  ++counts_.received;
  if (bytes.empty() || (newcomer && (draining_ || !bytes::opens(bytes[0])))) {
    ++counts_.ignored;
    return;
  }
  if (newcomer) slot = admit(from, hash, out);
  if (slot == nil) {
    ++counts_.ignored, ++counts_.refused;
    return;
  }
  auto& p = peers_[slot];
  const bool begins_again = p.machine.at() == state::ended && bytes::opens(bytes[0]);
  if (begins_again && (draining_ || !count_in(from))) {
    ++counts_.ignored, ++counts_.refused;
    return;
  }
  if (begins_again) p.counted = true;
  const auto was_due = p.machine.next();
  const auto done = p.machine.receive(bytes[0], now, setup_.ground);
  if (done.ignored) ++counts_.ignored;
  carry_out(slot, done, was_due, out);
}

void peer_table::deliver(peer_id to, const event& what, instant now, peers_output& out) {
  auto* p = named(to);
  if (p == nullptr) return;
  const auto was_due = p->machine.next();
  carry_out(to.slot, p->machine.tell(what, now), was_due, out);
}

void peer_table::closed(peer_id which, instant now, peers_output& out) {
  if (named(which) != nullptr) close(which.slot, now, out);
}

void peer_table::close_where(const std::function<bool(const endpoint&)>& there, instant now,
                        peers_output& out) {
  for (std::uint32_t slot = 0; slot < peers_.size(); ++slot)
    if (peers_[slot].used && there(peers_[slot].from)) close(slot, now, out);
}

void peer_table::close(std::uint32_t slot, instant now, peers_output& out) {
  auto& machine = peers_[slot].machine;
  const auto was_due = machine.next();
  const auto done = machine.hub_closed(now);
  release_session(slot, out);
  carry_out(slot, done, was_due, out);
}

void peer_table::advance(instant now, peers_output& out) {
  int left = limits::udp_timed_per_turn_max;
  for (auto& each : lines_) {
    while (each.first != nil && peers_[each.first].machine.next() <= now) {
      if (left-- == 0) return;
      const auto slot = each.first;
      const auto was_due = peers_[slot].machine.next();
      const auto done = peers_[slot].machine.advance(now);
      counts_.resent += done.said;
      carry_out(slot, done, was_due, out);
    }
  }
}

instant peer_table::next() const {
  auto soonest = instant::max();
  for (const auto& each : lines_)
    if (each.first != nil) soonest = std::min(soonest, peers_[each.first].machine.next());
  return soonest;
}

bool peer_table::knows(const endpoint& e) const { return find(e, hash_of(e, setup_.key)) != nil; }

std::size_t peer_table::bytes() const {
  return sizeof *this + peers_.size() * sizeof(peer) + index_.bytes();
}

std::uint32_t peer_table::find(const endpoint& e, std::uint64_t hash) const {
  return index_.find(hash, [&](std::uint32_t slot) { return peers_[slot].from == e; });
}

// Whether the datagram is for the peers of another socket: the kernel has not always given this
// address to the same one. Whoever opens belongs here from now on, if it belongs nowhere yet.
bool peer_table::strays(const endpoint& from, std::uint64_t hash, char byte, peers_output& out) {
  if (!setup_.directory) return false;
  const auto at = bytes::opens(byte) && !draining_ ? setup_.directory->claim(hash, setup_.number)
                                                   : setup_.directory->find(hash);
  if (!at || *at == setup_.number) return false;
  ++counts_.misrouted;
  out.strays.push_back({*at, from, byte});
  return true;
}

bool peer_table::has_bound(const endpoint& from) const {
  return setup_.per_address_max != 0 && (setup_.bound_loopback || !is_loopback(from));
}

bool peer_table::count_in(const endpoint& from) {
  return !has_bound(from) ||
         setup_.senders->add_up_to(setup_.per_address_max, hash_of_sender(from, setup_.key));
}

void peer_table::count_out(const endpoint& from) {
  if (has_bound(from)) setup_.senders->remove(hash_of_sender(from, setup_.key));
}

std::uint32_t peer_table::admit(const endpoint& from, std::uint64_t hash, peers_output& out) {
  const bool counted = count_in(from);
  if (!counted || !make_room(out)) {
    if (counted) count_out(from);
    if (setup_.directory) setup_.directory->release(hash, setup_.number);
    return nil;
  }
  auto slot = free_;
  if (slot == nil) {
    slot = static_cast<std::uint32_t>(peers_.size());
    peers_.emplace_back();
  } else {
    free_ = peers_[slot].next;
  }
  auto& p = peers_[slot];
  p.from = from;
  p.machine = {};
  p.tickets = 0;
  p.used = p.counted = true;
  index_.insert(hash, slot);
  link(slot, queue::quiet);
  return slot;
}

// Room for one more newcomer, at the cost of those who lose least.
bool peer_table::make_room(peers_output& out) {
  if (line(queue::newcomer).size >= setup_.newcomers_max) evict_first(queue::newcomer, out);
  if (sessions() < setup_.sessions_max) return true;
  return evict_first(queue::newcomer, out) || evict_first(queue::guest, out) ||
         evict_first(queue::ended, out) || evict_first(queue::status, out);
}

bool peer_table::evict_first(queue q, peers_output& out) {
  if (line(q).first == nil) return false;
  ++counts_.evicted;
  drop(line(q).first, out);
  return true;
}

void peer_table::drop(std::uint32_t slot, peers_output& out) {
  release_session(slot, out);
  auto& p = peers_[slot];
  const auto hash = hash_of(p.from, setup_.key);
  index_.erase(hash, slot);
  if (setup_.directory) setup_.directory->release(hash, setup_.number);
  if (p.counted) count_out(p.from);
  unlink(slot);
  p.used = false;
  p.next = free_;
  free_ = slot;
}

peer_table::peer* peer_table::named(peer_id which) {
  if (which.slot >= peers_.size()) return nullptr;
  auto& p = peers_[which.slot];
  return p.used && p.generation == which.generation ? &p : nullptr;
}

void peer_table::carry_out(std::uint32_t slot, const step& done, instant was_due, peers_output& out) {
  auto& p = peers_[slot];
  for (std::uint8_t i = 0; i < done.said; ++i) out.datagrams.push_back({p.from, done.bytes[i]});
  counts_.said += done.said;
  if (done.wish != wish::nothing) wish_for(slot, done, out);
  if (p.machine.at() == state::none) return drop(slot, out);
  // An ended game is kept in mind, and must not cost the hub a player.
  if (p.machine.at() == state::ended) release_session(slot, out);
  if (p.machine.at() == state::ended && std::exchange(p.counted, false)) count_out(p.from);
  // Who has no new deadline keeps its place in the line, which is in the order of deadlines.
  const auto q = queue_for(p);
  if (q == p.in && p.machine.next() == was_due) return;
  unlink(slot);
  link(slot, q);
  if (line(queue::guest).size > setup_.guests_max) evict_first(queue::guest, out);
  if (line(queue::status).size > setup_.statuses_max) evict_first(queue::status, out);
}

void peer_table::wish_for(std::uint32_t slot, const step& done, peers_output& out) {
  auto& p = peers_[slot];
  if (done.wish == wish::seek) p.has_session = true;
  if (!p.has_session) return;
  out.orders.push_back(
      {{slot, p.generation}, order::kind::submit, ++p.tickets, intent_for(p, done)});
}

intent peer_table::intent_for(const peer& p, const step& done) const {
  if (done.wish == wish::leave) return leave{};
  if (done.wish == wish::play) {
    play move;
    move.move.as = move::form::cell;
    move.move.cell = done.cell;
    return move;
  }
  seek game;
  game.engines.push_back(setup_.engine);
  game.seat_at_once = true;
  game.seat = p.machine.seat();
  game.against_engine = setup_.against_engine;
  return game;
}

// Events for the former door are nobody's from now on.
void peer_table::release_session(std::uint32_t slot, peers_output& out) {
  auto& p = peers_[slot];
  if (!std::exchange(p.has_session, false)) return;
  out.orders.push_back({{slot, p.generation}, order::kind::release, 0, {}});
  ++p.generation;
}

peer_table::queue peer_table::queue_for(const peer& p) {
  const auto& m = p.machine;
  if (m.at() == state::ended) return m.keeps_status() ? queue::status : queue::ended;
  if (m.at() != state::final_ && !m.answered()) return p.has_session ? queue::guest : queue::newcomer;
  return m.next() == instant::max() ? queue::quiet : queue::resend;
}

void peer_table::link(std::uint32_t slot, queue q) {
  auto& p = peers_[slot];
  auto& in = line(q);
  p.in = q;
  p.previous = in.last;
  p.next = nil;
  (in.last == nil ? in.first : peers_[in.last].next) = slot;
  in.last = slot;
  ++in.size;
}

void peer_table::unlink(std::uint32_t slot) {
  const auto& p = peers_[slot];
  auto& from = line(p.in);
  (p.previous == nil ? from.first : peers_[p.previous].next) = p.next;
  (p.next == nil ? from.last : peers_[p.next].previous) = p.previous;
  --from.size;
}

}  // namespace gamehub::gateways::udp
