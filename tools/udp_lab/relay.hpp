// The faults of the UDP proxy, without sockets: datagrams and time in, datagrams out. It drops,
// duplicates, delays and reorders datagrams at the given rates; the random choices depend only on
// the seed. The owner defines what a route means: a client and a direction. A plain value, one
// thread.
#pragma once

#include "hub/base/random.hpp"
#include "hub/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace gamehub::tools::udp_lab {

// Each a share of all datagrams, from 0 to 1.
struct fault_rates {
  double drop = 0;
  double duplicate = 0;
  double reorder = 0;
  // Of every datagram, so it does not change their order.
  base::duration delay = std::chrono::milliseconds{10};
  // The maximum of the additional delay of reordered datagrams and of second copies.
  base::duration late_max = std::chrono::milliseconds{200};
};

struct relayed_datagram {
  std::uint64_t route = 0;
  std::string bytes;
};

class relay {
 public:
  relay(const fault_rates& faults, std::uint64_t seed) : faults_(faults), dice_(seed) {}

  void push(relayed_datagram, base::instant now);

  // When pop() returns the next datagram; instant::max() without one.
  base::instant next() const;
  // Removes and returns the first datagram that is due, if any.
  std::optional<relayed_datagram> pop(base::instant now);

  struct tally {
    std::uint64_t taken = 0, dropped = 0, doubled = 0, reordered = 0, given = 0;
  };
  const tally& counts() const { return counts_; }
  // Copies that wait for their time.
  std::size_t waiting() const { return queue_.size(); }

 private:
  struct queued_datagram {
    base::instant due;
    std::uint64_t number = 0;  // orders datagrams that are due at the same time
    relayed_datagram what;

    friend bool operator<(const queued_datagram& a, const queued_datagram& b) {
      return a.due != b.due ? a.due > b.due : a.number > b.number;
    }
  };

  bool happens(double share);
  base::duration lateness();
  void send(relayed_datagram, base::instant due);

  fault_rates faults_;
  base::seeded_entropy dice_;
  std::priority_queue<queued_datagram> queue_;
  std::uint64_t numbers_ = 0;
  tally counts_;
};

}  // namespace gamehub::tools::udp_lab
