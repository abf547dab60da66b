// The counters of the hub as plain numbers: one block of cells per loop, written only by that
// loop's thread and read by the scrape at any time (relaxed atomics, no lock). metrics.cpp has
// names, help texts and labels.
#pragma once

#include "hub/core/reasons.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gamehub::metrics {

// A counter or gauge with one writer and many readers.
class cell {
 public:
  void add(std::int64_t n = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void set(std::int64_t n) { value_.store(n, std::memory_order_relaxed); }
  void raise_to(std::int64_t n) {
    if (n > value()) set(n);
  }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

// A histogram of durations with power-of-two buckets: bucket i counts durations up to 1 µs × 2^i,
// the last bucket counts the rest.
class duration_cells {
 public:
  static constexpr std::size_t bucket_count = 24;  // the last bound is 8.4 s

  // Returns the upper bound of a bucket in seconds.
  static constexpr double bound_seconds(std::size_t i) {
    return 1e-6 * static_cast<double>(std::uint64_t{1} << i);
  }

  // Returns the bucket of a duration; bucket_count above the last bound.
  static constexpr std::size_t bucket_of(std::chrono::nanoseconds t) {
    const auto us = t.count() <= 0 ? 0 : (static_cast<std::uint64_t>(t.count()) + 999) / 1000;
    const auto i = us <= 1 ? std::size_t{0} : static_cast<std::size_t>(std::bit_width(us - 1));
    return i < bucket_count ? i : bucket_count;
  }

  // Counts one duration.
  void observe(std::chrono::nanoseconds t) {
    buckets_[bucket_of(t)].add();
    nanoseconds_.add(t.count() < 0 ? 0 : t.count());
  }
  // Returns the count of one bucket, not cumulative; index bucket_count is above the last bound.
  std::int64_t bucket(std::size_t i) const { return buckets_[i].value(); }
  double sum_seconds() const { return 1e-9 * static_cast<double>(nanoseconds_.value()); }

 private:
  std::array<cell, bucket_count + 1> buckets_;
  cell nanoseconds_;
};

// The result of a game as a label.
enum class result : std::uint8_t { first, second, other, draw, none };
inline constexpr int result_count = 5;

// How an engine player found a move: by a player without search, by a search with its full time or
// less, or at random because the search queue is full.
enum class effort : std::uint8_t { at_once, full, hurried, random };
inline constexpr int effort_count = 4;

// Why time of a turn was not charged to its player: a loop was late, the prompt or the move waited
// for the journal, or the hub was restarted or another one took the game over.
enum class credit_cause : std::uint8_t { loop, journal, restart };
inline constexpr int credit_cause_count = 3;

// Why a game that was asleep was read and replayed: its player came back, its clock ran out, a
// spectator or a list asked for it, or an operator did.
enum class wake_cause : std::uint8_t { player, clock, spectator, operator_ };
inline constexpr int wake_cause_count = 4;

struct engine_cells {
  cell games_started;
  // Those that fell asleep in this process, without those that woke: below zero if they fell asleep
  // in an earlier one.
  cell games_slept;
  std::array<std::array<cell, end_reason_count>, result_count> games_finished;
  cell players_waiting;  // counted by the lobby's loop only
  std::array<cell, effort_count> engine_moves;
  duration_cells thinking_duration;  // of moves found by a search
};

struct move_cells {
  cell accepted, refused;
};

// Counters of a datagram protocol (gateways::peers_counts) and of its sockets.
struct datagram_cells {
  cell received, sent, resent, ignored, refused, throttled, evicted, proven, misrouted;
  cell sessions, newcomers, guests;
  cell unsent;      // the kernel did not accept the datagram
  cell overflowed;  // dropped by the kernel's full receive buffer
};

// Counters of a request protocol: responses by route and by the first digit of the status, from 1
// on.
struct request_cells {
  static constexpr std::size_t routes_max = 28;
  static constexpr std::size_t status_classes = 5;

  std::array<std::array<cell, status_classes>, routes_max> answers;
  cell streams;              // open streams
  cell connections_evicted;  // idle, closed while the hub was full
};

struct wire_cells {
  cell connections_opened, connections_open;
  std::array<cell, close_reason_count> connections_closed;
  cell sessions_opened, sessions_open;
  cell connections_slowed;              // by refusals in a row
  cell sessions_failed;                 // ended by an internal error
  cell sessions_evicted;                // unused, closed while the hub was full
  std::array<cell, 4> protocol_errors;  // index: gateways::protocol_error
  std::array<cell, refusal_count> refusals;
  cell bytes_received, bytes_sent;
  datagram_cells datagrams;       // zero except for datagram protocols
  request_cells requests;         // zero except for request protocols
  duration_cells move_duration;   // from receiving the bytes to writing the reply to the socket
  std::vector<move_cells> moves;  // index: engine
};

// Counters of bots that the hub calls. Results of a call: answered, too late, failed.
struct bot_cells {
  static constexpr std::size_t methods = 4, call_results = 3, fault_codes = 5, register_results = 6;

  std::array<std::array<cell, call_results>, methods> calls;
  duration_cells call_duration;
  std::array<cell, fault_codes> faults;
  std::array<cell, register_results> registrations;
  cell online;
  cell calls_delayed;  // by other calls of the same owner
};

struct loop_cells {
  cell turns, actors_resumed, posts;
  cell run_queue_length;       // after the latest iteration
  cell stall_nanoseconds_max;  // the longest iteration since the start
  cell busy_nanoseconds;       // time in iterations, without waiting
  cell beat;                   // incremented by each iteration; read by the liveness probe
  cell waiting;                // 1 while the loop waits for events
  cell timers_pending;
  cell engine_inside;  // number of the engine of the active call, from 1; 0: none
  cell engine_calls;   // number of calls into engines
  cell games_failed;   // game actors ended by an internal error
  cell faults;         // exceptions that left an actor or a task
  cell journal_commits;
  cell players_gone, players_back;  // reports to games
  // Open games whose players may be away as long as the clock says, and those that were refused.
  cell lasting_games, lasting_games_refused;
  std::array<cell, leave_cause_count> substitutions;
  std::array<cell, credit_cause_count> clock_credits;  // microseconds
  // Counted by the lobby's loop only.
  cell games_asleep;
  std::array<cell, wake_cause_count> wakes;
  cell wakes_failed;             // the log could not be read or replayed
  duration_cells wake_duration;  // from the request that wakes the game
};

// All cells of one loop. Engines and protocols have the numbers of the catalog.
struct cells {
  cells(std::size_t engine_count, std::size_t wire_count)
      : engines(engine_count), wires(wire_count) {
    for (auto& w : wires) w.moves = std::vector<move_cells>(engine_count);
  }

  loop_cells loop;
  bot_cells bots;
  std::vector<engine_cells> engines;
  std::vector<wire_cells> wires;
};

}  // namespace gamehub::metrics
