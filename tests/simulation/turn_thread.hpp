// A thread that runs only while another one waits in resume(), so that a simulation with blocking
// calls is as repeatable as on one thread. It stops at each wait of hub/base/waiting.hpp. Owned and
// resumed by one thread.
#pragma once

#include "hub/base/waiting.hpp"

#include <functional>
#include <semaphore>
#include <thread>
#include <utility>

namespace gamehub::tests {

class turn_thread {
 public:
  explicit turn_thread(std::function<void()> what)
      : what_(std::move(what)), thread_([this] { run(); }) {}
  // Ends the function at its wait, by an exception.
  ~turn_thread() {
    abandoned_ = true;
    while (!ended_) resume();
    thread_.join();
  }
  turn_thread(const turn_thread&) = delete;
  turn_thread& operator=(const turn_thread&) = delete;

  // Runs the function until its next wait. Returns false if it has ended.
  bool resume() {
    if (ended_) return false;
    go_.release();
    back_.acquire();
    return !ended_;
  }

 private:
  struct end_of_function {};

  void run() {
    go_.acquire();
    base::instead_of_waiting = [this] {
      back_.release();
      go_.acquire();
      if (abandoned_) throw end_of_function{};
    };
    try {
      if (!abandoned_) what_();
    } catch (const end_of_function&) {
    }
    ended_ = true;
    back_.release();
  }

  const std::function<void()> what_;
  std::binary_semaphore go_{0}, back_{0};
  // Guarded by the semaphores:
  bool abandoned_ = false, ended_ = false;
  std::thread thread_;
};

}  // namespace gamehub::tests
