// All remote addresses of one UDP socket: one state machine per address, and their deadlines.
// Datagrams, events and time in; datagrams and commands to the hub out. It limits memory under
// floods: an address in a game is never removed for an address that only asked for one. A plain
// value without socket or clock; the loop of the socket owns it, one thread.
#pragma once

#include "gateways/datagrams.hpp"
#include "gateways/udp/address_index.hpp"
#include "gateways/udp/directory.hpp"
#include "gateways/udp/peer_state_machine.hpp"
#include "gateways/udp/source_quota.hpp"
#include "gateways/udp/udp_limits.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::udp {

using base::endpoint;
using base::hash_key;
using gateways::datagram;
using gateways::peer_command;
using gateways::peer_id;
using gateways::peers_counts;
using gateways::peers_output;

struct peers_setup {
  std::string engine;
  machine_settings settings;
  bool against_engine = true;
  hash_key key;  // random

  std::size_t sessions_max = limits::udp_sessions_max;
  std::size_t newcomers_max = limits::udp_newcomers_max;
  std::size_t unverified_max = limits::udp_unverified_max;
  std::size_t statuses_max = limits::udp_statuses_max;
  // Limit of running games of one sender; zero means no limit.
  std::uint32_t per_address_max = limits::connections_per_address_default;
  bool bound_loopback = false;

  // The number of this socket, and what all sockets of the port share: the directory of addresses
  // and the games of each sender. A single socket needs neither.
  std::size_t number = 0;
  std::shared_ptr<udp::directory> directory;
  std::shared_ptr<source_quota> senders;
};

class peer_table final : public datagram_protocol {
 public:
  explicit peer_table(peers_setup);

  void receive(const endpoint& from, std::string_view bytes, base::instant now,
               peers_output&) override;
  void deliver(peer_id, const event&, base::instant now, peers_output&) override;
  void closed(peer_id, base::instant now, peers_output&) override;
  void close_where(const std::function<bool(const endpoint&)>&, base::instant now,
                   peers_output&) override;
  void advance(base::instant now, peers_output&) override;
  base::instant next() const override;
  void drain() override { draining_ = true; }

  // Whether it has a session here.
  bool knows(const endpoint&) const;

  std::size_t sessions() const override { return index_.size(); }
  std::size_t newcomers() const override {
    return queue_of(queue::newcomer).size + unverified_players();
  }
  std::size_t unsettled() const override { return queue_of(queue::resend).size; }
  // Returns the number of addresses that never answered but have a player in the hub.
  std::size_t unverified_players() const { return queue_of(queue::unverified).size; }
  const peers_counts& counts() const override { return counts_; }
  // Returns the approximate memory use in bytes.
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t nil = address_index::none;

  // All deadlines of a queue have the same distance from the time of insertion, so a new one is
  // always the last. The first entry is also the oldest when an entry has to be removed.
  enum class queue : std::uint8_t {
    newcomer,    // asked for a game and never answered
    unverified,  // the same, but has a player in the hub
    resend,      // a byte will be repeated
    ended,       // an ended game, kept for udp_ended_kept
    status,      // an ended game, kept for udp_status_kept
    quiet,       // no deadline
  };
  static constexpr std::size_t queue_count = 6;

  struct peer_queue {
    std::uint32_t first = nil, last = nil;
    std::size_t size = 0;
  };

  struct peer {
    endpoint from;
    peer_state_machine machine;
    std::uint32_t previous = nil, next = nil;
    std::uint32_t generation = 0;
    gamehub::ticket tickets = 0;
    queue in = queue::quiet;
    bool has_session = false;
    bool used = false;
    bool counted = false;  // counted in source_quota: its game has not ended
  };

  peer_queue& queue_of(queue q) { return queues_[static_cast<std::size_t>(q)]; }
  const peer_queue& queue_of(queue q) const { return queues_[static_cast<std::size_t>(q)]; }

  std::uint32_t find(const endpoint&, std::uint64_t hash) const;
  // Forwards the datagram if another socket has the session; returns true if it did.
  bool forward_if_misrouted(const endpoint&, std::uint64_t hash, char byte, peers_output&);
  std::uint32_t admit(const endpoint&, std::uint64_t hash, peers_output&);
  bool has_bound(const endpoint&) const;
  // Counts one more game of the sender; returns false if the sender has reached its limit.
  bool count_in(const endpoint&);
  void count_out(const endpoint&);
  bool make_room(peers_output&);
  bool evict_first(queue, peers_output&);
  void drop(std::uint32_t slot, peers_output&);

  peer* find_peer(peer_id);
  void close(std::uint32_t slot, base::instant now, peers_output&);
  void apply(std::uint32_t slot, const machine_output&, base::instant was_due, peers_output&);
  void submit_request(std::uint32_t slot, const machine_output&, peers_output&);
  intent intent_for(const peer&, const machine_output&) const;
  void release_session(std::uint32_t slot, peers_output&);

  static queue queue_for(const peer&);
  void link(std::uint32_t slot, queue);
  void unlink(std::uint32_t slot);

  peers_setup setup_;
  std::deque<peer> peers_;
  std::uint32_t free_ = nil;  // list of free slots, linked
  address_index index_;
  std::array<peer_queue, queue_count> queues_;
  peers_counts counts_;
  bool draining_ = false;
};

}  // namespace gamehub::gateways::udp
