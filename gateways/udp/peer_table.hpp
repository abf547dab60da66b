// All remote addresses of one UDP socket: one state machine per address, and their deadlines.
// Datagrams, events and time in; datagrams and commands to the hub out. It limits memory and
// players under floods: a proven address in a game is never removed for one that is not proven,
// whose sender may be forged (a guest, once it has a player). A plain value without socket or
// clock; the loop of the socket owns it, one thread.
#pragma once

#include "gateways/datagrams.hpp"
#include "gateways/udp/address_index.hpp"
#include "gateways/udp/directory.hpp"
#include "gateways/udp/move_statistics.hpp"
#include "gateways/udp/peer_state_machine.hpp"
#include "gateways/udp/player_quota.hpp"
#include "gateways/udp/source_quota.hpp"
#include "gateways/udp/udp_limits.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/reasons.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
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
  std::size_t guests_max = limits::udp_sessions_max;
  std::size_t statuses_max = limits::udp_statuses_max;
  // Limit of running games of one sender; zero means no limit.
  std::uint32_t per_address_max = limits::connections_per_address_default;
  bool bound_loopback = false;
  // The rate of games that unproven addresses may begin; none means no limit.
  std::optional<base::request_rate> guest_games;

  // The number of this socket, and what all sockets of the port share: the directory of addresses,
  // the games of each sender and the players of the port. A single socket needs none of them.
  std::size_t number = 0;
  std::shared_ptr<udp::directory> directory;
  std::shared_ptr<source_quota> senders;
  std::shared_ptr<player_quota> players;
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
  std::size_t newcomers() const override { return queue_of(queue::newcomer).size + guests(); }
  std::size_t guests() const override;
  std::size_t players() const override { return players_; }
  std::size_t unsettled() const override {
    return queue_of(queue::resend).size + queue_of(queue::again).size +
           queue_of(queue::leaving).size;
  }
  const peers_counts& counts() const override { return counts_; }
  // Returns the approximate memory use in bytes.
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t nil = address_index::none;

  // All deadlines of a queue have the same distance from the time of insertion, so a new one is
  // always the last. The first entry is also the oldest when an entry has to be removed.
  enum class queue : std::uint8_t {
    newcomer,  // not proven, and has no player in the hub
    silent,    // a guest that has echoed no move that it could not guess
    echoing,   // a guest that has echoed some
    leaving,   // a guest whose game has ended
    resend,    // a byte will be repeated for the first time
    again,     // a byte will be repeated once more
    waiting,   // proven, and waits for an opponent
    ended,     // an ended game, kept for udp_ended_kept
    status,    // an ended game, kept for udp_status_kept
    quiet,     // no deadline
  };
  static constexpr std::size_t queue_count = 10;
  // The guests: not proven, but with a player in the hub. The kind that has the most makes room, so
  // that a flood of the cheapest kind removes its own.
  static constexpr queue guest_queues[] = {queue::silent, queue::echoing, queue::leaving};

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
  // True if an unproven address would begin a game above the rate of such games.
  bool is_throttled(const peer&, char byte, base::instant now);
  // Counts one more game of the sender; returns false if the sender has reached its limit.
  bool count_in(const endpoint&);
  void count_out(const endpoint&);
  bool make_room(peers_output&);
  bool evict_guest(peers_output&);
  bool evict_first(queue, peers_output&);
  void drop(std::uint32_t slot, peers_output&);

  peer* find_peer(peer_id);
  void close(std::uint32_t slot, base::instant now, peers_output&);
  void apply(std::uint32_t slot, machine_output, base::instant was_due, base::instant now,
             peers_output&);
  void send(const peer&, const machine_output&, peers_output&);
  bool add_player(peers_output&);
  void limit_queues(peers_output&);
  void submit_request(std::uint32_t slot, const machine_output&, peers_output&);
  std::uint8_t information_of(const peer&, const event&);
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
  move_statistics moves_;
  base::token_bucket guest_games_;
  std::size_t players_ = 0;
  bool draining_ = false;
};

}  // namespace gamehub::gateways::udp
