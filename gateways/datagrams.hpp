// The interface of a datagram protocol with one byte per datagram: datagrams, events and time in;
// datagrams and commands to the hub out. A datagram protocol owns no socket, thread or clock. One
// object serves all addresses of one socket; the owner of the socket owns it and calls it from one
// thread. The objects of one port share a directory, so that each address has its session at one
// socket.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace gamehub::gateways {

// Identifies one session. After its release the id is invalid, also if the slot is used again.
struct peer_id {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const peer_id&, const peer_id&) = default;
};

// One datagram to send.
struct datagram {
  base::endpoint to;
  char byte = 0;
};

// A command to the owner. `submit`: passes the intent to the peer's session handle, which is opened
// for its first intent; if the hub accepts no player, the owner calls closed(). `release`: destroys
// the handle.
struct peer_command {
  enum class kind : std::uint8_t { submit, release };

  peer_id from;
  kind what = kind::submit;
  gamehub::ticket ticket = 0;
  gamehub::intent intent;
};

// A datagram whose session belongs to another socket of the port.
struct misrouted_datagram {
  std::size_t socket = 0;
  base::endpoint from;
  char byte = 0;
};

// The output of one call. The owner clears it and reuses its capacity.
struct peers_output {
  std::vector<datagram> datagrams;
  std::vector<peer_command> commands;
  std::vector<misrouted_datagram> misrouted;

  // Removes all entries.
  void clear() { datagrams.clear(), commands.clear(), misrouted.clear(); }
};

// Counters since the start.
struct peers_counts {
  std::uint64_t received = 0;   // datagrams, without the misrouted ones
  std::uint64_t sent = 0;       // datagrams, including timed repeats
  std::uint64_t resent = 0;     // timed repeats
  std::uint64_t ignored = 0;    // received datagrams that had no effect
  std::uint64_t refused = 0;    // ignored datagrams that asked for a game when a limit was reached
  std::uint64_t throttled = 0;  // ignored: would have begun a game above the rate of guests
  // Moves that the protocol itself refused: to a cell that does not exist, or that is taken.
  std::uint64_t out_of_bounds = 0, space_not_empty = 0;
  std::uint64_t evicted = 0;    // sessions removed to make room for others
  std::uint64_t proven = 0;     // addresses that proved that they receive what is sent to them
  std::uint64_t misrouted = 0;  // datagrams for sessions of another socket
};

class datagram_protocol {
 public:
  virtual ~datagram_protocol() = default;

  // Handles one datagram. Only its first byte counts.
  virtual void receive(const base::endpoint& from, std::string_view bytes, base::instant now,
                       peers_output&) = 0;

  // Delivers an event of the hub to a peer, or tells it that its session in the hub has ended. Both
  // ignore ids of released sessions.
  virtual void deliver(peer_id, const event&, base::instant now, peers_output&) = 0;
  virtual void closed(peer_id, base::instant now, peers_output&) = 0;

  // Ends the hub sessions of all matching addresses, whatever their state.
  virtual void close_where(const std::function<bool(const base::endpoint&)>&, base::instant now,
                           peers_output&) = 0;

  // Handles expired deadlines, a bounded number per call.
  virtual void advance(base::instant now, peers_output&) = 0;
  // Returns the time of the next deadline, or instant::max() without a deadline.
  virtual base::instant next() const = 0;

  // The hub is stopping: no new game starts.
  virtual void drain() = 0;

  // Returns the number of sessions.
  virtual std::size_t sessions() const = 0;
  // Returns the number of sessions whose address is not proven: its sender may be forged.
  virtual std::size_t newcomers() const = 0;
  // Returns the number of players in the hub, and of those whose address is not proven (guests).
  virtual std::size_t players() const = 0;
  virtual std::size_t guests() const = 0;
  // Returns the number of sessions that wait for an acknowledgement of a repeated byte.
  virtual std::size_t unsettled() const = 0;
  // Returns the counters.
  virtual const peers_counts& counts() const = 0;
};

// The settings of the protocol of one port. The limits hold for all its sockets together.
struct datagram_setup {
  engine_traits engine;
  bool against_engine = true;  // else against other players
  std::size_t sockets = 1;
  std::size_t sessions_max = 0;
  std::size_t players_max = 0;  // in the hub
  std::size_t games_max = 0;    // of the whole hub
  // Games of one sender; zero means no limit. Loopback is exempt unless bound_loopback is set.
  std::uint32_t per_address_max = 0;
  bool bound_loopback = false;
  // Games in a second that unproven addresses may begin at one socket; zero means no limit.
  std::uint32_t guest_rate = 0;
};

// One object for each socket of a port, in order. The random source is used only during the call.
using datagram_protocols = std::vector<std::unique_ptr<datagram_protocol>>;

}  // namespace gamehub::gateways
