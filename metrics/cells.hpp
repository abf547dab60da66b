// What the hub counts, as plain numbers: one block of cells per loop, written only by that
// loop's thread and read by the scrape at any time (a store and a load, no lock, no fence).
// Names, help texts and labels stand in metrics.cpp, the only place that knows Prometheus.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hub/core/reasons.hpp"

namespace gamehub::metrics {

// One writer, many readers.
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

// Durations in power-of-two buckets: bucket i counts up to 1 µs × 2^i, the last one the rest.
class duration_cells {
 public:
  static constexpr std::size_t bucket_count = 24;  // the last bound is 8.4 s

  static constexpr double bound_seconds(std::size_t i) {
    return 1e-6 * static_cast<double>(std::uint64_t{1} << i);
  }

  // The bucket that counts it; bucket_count above the last bound.
  static constexpr std::size_t bucket_of(std::chrono::nanoseconds t) {
    const auto us = t.count() <= 0 ? 0 : (static_cast<std::uint64_t>(t.count()) + 999) / 1000;
    const auto i = us <= 1 ? std::size_t{0} : static_cast<std::size_t>(std::bit_width(us - 1));
    return i < bucket_count ? i : bucket_count;
  }

  void observe(std::chrono::nanoseconds t) {
    buckets_[bucket_of(t)].add();
    nanoseconds_.add(t.count() < 0 ? 0 : t.count());
  }
  // Not cumulative; index bucket_count is what lies above the last bound.
  std::int64_t bucket(std::size_t i) const { return buckets_[i].value(); }
  double sum_seconds() const { return 1e-9 * static_cast<double>(nanoseconds_.value()); }

 private:
  std::array<cell, bucket_count + 1> buckets_;
  cell nanoseconds_;
};

// Who won, in bounded words.
enum class result : std::uint8_t { first, second, other, draw, none };
inline constexpr int result_count = 5;

// How the house found a move of its own: by a player that costs no more than a move, by thinking
// for as long as it may or for less, or by chance, as too many games wait for a thought.
enum class effort : std::uint8_t { at_once, full, hurried, random };
inline constexpr int effort_count = 4;

struct engine_cells {
  cell games_started;
  std::array<std::array<cell, end_reason_count>, result_count> games_finished;
  cell players_waiting;  // the lobby's loop only
  std::array<cell, effort_count> house_moves;
  duration_cells thinking_duration;  // of those that were thought of
};

struct move_cells {
  cell accepted, refused;
};

// Of a wire of datagrams, as gateways::peers_counts has them, and of its sockets.
struct datagram_cells {
  cell received, said, resent, ignored, refused, evicted, misrouted;
  cell sessions, newcomers;
  cell unsent;      // the socket took no more, or nobody can be reached there
  cell overflowed;  // came when the kernel had no room for them
};

// Of a wire of requests: answers by route and by the first digit of their status, from 1 on.
struct request_cells {
  static constexpr std::size_t routes_max = 24;
  static constexpr std::size_t status_classes = 5;

  std::array<std::array<cell, status_classes>, routes_max> answers;
  cell streams;  // open
};

struct wire_cells {
  cell connections_opened, connections_open;
  std::array<cell, close_reason_count> connections_closed;
  cell sessions_opened, sessions_open;
  cell sessions_failed;                 // ended by a fault of the hub's own
  std::array<cell, 4> protocol_errors;  // by gateways::protocol_error
  std::array<cell, refusal_count> refusals;
  cell bytes_received, bytes_sent;
  datagram_cells datagrams;       // all zero on wires of streams
  request_cells requests;         // all zero but on wires of requests
  duration_cells move_duration;   // bytes received → answer handed to the socket
  std::vector<move_cells> moves;  // by engine
};

// Of bots that the hub calls. How their calls went: answered, too late, or not at all.
struct bot_cells {
  static constexpr std::size_t methods = 4, call_results = 3, fault_codes = 5, register_results = 4;

  std::array<std::array<cell, call_results>, methods> calls;
  duration_cells call_duration;
  std::array<cell, fault_codes> faults;
  std::array<cell, register_results> registrations;
  cell online;
};

struct loop_cells {
  cell turns, actors_resumed, posts;
  cell run_queue_length;       // after the latest turn
  cell stall_nanoseconds_max;  // the longest turn since the start
  cell busy_nanoseconds;       // time in turns, waiting excluded
  cell beat;                   // raised by each turn; the liveness probe looks at it
  cell waiting;                // 1 while it has nothing to do
  cell timers_pending;
  cell engine_inside;  // the number of the engine that it is inside, counted from 1; 0: none
  cell engine_calls;   // how often it went into one
  cell games_failed;   // game actors ended by a fault of the hub's own
  cell journal_commits;
};

// All cells of one loop. Engines and wires are numbered as in the catalog given to metrics.
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
