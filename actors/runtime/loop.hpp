// A loop: one thread that runs its actors, their timers and, in the program, the sockets of their
// clients. Actors use only this class. loop_asio runs on a thread and real time; loop_manual runs
// step by step in tests and the simulation.
//
// One iteration of a loop runs handlers, timers, deferred tasks and actors (each with a bound),
// then sends batches to other loops, then calls the end-of-iteration function, in which gateways
// flush their output, then runs parts of long work. Every function is called on the loop's thread,
// except exec_later(), post(), committed() and is_current(), which any thread may call.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/runtime/late_times.hpp"
#include "actors/runtime/move_messages.hpp"
#include "engines/host/engine.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/fault_listener.hpp"
#include "hub/journal/journal.hpp"
#include "metrics/cells.hpp"

#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::runtime {

// An entry of the run queue: an actor that has messages.
class resumable_task : public caf::resumable {
 public:
  // Prefetches the data that the task points to and reads when it runs. Called shortly before it
  // runs, when the task itself is in the cache.
  virtual void prefetch() const {}
};

class loop : public caf::execution_unit, public journal::commit_listener {
 public:
  loop(caf::actor_system& system, int index, metrics::cells& cells, base::instant start);
  ~loop() override;
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  int index() const { return index_; }
  metrics::cells& cells() { return cells_; }
  base::timers& timers() { return timers_; }
  move_messages& moves() { return moves_; }

  // The start of the current iteration. In a handler that ends a wait it is the current time,
  // because the iteration has not started yet.
  base::instant now() const { return waiting_ ? std::chrono::steady_clock::now() : now_; }
  // The number of the current iteration, from 1.
  std::uint64_t turn() const { return turn_; }
  virtual base::wall_time wall_now() const = 0;
  // The current time, also within an iteration.
  virtual base::instant clock() const = 0;

  // The latest times in which this loop was late. Any thread.
  const late_times& late() const { return late_; }

  // True if the caller runs on this loop's thread.
  bool is_current() const;

  // Runs `what` in one of the next iterations. Any thread.
  void post(std::function<void()> what);

  // Runs `what` in this or a later iteration, each of which runs limits::deferred_per_turn_max of
  // these tasks: for work that comes in large numbers, so that the rest of the loop does not wait
  // for all of it. In order. On the loop's thread.
  void defer(std::function<void()> what) { deferred_.push_back(std::move(what)); }

  // Runs `what` at the end of this or a later iteration, behind the output of all else. Each runs
  // such tasks for limits::part_time_of_iteration, and one at least: for a part, of at most that
  // time, of work that may wait. Its next part is another task. In order. On the loop's thread.
  void defer_part(std::function<void()> what) { parts_.push_back(std::move(what)); }
  // The same, before the parts that wait: for the rest of work that holds much memory until its
  // end.
  void continue_part(std::function<void()> what) { parts_.push_front(std::move(what)); }

  // Sets the journal of this loop's games, which is flushed at the end of each iteration. It
  // outlives the loop.
  void write_to(journal::journal& log) { log_ = &log; }

  // Sets the receiver of faults; null: none. It outlives the loop.
  void report_faults_to(fault_listener* to) { faults_ = to; }
  // Reports that an engine failed; a zero id means no game. `seat` and `action` are those of
  // engine_fault. On the loop's thread, as the next.
  void report(const engines::host::engine&, game_id, const engines::host::engine_failure&,
              std::optional<int> seat = {}, std::optional<std::int64_t> action = {});
  // Reports and counts the exception that is being handled. Requires: called in a catch block.
  void report_fault(std::string_view where);

  // Runs `what` at the end of this iteration, with the flush of the journal: once, however often it
  // is called meanwhile. `what` is the same function each time, and outlives the loop. On the
  // loop's thread.
  void flush_links(const std::function<void()>& what) { links_flush_ = &what; }
  // The loop of the calling thread; null: it has none.
  static loop* of_this_thread();

  // Sets the function that runs at the end of every iteration.
  void at_turn_end(std::function<void()> what) { iteration_end_ = std::move(what); }

  // Sends log_committed to the game for each commit, until stop_awaiting_commits().
  void await_commits(game_id, game_actor);
  void stop_awaiting_commits(game_id);
  // Calls `what` once, at the next commit of the game. Only for games without an actor.
  void at_next_commit(game_id game, std::function<void()> what) {
    commit_calls_[game] = std::move(what);
  }

