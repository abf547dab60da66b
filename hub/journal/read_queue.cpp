#include "hub/journal/read_queue.hpp"

#include <utility>

namespace gamehub::journal {

read_queue::read_queue(std::size_t waiting_max)
    : waiting_max_(waiting_max), thread_([this] { run(); }) {}

bool read_queue::add(std::function<void()>&& read) {
  {
    const std::lock_guard lock{mutex_};
    if (stopping_) return false;
    if (waiting_.size() >= waiting_max_) {
      ++refused_;
      return false;
    }
    waiting_.push_back(std::move(read));
  }
  work_.notify_one();
  return true;
}

bool read_queue::full() const {
  const std::lock_guard lock{mutex_};
  return stopping_ || waiting_.size() >= waiting_max_;
}

std::uint64_t read_queue::refused() const {
  const std::lock_guard lock{mutex_};
  return refused_;
}

void read_queue::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  work_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void read_queue::run() {
  std::unique_lock lock{mutex_};
  for (;;) {
    work_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto read = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    read();
    read = {};
    lock.lock();
  }
}

}  // namespace gamehub::journal
