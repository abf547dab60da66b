// A loop without thread and real time, for unit tests and the simulation. It runs only in step(),
// and its clock moves only by set_clock(). The whole hub can run on manual loops, on one thread.
#pragma once

#include "actors/runtime/loop.hpp"

#include <chrono>
#include <functional>
#include <initializer_list>

namespace gamehub::actors::runtime {

class loop_manual final : public loop {
 public:
  loop_manual(caf::actor_system& system, int index, metrics::cells& cells)
      : loop(system, index, cells, base::instant{std::chrono::hours{1}}), clock_(now()) {}

  base::wall_time wall_now() const override {
    return base::wall_time{
        std::chrono::duration_cast<std::chrono::milliseconds>(clock_.time_since_epoch())};
  }

  // Runs one iteration. Returns false if there was no work.
  bool step() {
    enter();
    begin_iteration(clock_);
    const auto received = run_incoming();
    run_timers();
    const auto had_work = received || !idle();
    run_deferred();
    run_actors(1);
    end_iteration();
    const auto ran_part = run_part();
    leave();
    return had_work || ran_part || !idle();
  }

  // Calls `what` as a handler of this loop. Requires: no loop runs.
  template <class Handler>
  void call(Handler&& what) {
    enter();
    what();
    leave();
  }

  // Moves the clock. Timers that are due run in the next step.
  void set_clock(base::instant to) { clock_ = to; }
  base::instant clock() const override { return clock_; }
  // The loop is held up for that time, as by a call that takes so long.
  void hold_up(base::duration time) {
    note_time(clock_, clock_ + time);
    clock_ += time;
  }

 private:
  void wake() override {}

  base::instant clock_;
};

}  // namespace gamehub::actors::runtime
