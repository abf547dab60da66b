// A thread for reads that wait for a database, so that no loop does: one after the other, and a
// bounded number of them. Owned by log_writer; any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace gamehub::journal {

class read_queue {
 public:
  explicit read_queue(std::size_t waiting_max);
  ~read_queue() { stop(); }
  read_queue(const read_queue&) = delete;
  read_queue& operator=(const read_queue&) = delete;

  // Calls the function on the thread. Returns false, and leaves it unchanged, if too many wait or
  // the queue was stopped.
  bool add(std::function<void()>&&);
  // True while add() returns false.
  bool full() const;
  // The number of functions that add() did not take because too many waited.
  std::uint64_t refused() const;

  // Calls what waits, then ends the thread.
  void stop();

 private:
  void run();

  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  // Guarded by the mutex:
  std::deque<std::function<void()>> waiting_;
  bool stopping_ = false;
  std::uint64_t refused_ = 0;

  std::thread thread_;
};

}  // namespace gamehub::journal
