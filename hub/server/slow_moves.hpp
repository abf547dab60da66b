// Logs slow moves with trace, game and the duration of each stage, so that a slow bucket of
// gamehub_move_duration_seconds leads to a game. The log is a sample, because logging costs time
// and an overloaded hub has many slow moves. Owned by the composition; any loop calls.
#pragma once

#include "hub/core/slow_move.hpp"
#include "hub/server/engine_catalog.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::server {

// Admits `most_a_second` events per second and counts the others. A plain value; the time is a
// parameter.
class sampler {
 public:
  explicit sampler(int most_a_second) : most_(most_a_second) {}

  // If the event is admitted, returns how many were left out since the previous one.
  std::optional<std::uint64_t> take(base::instant now);

 private:
  int most_;
  int taken_ = 0;
  std::uint64_t left_out_ = 0;
  std::optional<base::instant> since_;
};

// The stages of an answer. Their sum is its whole duration. If the player is at another hub of the
// cluster, the first three are measured there, from the arrival of the intent at that hub.
struct stages {
  using time = std::chrono::microseconds;

  time reaching{};    // from the arrival of the bytes to the game: queues of loops, and the session
  time deciding{};    // the engine, and all it waits for
  time committing{};  // until the record is durable
  time telling{};     // from there to the client's socket; the link to another hub, both ways
};
// Computes the stages of a slow move.
stages stages_of(const slow_move&);

class slow_moves final : public slow_move_listener {
 public:
  explicit slow_moves(const engine_catalog&);

  void slow(const slow_move&) override;

 private:
  std::vector<std::string> wires_;  // names, by number
  std::mutex mutex_;
  sampler sampler_;
};

}  // namespace gamehub::server
