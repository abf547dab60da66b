// The interface of a protocol of datagrams, each of which says a byte: datagrams, events and time
// in; datagrams and orders to the hub out. A datagram protocol owns no socket, thread or clock.
// One serves all addresses that speak to one socket; the socket owns it and calls it from one
// thread. Those of one wire may know of each other, so that each address has one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "gateways/endpoint.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/time.hpp"
#include "hub/core/wire.hpp"

namespace gamehub::gateways {

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

// A datagram that came to one socket and is for another one's peers.
struct misrouted_datagram {
  std::size_t socket = 0;
  endpoint from;
  char byte = 0;
};

// The owner clears it; its capacity stays.
struct peers_output {
  std::vector<datagram> datagrams;
  std::vector<order> orders;
  std::vector<misrouted_datagram> strays;

  void clear() { datagrams.clear(), orders.clear(), strays.clear(); }
};

// What happened since the beginning.
struct peers_counts {
  std::uint64_t received = 0;  // datagrams, all but the strays
  std::uint64_t said = 0;      // datagrams, the timed ones included
  std::uint64_t resent = 0;    // the timed ones
  std::uint64_t ignored = 0;   // received, and nothing came of it
  std::uint64_t refused = 0;   // of these: asked for a game, and there was no room
  std::uint64_t evicted = 0;   // sessions that made room
  std::uint64_t misrouted = 0;   // datagrams for the peers of another socket
};

class datagram_protocol {
 public:
  virtual ~datagram_protocol() = default;

  // One datagram. Of a longer one the first byte counts.
  virtual void receive(const endpoint& from, std::string_view bytes, instant now,
                       peers_output&) = 0;

  // The hub tells a peer something, or has nothing more for it. Nothing if it was released.
  virtual void deliver(peer_id, const event&, instant now, peers_output&) = 0;
  virtual void closed(peer_id, instant now, peers_output&) = 0;

  // The hub has nothing more for those who are at such addresses, whatever they do.
  virtual void close_where(const std::function<bool(const endpoint&)>&, instant now,
                           peers_output&) = 0;

  // Does what is due, a bounded part of it at a time.
  virtual void advance(instant now, peers_output&) = 0;
  // When advance() has something to do; never: instant::max().
  virtual instant next() const = 0;

  // The hub goes down: from now on no game begins.
  virtual void drain() = 0;

  virtual std::size_t sessions() const = 0;
  // Of them: those that were never heard to answer.
  virtual std::size_t newcomers() const = 0;
  // Of them: those to whom a byte is said again, as they have not answered it.
  virtual std::size_t unsettled() const = 0;
  virtual const peers_counts& counts() const = 0;
};

// What the protocol of a wire needs to know. The bounds hold for all sockets of the wire together.
struct datagram_setup {
  engine_traits engine;
  bool against_engine = true;  // else against whoever comes
  std::size_t sockets = 1;
  std::size_t sessions_max = 0;
  // Games of one sender; zero is no bound. Loopback is exempt unless bound_loopback.
  std::uint32_t per_address_max = 0;
  bool bound_loopback = false;
};

// One for each socket of a wire, in their order. The entropy is used during the call alone.
using datagram_protocols = std::vector<std::unique_ptr<datagram_protocol>>;

}  // namespace gamehub::gateways
