// Writes down moves that were slow, each with its trace, its game and how long each stage had it,
// so that a slow bucket of gamehub_move_duration_seconds leads to a game. A sample: a hub in
// trouble has more slow moves than anybody reads, and writing costs, too. Owned by the hub; any
// loop calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hub/app/offer.hpp"
#include "hub/core/slow_move.hpp"

namespace gamehub::app {

// Lets so many a second through and counts the others. A plain value, told the time.
class sampler {
 public:
  explicit sampler(int most_a_second) : most_(most_a_second) {}

  // If this one goes through: how many were left out since the one before.
  std::optional<std::uint64_t> take(instant now);

 private:
  int most_;
  int taken_ = 0;
  std::uint64_t left_out_ = 0;
  std::optional<instant> since_;
};

// Where the time of an answer went. The stages add up to the whole.
struct stages {
  using time = std::chrono::microseconds;

  time reaching{};  // from the bytes' arrival to the game: queues of loops, and a player's session
  time deciding{};  // the rules, and all that they had to wait for
  time committing{};  // until the journal had it
  time telling{};     // from there to the client's socket
};
stages stages_of(const slow_move&);

class slow_moves final : public slow_move_listener {
 public:
  explicit slow_moves(const offer&);

  void slow(const slow_move&) override;

 private:
  std::vector<std::string> wires_;  // their names, by number
  std::mutex mutex_;
  sampler sampler_;
};

}  // namespace gamehub::app
