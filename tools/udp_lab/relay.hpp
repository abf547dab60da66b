// A bad network between UDP clients and a hub, without a socket: datagrams and time in, datagrams
// out. It loses, doubles, delays and reorders them as often as it was told, by dice that a seed
// repeats. A route is whatever the owner means by it: an address and a direction.
// A plain value, one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "hub/core/entropy.hpp"
#include "hub/core/time.hpp"

namespace gamehub::app::udp_lab {

// Each a share of all datagrams, from 0 to 1.
struct fault_rates {
  double drop = 0;
  double duplicate = 0;
  double reorder = 0;
  // Of every datagram; so that alone it leaves their order as it is.
  duration delay = std::chrono::milliseconds{10};
  // At most so much more for what is reordered, and for the second of two copies.
  duration late_max = std::chrono::milliseconds{200};
};

struct relayed_datagram {
  std::uint64_t route = 0;
  std::string bytes;
};

class relay {
 public:
  relay(const fault_rates& faults, std::uint64_t seed) : faults_(faults), dice_(seed) {}

  void take(relayed_datagram, instant now);

  // When give() has something; never: instant::max().
  instant next() const;
  // The first datagram that is due, if any.
  std::optional<relayed_datagram> give(instant now);

  struct tally {
    std::uint64_t taken = 0, dropped = 0, doubled = 0, reordered = 0, given = 0;
  };
  const tally& counts() const { return counts_; }
  // Copies that were taken and not yet given.
  std::size_t waiting() const { return queue_.size(); }

 private:
  struct queued_datagram {
    instant due;
    std::uint64_t number = 0;  // of two that are due at once the first goes first
    relayed_datagram what;

    friend bool operator<(const queued_datagram& a, const queued_datagram& b) {
      return a.due != b.due ? a.due > b.due : a.number > b.number;
    }
  };

  bool happens(double share);
  duration lateness();
  void send(relayed_datagram, instant due);

  fault_rates faults_;
  seeded_entropy dice_;
  std::priority_queue<queued_datagram> queue_;
  std::uint64_t numbers_ = 0;
  tally counts_;
};

}  // namespace gamehub::app::udp_lab
