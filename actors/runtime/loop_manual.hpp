// A loop without thread or real time, for unit tests and the simulation: nothing runs until it is
// told to, and its clock moves only when told to. The whole hub runs on it, on one thread.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>

#include "actors/loop.hpp"

namespace gamehub::actors {

class loop_manual final : public loop {
 public:
  loop_manual(caf::actor_system& system, int index, metrics::cells& cells)
      : loop(system, index, cells, instant{std::chrono::hours{1}}), clock_(now()) {}

  wall_time wall_now() const override {
    return wall_time{
        std::chrono::duration_cast<std::chrono::milliseconds>(clock_.time_since_epoch())};
  }

  // One turn. False if there was nothing to do.
  bool step() {
    enter();
    begin_iteration(clock_);
    const auto came = run_incoming();
    run_timers();
    const auto had_work = came || !idle();
    run_actors(1);
    end_turn();
    leave();
    return had_work || !idle();
  }

  // Moves the clock; what is due then runs in the next step.
  void set_clock(instant to) { clock_ = to; }
  instant clock() const override { return clock_; }

 private:
  void wake() override {}

  instant clock_;
};

}  // namespace gamehub::actors
