// The hub of one UDP client in a test: one match of a real engine against random moves, told in the
// events that the hub tells. Intents and time in; events, each with its time, out; one thread.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::tests {

struct udp_opponent {
  base::duration thinks_max{0};   // before each of its moves
  base::duration comes_after{0};  // from the client's seek
  std::optional<int> leaves_at;   // instead of this move of the client
  base::duration turn_max{0};     // the client's clock; zero: none
};

class udp_referee {
 public:
  udp_referee(const engines::host::engine&, const udp_opponent&, std::uint64_t seed);

  void take(const intent&, ticket, base::instant now);

  // The next event that is due, if any.
  base::instant next() const;
  std::optional<event> give(base::instant now);

  bool sought() const { return match_.has_value(); }
  bool over() const { return outcome_.has_value(); }
  // Played to its end. Requires: over().
  bool by_rules() const { return outcome_->reason == end_reason::rules; }
  // As the client should have been told: C, D or S. Requires: over().
  char result() const;
  std::string board() const;
  std::uint64_t plays() const { return plays_; }
  std::uint64_t refusals() const { return refusals_; }

 private:
  struct due_event {
    base::instant due;
    event what;
  };

  void begin(const seek&, base::instant now);
  void play(const gamehub::play&, ticket, base::instant now);
  void answer_with_a_move(base::instant now);
  void end(end_reason, std::optional<seat_index> winner);
  void tell(decltype(event::what), base::instant due, ticket answers = 0);
  void show(std::optional<seat_index> by, base::instant due, ticket answers = 0);
  void set_clock(base::instant now);
  base::duration thinking();

  engines::host::engine engine_;
  udp_opponent opponent_;
  base::seeded_entropy dice_;
  std::optional<engines::host::match> match_;
  std::optional<outcome> outcome_;
  std::deque<due_event> events_;  // by time, as the hub tells them in order
  base::instant opponent_due_ = base::instant::max();
  base::instant clock_ = base::instant::max();
  seat_index seat_ = 0;
  int opponent_moves_ = 0;
  std::uint64_t plays_ = 0, refusals_ = 0;
};

}  // namespace gamehub::tests
