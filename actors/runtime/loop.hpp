// A loop: one thread that runs the actors pinned to it, their timers and, in the program, the
// sockets of their clients. Actors see only this class. Two kinds exist: loop_asio runs on a
// thread and real time; loop_manual runs step by step in tests and the simulation.
//
// One turn of a loop: handlers, timers, actors (each with a bound), commits, then the turn's end,
// where gateways flush what was written. Everything is called on the loop's thread, but for
// exec_later(), post(), committed() and here(), which any thread may call.
#pragma once

#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/interfaces.hpp"
#include "hub/core/timers.hpp"
#include "hub/journal/journal.hpp"
#include "metrics/cells.hpp"

namespace gamehub::actors {

// What a loop runs: an actor that has messages.
class job : public caf::resumable {
 public:
  // Has the memory brought near that the job points to and will touch when it runs. Called shortly
  // before that, when the job itself is near already.
  virtual void prefetch() const {}
};

class loop : public caf::execution_unit, public journal::commit_listener {
 public:
  loop(caf::actor_system& system, int index, metrics::cells& cells, instant start);
  ~loop() override;
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  int index() const { return index_; }
  metrics::cells& cells() { return cells_; }
  gamehub::timers& timers() { return timers_; }

  // When the current turn began; the clock's own time in a handler that ends a wait, as the turn
  // before may be long ago.
  instant now() const { return waiting_ ? std::chrono::steady_clock::now() : now_; }
  virtual wall_time wall_now() const = 0;
  // What the clock says, also in the middle of a turn.
  virtual instant clock() const = 0;

  // Whether the caller is on this loop's thread.
  bool here() const;

  // Runs `what` in one of the next turns.
  void post(std::function<void()> what);

  // Where the games of this loop write, which is told when a turn is over. Outlives the loop.
  void write_to(journal::journal& log) { log_ = &log; }

  // Runs at the end of every turn.
  void at_turn_end(std::function<void()> what) { iteration_end_ = std::move(what); }

  // The game wants to hear of commits until it says otherwise.
  void await_commits(game_id, game_actor);
  void forget_commits(game_id);

  // Requires: a job.
  void exec_later(caf::resumable*) override;
  void committed(std::span<const journal::commit>) override;

 protected:
  // Something came from another thread while the loop sleeps; called once until run_foreign().
  virtual void wake() = 0;

  // The loop is about to wait for as long as it takes. False if something has come meanwhile, which
  // nobody will wake it for.
  bool try_sleep();
  void wake_up() { sleeping_.store(false, std::memory_order_relaxed); }
  // Something has come.
  bool called() const { return has_incoming_.load(std::memory_order_relaxed); }

  // The parts of a turn.
  void begin_wait() { waiting_ = true; }
  void begin_iteration(instant now) {
    now_ = now;
    waiting_ = false;
  }
  // True if something had come.
  bool run_incoming();
  void run_timers() { timers_.advance(now_); }
  // Runs at most `max` actors; true if some are left.
  bool run_actors(int max);
  void end_turn() {
    // First, so that other loops and the journal go on while the sockets are flushed.
    hand_over();
    if (log_ != nullptr) log_->flush();
    if (iteration_end_) iteration_end_();
    hand_over();
  }
  bool idle() const { return queue_head_ == queue_.size(); }
  std::size_t queue_length() const { return queue_.size() - queue_head_; }

  // Makes the calling thread this loop's own.
  void enter();
  void leave();

 private:
  // What came from elsewhere, or goes there.
  struct cross_thread_batch {
    std::vector<job*> jobs;
    std::vector<std::function<void()>> posts;

    bool empty() const { return jobs.empty() && posts.empty(); }
    void clear() { jobs.clear(), posts.clear(); }
  };

  // What is on its way to a loop, from the loop whose thread calls: it leaves there at the end of
  // the turn, at the price of one lock and one wake for all of it. Null on any other thread.
  cross_thread_batch* outgoing_batch();
  void hand_over();
  // Has what will run next brought near.
  void prefetch_next() const;
  // Takes in what another thread has.
  template <class Add>
  void add_incoming(Add add);

  const int index_;
  metrics::cells& cells_;
  instant now_;
  bool waiting_ = false;
  journal::journal* log_ = nullptr;
  gamehub::timers timers_;
  std::function<void()> iteration_end_;
  std::unordered_map<game_id, game_actor> awaiting_commits_;

  // A queue that is filled at the end and emptied from queue_head_.
  std::vector<job*> queue_;
  std::size_t queue_head_ = 0;

  // By loop, what this one has for it.
  std::vector<std::pair<loop*, cross_thread_batch>> outgoing_;

  // Whether somebody has to wake the loop for what just came. Requires: foreign_mutex_.
  bool must_wake();

  std::mutex incoming_mutex_;
  std::atomic<bool> has_incoming_ = false;  // written under the mutex
  std::atomic<bool> sleeping_ = true;   // set under the mutex
  cross_thread_batch incoming_, came_;
  std::vector<journal::commit> incoming_commits_, came_commits_;
};

}  // namespace gamehub::actors
