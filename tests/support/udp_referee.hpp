// The hub of one UDP client in a test: one match of a real engine against random moves, told in the
// events that the hub tells. Intents and time in; events, each with its time, out; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/time.hpp"

namespace gamehub::tests {

struct udp_opponent {
  duration thinks_max{0};        // before each of its moves
  duration comes_after{0};       // from the client's seek
  std::optional<int> leaves_at;  // instead of this move of its own
  duration turn_max{0};          // the client's clock; zero: none
};

class udp_referee {
 public:
  udp_referee(const engines::engine&, const udp_opponent&, std::uint64_t seed);

  void take(const intent&, ticket, instant now);

  // The next event that is due, if any.
  instant next() const;
  std::optional<event> give(instant now);

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
    instant due;
    event what;
  };

  void begin(const seek&, instant now);
  void play(const gamehub::play&, ticket, instant now);
  void answer_with_a_move(instant now);
  void end(end_reason, std::optional<seat_index> winner);
  void tell(decltype(event::what), instant due, ticket answers = 0);
  void show(std::optional<seat_index> by, instant due, ticket answers = 0);
  void set_clock(instant now);
  duration thinking();

  engines::engine engine_;
  udp_opponent opponent_;
  seeded_entropy dice_;
  std::optional<engines::match> match_;
  std::optional<outcome> outcome_;
  std::deque<due_event> events_;  // by time, as the hub tells them in order
  instant opponent_due_ = instant::max();
  instant clock_ = instant::max();
  seat_index seat_ = 0;
  int opponent_moves_ = 0;
  std::uint64_t plays_ = 0, refusals_ = 0;
};

}  // namespace gamehub::tests
