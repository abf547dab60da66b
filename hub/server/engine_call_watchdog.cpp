#include "hub/server/engine_call_watchdog.hpp"

#include "hub/base/log.hpp"

#include <algorithm>
#include <string>

namespace gamehub::server {

namespace {

using std::chrono::milliseconds;

// A quarter of the threshold measures durations well enough; the bounds limit the cost.
milliseconds pause_for(milliseconds slow_after) {
  return std::clamp(slow_after / 4, milliseconds{10}, milliseconds{250});
}

}  // namespace

engine_call_watchdog::engine_call_watchdog(boost::asio::io_context& io, const loop_threads& loops,
                                           const actors::table::engine_directory& directory,
                                           milliseconds slow_after)
    : loops_(loops),
      engines_(directory),
      pause_(pause_for(slow_after)),
      timer_(io),
      watchdog_(slow_after),
      samples_(loops.all_count()) {}

void engine_call_watchdog::start() {
  timer_.expires_after(pause_);
  timer_.async_wait([this](auto failed) {
    if (failed) return;
    check();
    start();
  });
}

void engine_call_watchdog::check() {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto& cells = loops_.cells(i).loop;
    samples_[i] = {cells.engine_calls.value(), cells.engine_inside.value()};
  }
  for (const auto& found : watchdog_.check(samples_, std::chrono::steady_clock::now()))
    report(found);
  longest_.store(std::chrono::nanoseconds{watchdog_.longest()}.count(), std::memory_order_relaxed);
}

void engine_call_watchdog::report(const watchdog::stall& found) {
  const auto& engine = engines_.engines[found.engine];
  const auto seconds = std::chrono::duration<double>{found.lasted}.count();
  if (!found.over) slow_[engine.kind].fetch_add(1, std::memory_order_relaxed);
  base::log::warning(found.over ? "a long engine call returned" : "an engine call takes long",
                     {{"engine", engine.traits.id},
                      {"version", engine.rules.version_text()},
                      {"loop", found.loop},
                      {"seconds", seconds}});
}

void engine_call_watchdog::add_to(metrics::engine_numbers& now) const {
  now.longest_call = std::chrono::nanoseconds{longest_.load(std::memory_order_relaxed)};
  for (std::uint16_t kind = 0; kind < engines_.kinds(); ++kind)
    now.slow.push_back({engines_.engines[engines_.newest(kind)].traits.id,
                        slow_[kind].load(std::memory_order_relaxed)});
}

}  // namespace gamehub::server
