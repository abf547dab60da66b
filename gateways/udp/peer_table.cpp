#include "gateways/udp/peer_table.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace gamehub::gateways::udp {

peer_table::peer_table(peers_setup setup) : setup_(std::move(setup)) {
  if (!setup_.senders) setup_.senders = std::make_shared<source_quota>();
  if (!setup_.players)
    setup_.players = std::make_shared<player_quota>(std::numeric_limits<std::size_t>::max());
}

void peer_table::receive(const endpoint& from, std::string_view bytes, base::instant now,
                         peers_output& out) {
  const auto hash = base::hash_of(from, setup_.key);
  auto slot = find(from, hash);
  const bool newcomer = slot == nil;
  if (newcomer && !bytes.empty() && forward_if_misrouted(from, hash, bytes[0], out)) return;
  ++counts_.received;
  // The game of this client ran in a hub that is gone, or its datagrams went to another hub before.
  // One byte for one byte, so that a forged sender gains nothing.
  if (newcomer && !bytes.empty() && bytes::needs_game(bytes[0])) {
    out.datagrams.push_back({from, bytes::quit});
    ++counts_.sent;
    return;
  }
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
  // Dropped as if it were lost: the client repeats it.
  if (is_throttled(p, bytes[0], now)) {
    ++counts_.ignored, ++counts_.throttled;
    return;
  }
  if (begins_again) p.counted = true;
  const auto was_due = p.machine.next();
  const bool was_proven = p.machine.proven();
  const auto done = p.machine.receive(bytes[0], now, setup_.settings);
  if (done.ignored) ++counts_.ignored;
  if (done.rejected)
    ++(bytes::cell(bytes[0]) < setup_.settings.cells ? counts_.space_not_empty
                                                     : counts_.out_of_bounds);
  if (p.machine.proven() && !was_proven) ++counts_.proven;
  apply(slot, done, was_due, now, out);
}

void peer_table::deliver(peer_id to, const event& what, base::instant now, peers_output& out) {
  auto* p = find_peer(to);
  if (p == nullptr) return;
  const auto was_due = p->machine.next();
  const auto information = information_of(*p, what);
  apply(to.slot, p->machine.on_event(what, now, information), was_due, now, out);
}

void peer_table::closed(peer_id which, base::instant now, peers_output& out) {
  if (find_peer(which) != nullptr) close(which.slot, now, out);
}

void peer_table::close_where(const std::function<bool(const endpoint&)>& there, base::instant now,
                             peers_output& out) {
  for (std::uint32_t slot = 0; slot < peers_.size(); ++slot)
    if (peers_[slot].used && there(peers_[slot].from)) close(slot, now, out);
}

void peer_table::close(std::uint32_t slot, base::instant now, peers_output& out) {
  auto& machine = peers_[slot].machine;
  const auto was_due = machine.next();
  const auto done = machine.hub_closed(now);
  release_session(slot, out);
  apply(slot, done, was_due, now, out);
}

void peer_table::advance(base::instant now, peers_output& out) {
  int left = limits::udp_timed_per_turn_max;
  for (auto& each : queues_) {
    while (each.first != nil && peers_[each.first].machine.next() <= now) {
      if (left-- == 0) return;
      const auto slot = each.first;
      const auto was_due = peers_[slot].machine.next();
      const auto done = peers_[slot].machine.advance(now);
      counts_.resent += done.sent;
      apply(slot, done, was_due, now, out);
    }
  }
}

base::instant peer_table::next() const {
  auto soonest = base::instant::max();
  for (const auto& each : queues_)
    if (each.first != nil) soonest = std::min(soonest, peers_[each.first].machine.next());
  return soonest;
}

bool peer_table::knows(const endpoint& e) const {
  return find(e, base::hash_of(e, setup_.key)) != nil;
}

std::size_t peer_table::bytes() const {
  return sizeof *this + peers_.size() * sizeof(peer) + index_.bytes();
}

std::uint32_t peer_table::find(const endpoint& e, std::uint64_t hash) const {
  return index_.find(hash, [&](std::uint32_t slot) { return peers_[slot].from == e; });
}

// True if another socket has the session of this address: the kernel may have changed its
// assignment. An address that opens a game and has no session anywhere is assigned to this socket.
bool peer_table::forward_if_misrouted(const endpoint& from, std::uint64_t hash, char byte,
                                      peers_output& out) {
  if (!setup_.directory) return false;
  const auto at = bytes::opens(byte) && !draining_ ? setup_.directory->claim(hash, setup_.number)
                                                   : setup_.directory->find(hash);
  if (!at || *at == setup_.number) return false;
  ++counts_.misrouted;
  out.misrouted.push_back({*at, from, byte});
  return true;
}

bool peer_table::has_bound(const endpoint& from) const {
  return setup_.per_address_max != 0 && (setup_.bound_loopback || !base::is_loopback(from));
}

bool peer_table::is_throttled(const peer& p, char byte, base::instant now) {
  return setup_.guest_games && p.machine.begins_unproven_game(byte, setup_.settings) &&
         guest_games_.take(*setup_.guest_games, now).has_value();
}

bool peer_table::count_in(const endpoint& from) {
  return !has_bound(from) ||
         setup_.senders->add_up_to(setup_.per_address_max, base::hash_of_sender(from, setup_.key));
}

