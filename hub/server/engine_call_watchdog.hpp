// Watches the loops for engines that do not come back: logs each such call with the engine's name
// and counts it. Owned by the hub and run by its first thread; numbers() by any.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <vector>

#include "actors/catalog.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/watchdog.hpp"
#include "hub/core/limits.hpp"
#include "metrics/engine_numbers.hpp"

namespace gamehub::app {

class engine_call_watchdog {
 public:
  // All of these outlive it.
  engine_call_watchdog(boost::asio::io_context&, const loop_threads&, const actors::catalog&,
               std::chrono::milliseconds slow_after);

  void start();
  void stop() { timer_.cancel(); }

  // How often which engine was slow, and the longest call that is not over.
  void add_to(metrics::engine_numbers&) const;

 private:
  void look();
  void tell(const watchdog::finding&);

  const loop_threads& loops_;
  const actors::catalog& offered_;
  const std::chrono::milliseconds pause_;
  boost::asio::steady_timer timer_;
  watchdog watchdog_;
  std::vector<watchdog::sample> samples_;
  std::array<std::atomic<std::uint64_t>, limits::engines_max> slow_{};  // by kind
  std::atomic<std::chrono::nanoseconds::rep> longest_{0};
};

}  // namespace gamehub::app
