// All remote addresses of one UDP socket: a machine for each, found by address and port, and the
// deadlines of all of them. Datagrams, events and time in; datagrams and orders to the hub out. It
// keeps bounds under floods: who is in a game never makes room for who only asked for one.
// A plain value without socket or clock; the loop of the socket owns it, one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/datagrams.hpp"
#include "gateways/udp/address_index.hpp"
#include "gateways/udp/directory.hpp"
#include "gateways/udp/machine.hpp"
#include "gateways/udp/sender_tally.hpp"
#include "gateways/udp/udp_limits.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::gateways::udp {

using gateways::datagram;
using gateways::endpoint;
using gateways::hash_key;
using gateways::order;
using gateways::peer_id;
using gateways::peers_counts;
using gateways::peers_output;

struct peers_setup {
  std::string engine;
  gamehub::gateways::udp::ground ground;
  bool against_engine = true;
  hash_key key;  // random

  std::size_t sessions_max = limits::udp_sessions_max;
  std::size_t newcomers_max = limits::udp_newcomers_max;
  std::size_t guests_max = limits::udp_unverified_max;
  std::size_t statuses_max = limits::udp_statuses_max;
  // Games of one sender that have not ended; zero is no bound.
  std::uint32_t per_address_max = limits::connections_per_address_default;
  bool bound_loopback = false;

  // Which of the sockets of its port it is, and what they share: which of them has an address, and
  // how many games each sender has. A socket that is alone needs neither.
  std::size_t number = 0;
  std::shared_ptr<udp::directory> directory;
  std::shared_ptr<source_quota> senders;
};

class peer_table final : public datagram_protocol {
 public:
  explicit peer_table(peers_setup);

  void receive(const endpoint& from, std::string_view bytes, instant now, peers_output&) override;
  void deliver(peer_id, const event&, instant now, peers_output&) override;
  void closed(peer_id, instant now, peers_output&) override;
  void close_where(const std::function<bool(const endpoint&)>&, instant now,
                   peers_output&) override;
  void advance(instant now, peers_output&) override;
  instant next() const override;
  void drain() override { draining_ = true; }

  // Whether it has a session here.
  bool knows(const endpoint&) const;

  std::size_t sessions() const override { return index_.size(); }
  std::size_t newcomers() const override { return line(queue::newcomer).size + guests(); }
  std::size_t unsettled() const override { return line(queue::resend).size; }
  std::size_t guests() const { return line(queue::guest).size; }
  const peers_counts& counts() const override { return counts_; }
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

  struct peer_queue {
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
    bool has_session = false;
    bool used = false;
    bool counted = false;  // with its sender: its game has not ended
  };

  peer_queue& line(queue q) { return lines_[static_cast<std::size_t>(q)]; }
  const peer_queue& line(queue q) const { return lines_[static_cast<std::size_t>(q)]; }

  std::uint32_t find(const endpoint&, std::uint64_t hash) const;
  bool strays(const endpoint&, std::uint64_t hash, char byte, peers_output&);
  std::uint32_t admit(const endpoint&, std::uint64_t hash, peers_output&);
  bool has_bound(const endpoint&) const;
  // False, and nothing is counted, if the sender has as many games as it may.
  bool count_in(const endpoint&);
  void count_out(const endpoint&);
  bool make_room(peers_output&);
  bool evict_first(queue, peers_output&);
  void drop(std::uint32_t slot, peers_output&);

  peer* named(peer_id);
  void close(std::uint32_t slot, instant now, peers_output&);
  void carry_out(std::uint32_t slot, const step&, instant was_due, peers_output&);
  void wish_for(std::uint32_t slot, const step&, peers_output&);
  intent intent_for(const peer&, const step&) const;
  void release_session(std::uint32_t slot, peers_output&);

  static queue queue_for(const peer&);
  void link(std::uint32_t slot, queue);
  void unlink(std::uint32_t slot);

  peers_setup setup_;
  std::deque<peer> peers_;
  std::uint32_t free_ = nil;  // of released slots, by `next`
  address_index index_;
  std::array<peer_queue, queue_count> lines_;
  peers_counts counts_;
  bool draining_ = false;
};

}  // namespace gamehub::gateways::udp
