#include "actors/runtime/loop_asio.hpp"

#include "hub/core/limits.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>

namespace gamehub::actors::runtime {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// Time of one iteration for handlers: 128 of 4 microseconds, most of which read from a client.
constexpr std::chrono::microseconds handler_time_max{500};

// Looks at the clock now and then.
bool has_handler_time(int handlers, base::instant began) {
  constexpr int looked_at_each = 8;
  return handlers % looked_at_each != 0 || steady_clock::now() - began < handler_time_max;
}

}  // namespace

// Sockets of a loop are used on its thread only, so the reactor needs no locks; posting does.
loop_asio::loop_asio(caf::actor_system& system, int index, metrics::cells& cells)
    : loop(system, index, cells, steady_clock::now()), io_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO) {}

base::wall_time loop_asio::wall_now() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

void loop_asio::wake() {
  asio::post(io_, [this] { run_incoming(); });
}

void loop_asio::stop() {
  stopped_ = true;
  post([] {});
}

base::instant loop_asio::wait(bool busy, base::instant now) {
  auto until = busy ? std::optional{now} : timers().next();
  // A process that is stopped in a wait finds out from the end of the wait only.
  if (until) until = std::min(*until, now + late_times::wait_max);
  const auto ends = until.value_or(base::instant::max());
  begin_task(ends);
  run_task("a handler", [&] {
    if (busy) {
      io_.poll_one();
    } else if (until) {
      io_.run_one_until(*until);
    } else {
      io_.run_one();
    }
  });
  return ends;
}

// Runs at most one handler. Returns how many ran; one that throws counts.
std::size_t loop_asio::poll_one() {
  std::size_t ran = 1;
  run_task("a handler", [&] { ran = io_.poll_one(); });
  return ran;
}

bool loop_asio::run_parts() {
  if (!has_parts()) return false;
  const auto end = steady_clock::now() + limits::part_time_of_iteration;
  while (run_part() && steady_clock::now() < end) continue;
  return true;
}

void loop_asio::run() {
  enter();
  const auto keep = asio::make_work_guard(io_);
  auto& count = cells().loop;
  // What other loops sent before the stop is still handled: an actor that stays queued is never
  // freed.
  auto now = steady_clock::now();
  for (bool busy = false; busy || has_incoming() || !stopped_;) {
    count.waiting.set(1);
    begin_wait();
    // Other threads wake the loop only while it sleeps, because a wake-up is a system call and
    // would otherwise be necessary for each message between loops.
    const auto due = wait(busy || !try_sleep(), now);
    set_awake();
    count.waiting.set(0);
    const auto start = steady_clock::now();
    if (due < start) note_time(due, start);
    begin_task(start);
    begin_iteration(start);
    for (int i = 1;
         i < limits::handlers_per_turn_max && has_handler_time(i, start) && poll_one() != 0;)
      ++i;
    if (has_incoming()) run_incoming();
    run_timers();
    run_deferred();
    run_actors(limits::actors_per_turn_max);
    end_iteration();
    // What parts send is flushed by another iteration. A flush may have resumed a paused
    // connection.
    busy = run_parts() || !idle();
    now = steady_clock::now();
    note_time(start, now);
    const auto took = (now - start).count();
    count.turns.add();
    count.beat.add();
    count.busy_nanoseconds.add(took);
    count.stall_nanoseconds_max.raise_to(took);
    count.timers_pending.set(static_cast<std::int64_t>(timers().pending()));
  }
  leave();
}

}  // namespace gamehub::actors::runtime