  // Adds an actor to the run queue. Any thread. The argument must be a resumable_task.
  void exec_later(caf::resumable*) override;
  // Called by the journal when records are durable. Any thread.
  void committed(std::span<const journal::commit>) override;

 protected:
  // Another thread added work while the loop sleeps. Called once until run_incoming().
  virtual void wake() = 0;

  // Declares that the loop is about to wait without a limit. Returns false if work has arrived, for
  // which no thread will call wake().
  bool try_sleep();
  void set_awake() { sleeping_.store(false, std::memory_order_relaxed); }
  // True if another thread has added work.
  bool has_incoming() const { return has_incoming_.load(std::memory_order_relaxed); }

  // An iteration, or the wait for a timer beyond its time, has taken this long.
  void note_time(base::instant from, base::instant to) { late_.add(from, to); }
  // From that moment on a task takes time which note_time() will tell, or one that will be late.
  void begin_task(base::instant when) { late_.begin(when); }

  // The parts of an iteration.
  void begin_wait() { waiting_ = true; }
  void begin_iteration(base::instant now) {
    now_ = now;
    ++turn_;
    waiting_ = false;
  }
  // Takes the work that other threads added. Returns true if there was any.
  bool run_incoming();
  void run_timers() {
    // An exception of one timer must not keep the others from running.
    while (!run_task("a timer", [this] { timers_.advance(now_); })) continue;
  }
  void run_deferred();
  // Runs the next part of long work. Returns false if there was none.
  bool run_part();
  bool has_parts() const { return !parts_.empty(); }
  // Runs at most `max` actors.
  void run_actors(int max);
  void end_iteration() {
    // First, so that other loops and the journal work while the sockets are flushed.
    post_batch();
    if (log_ != nullptr) run_task("the flush of the journal", [this] { log_->flush(); });
    if (const auto* const flush = std::exchange(links_flush_, nullptr))
      run_task("the flush of the links", *flush);
    if (iteration_end_) run_task("the end of an iteration", iteration_end_);
    post_batch();
  }
  bool idle() const { return queue_length() == 0 && deferred_.empty() && parts_.empty(); }
  std::size_t queue_length() const { return queue_.size() - queue_head_; }

  // Runs a task. An exception is reported, because it must not end the thread of all other tasks.
  // Returns false if there was one.
  template <class Task>
  bool run_task(std::string_view name, Task&& task) {
    try {
      task();
      return true;
    } catch (...) {
      report_fault(name);
      return false;
    }
  }

  // Makes the calling thread the thread of this loop, until leave().
  void enter();
  void leave();

 private:
  // Work from other threads, or for another loop.
  struct cross_thread_batch {
    std::vector<resumable_task*> jobs;
    std::vector<std::function<void()>> posts;

    bool empty() const { return jobs.empty() && posts.empty(); }
    void clear() { jobs.clear(), posts.clear(); }
  };

  // The batch from the calling thread's loop to this loop, or null if the thread has no loop. The
  // batch is sent at the end of that loop's iteration, with one lock and one wake-up.
  cross_thread_batch* outgoing_batch();
  void post_batch();
  // Prefetches the actors that run next.
  void prefetch_next() const;
  // Calls `add` under the mutex and wakes the loop if necessary.
  template <class Add>
  void add_incoming(Add add);

  const int index_;
  metrics::cells& cells_;
  base::instant now_;
  std::uint64_t turn_ = 0;
  bool waiting_ = false;
  late_times late_;
  journal::journal* log_ = nullptr;
  const std::function<void()>* links_flush_ = nullptr;
  fault_listener* faults_ = nullptr;
  base::timers timers_;
  move_messages moves_;
  std::function<void()> iteration_end_;
  std::unordered_map<game_id, game_actor> awaiting_commits_;
  std::unordered_map<game_id, std::function<void()>> commit_calls_;

  // The run queue: added at the end, removed at queue_head_.
  std::vector<resumable_task*> queue_;
  std::size_t queue_head_ = 0;

  std::deque<std::function<void()>> deferred_, parts_;

  // Batches for other loops.
  std::vector<std::pair<loop*, cross_thread_batch>> outgoing_;

  void run_commits(const std::vector<journal::commit>&);

  // True if the caller, which holds incoming_mutex_, must call wake().
  bool must_wake();

  std::mutex incoming_mutex_;
  std::atomic<bool> has_incoming_ = false;  // written under the mutex
  std::atomic<bool> sleeping_ = true;       // set under the mutex
  cross_thread_batch incoming_, received_;
  std::vector<journal::commit> incoming_commits_, received_commits_;
};

}  // namespace gamehub::actors::runtime
