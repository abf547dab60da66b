// All remote addresses of one UDP socket: a machine for each, found by address and port, and the
// deadlines of all of them. Datagrams, events and time in; datagrams and orders to the hub out. It
// keeps bounds under floods: who is in a game never makes room for who only asked for one.
// A plain value without socket or clock; the loop of the socket owns it, one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/udp/address_index.hpp"
#include "gateways/udp/endpoint.hpp"
#include "gateways/udp/machine.hpp"
#include "gateways/udp/sender_tally.hpp"
#include "gateways/udp/udp_limits.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::gateways::udp {

// Names one session. Once it is released it names nothing, also when its slot has another.
struct peer_id {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const peer_id&, const peer_id&) = default;
};

struct datagram {
  endpoint to;
  char byte = 0;
};

// What the owner has to do for a peer: pass an intent on by the peer's door, which is opened for
// its first one (and has it closed() at once where the hub takes nobody), or destroy that door.
struct order {
  enum class kind : std::uint8_t { submit, release };

  peer_id from;
  kind what = kind::submit;
  gamehub::ticket ticket = 0;
  gamehub::intent intent;
};

// The owner clears it; its capacity stays.
struct peers_output {
  std::vector<datagram> datagrams;
  std::vector<order> orders;

  void clear() { datagrams.clear(), orders.clear(); }
};

struct peers_setup {
  std::string engine;
  gamehub::gateways::udp::ground ground;
  bool against_engine = true;
  hash_key key;  // random

  std::size_t sessions_max = limits::udp_sessions_max;
  std::size_t newcomers_max = limits::udp_newcomers_max;
  std::size_t guests_max = limits::udp_guests_max;
  std::size_t statuses_max = limits::udp_statuses_max;
  // Games of one sender that have not ended; zero is no bound.
  std::uint32_t per_address_max = limits::connections_per_address_default;
  bool bound_loopback = false;
};

// What happened since the beginning.
struct peers_counts {
  std::uint64_t received = 0;  // datagrams, all of them
  std::uint64_t said = 0;      // datagrams, the timed ones included
  std::uint64_t resent = 0;    // the timed ones
  std::uint64_t ignored = 0;   // received, and nothing came of it
  std::uint64_t refused = 0;   // of these: asked for a game, and there was no room
  std::uint64_t evicted = 0;   // sessions that made room
};

class peers {
 public:
  explicit peers(peers_setup);

  // One datagram. Of a longer one the first byte counts.
  void receive(const endpoint& from, std::string_view bytes, instant now, peers_output&);

  // The hub tells a peer something, or has nothing more for it. Nothing if it was released.
  void deliver(peer_id, const event&, instant now, peers_output&);
  void closed(peer_id, instant now, peers_output&);

  // Does what is due, a bounded part of it at a time.
  void advance(instant now, peers_output&);
  // When advance() has something to do; never: instant::max().
  instant next() const;

  // Whether it has a session; its datagrams may have come to another socket of the same port.
  bool knows(const endpoint&) const;

  std::size_t sessions() const { return index_.size(); }
  std::size_t newcomers() const { return line(queue::newcomer).size + guests(); }
  std::size_t guests() const { return line(queue::guest).size; }
  const peers_counts& counts() const { return counts_; }
  // What all sessions take here, more or less.
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t nil = address_index::none;

  // The deadlines of each queue lie equally far ahead, so that a new one is the last: keeping order
  // costs nothing, and the first is also the oldest when room has to be made.
  enum class queue : std::uint8_t {
    newcomer,  // asked for a game, was never heard to answer, and costs the hub nothing
    guest,     // the same, but has a player in the hub
    resend,    // a byte is to be said again
    ended,     // kept for a while
    status,    // kept for long
    quiet,     // waits for the hub or its client, without a deadline
  };
  static constexpr std::size_t queue_count = 6;

  struct line_of_peers {
    std::uint32_t first = nil, last = nil;
    std::size_t size = 0;
  };

  struct peer {
    endpoint from;
    gamehub::gateways::udp::machine machine;
    std::uint32_t previous = nil, next = nil;
    std::uint32_t generation = 0;
    gamehub::ticket tickets = 0;
    queue in = queue::quiet;
    bool has_door = false;
    bool used = false;
    bool counted = false;  // in senders_
  };

  line_of_peers& line(queue q) { return lines_[static_cast<std::size_t>(q)]; }
  const line_of_peers& line(queue q) const { return lines_[static_cast<std::size_t>(q)]; }

  std::uint32_t find(const endpoint&, std::uint64_t hash) const;
  std::uint32_t admit(const endpoint&, std::uint64_t hash, peers_output&);
  bool sender_has_room(const endpoint&) const;
  void count_sender(peer&, bool);
  bool make_room(peers_output&);
  bool evict_first(queue, peers_output&);
  void drop(std::uint32_t slot, peers_output&);

  peer* named(peer_id);
  void carry_out(std::uint32_t slot, const step&, instant was_due, peers_output&);
  void wish_for(std::uint32_t slot, const step&, peers_output&);
  intent intent_for(const peer&, const step&) const;
  void release_door(std::uint32_t slot, peers_output&);

  static queue queue_for(const peer&);
  void link(std::uint32_t slot, queue);
  void unlink(std::uint32_t slot);

  peers_setup setup_;
  std::deque<peer> peers_;
  std::uint32_t free_ = nil;  // of released slots, by `next`
  address_index index_;
  sender_tally senders_;
  std::array<line_of_peers, queue_count> lines_;
  peers_counts counts_;
};

}  // namespace gamehub::gateways::udp
