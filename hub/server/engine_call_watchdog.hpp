// Samples the loops for engine calls that take too long; logs and counts each one with the name of
// the engine. Owned by the composition and run by the program's first thread; add_to() from any.
#pragma once

#include "actors/table/engine_directory.hpp"
#include "hub/core/limits.hpp"
#include "hub/server/loop_threads.hpp"
#include "hub/server/watchdog.hpp"
#include "metrics/engine_numbers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace gamehub::server {

class engine_call_watchdog {
 public:
  // All arguments outlive it.
  engine_call_watchdog(boost::asio::io_context&, const loop_threads&,
                       const actors::table::engine_directory&,
                       std::chrono::milliseconds slow_after);

  // Start and stop the sampling.
  void start();
  void stop() { timer_.cancel(); }

  // Adds the number of slow calls of each engine, and the longest call that still runs.
  void add_to(metrics::engine_numbers&) const;

 private:
  void check();
  void report(const watchdog::stall&);

  const loop_threads& loops_;
  const actors::table::engine_directory& engines_;
  const std::chrono::milliseconds pause_;
  boost::asio::steady_timer timer_;
  watchdog watchdog_;
  std::vector<watchdog::sample> samples_;
  std::array<std::atomic<std::uint64_t>, limits::engines_max> slow_{};  // by engine kind
  std::atomic<std::chrono::nanoseconds::rep> longest_{0};
};

}  // namespace gamehub::server
