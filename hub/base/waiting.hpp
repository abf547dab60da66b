// The waits of threads that a simulation runs in turns: such a thread does not sleep until a
// condition holds or a time has passed, it calls the function of the simulation, which lets others
// run. Threads without a function wait as always. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gamehub::base {

// What a wait of this thread calls, instead of waiting. It may throw, which ends the wait. Empty in
// the product.
inline thread_local std::function<void()> instead_of_waiting;  // NOLINT: of simulations alone

// As changed.wait(lock, holds).
template <class Condition>
void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Condition holds) {
  if (!instead_of_waiting) return changed.wait(lock, holds);
  while (!holds()) {
    lock.unlock();
    instead_of_waiting();
    lock.lock();
  }
}

inline void sleep_for(std::chrono::milliseconds time) {
  instead_of_waiting ? instead_of_waiting() : std::this_thread::sleep_for(time);
}

}  // namespace gamehub::base