void peer_table::count_out(const endpoint& from) {
  if (has_bound(from)) setup_.senders->remove(base::hash_of_sender(from, setup_.key));
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

// Makes room for one more address. Removes the entry whose loss matters least.
bool peer_table::make_room(peers_output& out) {
  if (queue_of(queue::newcomer).size >= setup_.newcomers_max) evict_first(queue::newcomer, out);
  if (sessions() < setup_.sessions_max) return true;
  return evict_first(queue::newcomer, out) || evict_guest(out) || evict_first(queue::ended, out) ||
         evict_first(queue::status, out);
}

bool peer_table::evict_guest(peers_output& out) {
  const auto most =
      *std::max_element(std::begin(guest_queues), std::end(guest_queues),
                        [this](queue a, queue b) { return queue_of(a).size < queue_of(b).size; });
  return evict_first(most, out);
}

bool peer_table::evict_first(queue q, peers_output& out) {
  if (queue_of(q).first == nil) return false;
  ++counts_.evicted;
  drop(queue_of(q).first, out);
  return true;
}

void peer_table::drop(std::uint32_t slot, peers_output& out) {
  release_session(slot, out);
  auto& p = peers_[slot];
  const auto hash = base::hash_of(p.from, setup_.key);
  index_.erase(hash, slot);
  if (setup_.directory) setup_.directory->release(hash, setup_.number);
  if (p.counted) count_out(p.from);
  unlink(slot);
  p.used = false;
  p.next = free_;
  free_ = slot;
}

peer_table::peer* peer_table::find_peer(peer_id which) {
  if (which.slot >= peers_.size()) return nullptr;
  auto& p = peers_[which.slot];
  return p.used && p.generation == which.generation ? &p : nullptr;
}

void peer_table::apply(std::uint32_t slot, machine_output done, base::instant was_due,
                       base::instant now, peers_output& out) {
  auto& p = peers_[slot];
  send(p, done, out);
  if (done.request == hub_request::seek && !add_player(out)) {
    ++counts_.refused;
    done = p.machine.hub_closed(now);
    send(p, done, out);
  } else if (done.request != hub_request::nothing) {
    submit_request(slot, done, out);
  }
  if (p.machine.at() == state::none) return drop(slot, out);
  // An ended game is kept, but needs no player in the hub.
  if (p.machine.at() == state::ended) release_session(slot, out);
  if (p.machine.at() == state::ended && std::exchange(p.counted, false)) count_out(p.from);
  // Without a new deadline the entry keeps its position, because the queue is ordered by deadline.
  const auto q = queue_for(p);
  if (q == p.in && p.machine.next() == was_due) return;
  unlink(slot);
  link(slot, q);
  limit_queues(out);
}

void peer_table::send(const peer& to, const machine_output& done, peers_output& out) {
  for (std::uint8_t i = 0; i < done.sent; ++i) out.datagrams.push_back({to.from, done.bytes[i]});
  counts_.sent += done.sent;
}

void peer_table::limit_queues(peers_output& out) {
  if (guests() > setup_.guests_max) evict_guest(out);
  if (queue_of(queue::status).size > setup_.statuses_max) evict_first(queue::status, out);
}

std::size_t peer_table::guests() const {
  std::size_t out = 0;
  for (const auto q : guest_queues) out += queue_of(q).size;
  return out;
}

// Counts one more player of the port. If the port has as many as it may, a guest makes room.
bool peer_table::add_player(peers_output& out) {
  if (!setup_.players->add() && !(evict_guest(out) && setup_.players->add())) return false;
  ++players_;
  return true;
}

// Counts a move of the hub's side, for as long as a peer plays that the echo of it may prove.
std::uint8_t peer_table::information_of(const peer& p, const event& what) {
  const auto* shown = std::get_if<position_ref>(&what.what);
  if (shown == nullptr || !*shown || p.machine.proven()) return 0;
  const auto cell = p.machine.cell_of_move(**shown);
  return cell ? moves_.add((*shown)->cells, *cell) : std::uint8_t{0};
}

void peer_table::submit_request(std::uint32_t slot, const machine_output& done, peers_output& out) {
  auto& p = peers_[slot];
  if (done.request == hub_request::seek) p.has_session = true;
  if (!p.has_session) return;
  out.commands.push_back(
      {{slot, p.generation}, peer_command::kind::submit, ++p.tickets, intent_for(p, done)});
}

intent peer_table::intent_for(const peer& p, const machine_output& done) const {
  if (done.request == hub_request::leave) return leave{};
  if (done.request == hub_request::play) {
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

// The new generation makes events of the released session invalid.
void peer_table::release_session(std::uint32_t slot, peers_output& out) {
  auto& p = peers_[slot];
  if (!std::exchange(p.has_session, false)) return;
  --players_;
  setup_.players->remove();
  out.commands.push_back({{slot, p.generation}, peer_command::kind::release, 0, {}});
  ++p.generation;
}

peer_table::queue peer_table::queue_for(const peer& p) {
  const auto& m = p.machine;
  if (m.at() == state::ended) return m.keeps_status() ? queue::status : queue::ended;
  if (!m.proven() && m.at() == state::final_ && p.has_session) return queue::leaving;
  if (!m.proven() && m.at() != state::final_) {
    if (!p.has_session) return queue::newcomer;
    return m.has_evidence() ? queue::echoing : queue::silent;
  }
  if (m.waits_for_seat()) return queue::waiting;
  if (m.repeats_again()) return queue::again;
  return m.next() == base::instant::max() ? queue::quiet : queue::resend;
}

void peer_table::link(std::uint32_t slot, queue q) {
  auto& p = peers_[slot];
  auto& in = queue_of(q);
  p.in = q;
  p.previous = in.last;
  p.next = nil;
  (in.last == nil ? in.first : peers_[in.last].next) = slot;
  in.last = slot;
  ++in.size;
}

void peer_table::unlink(std::uint32_t slot) {
  const auto& p = peers_[slot];
  auto& from = queue_of(p.in);
  (p.previous == nil ? from.first : peers_[p.previous].next) = p.next;
  (p.next == nil ? from.last : peers_[p.next].previous) = p.previous;
  --from.size;
}

}  // namespace gamehub::gateways::udp
