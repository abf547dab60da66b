#include "hub/league/store_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::league {
namespace {

constexpr std::chrono::milliseconds retry_min{50}, retry_max{1'000};

}  // namespace

store_thread::store_thread(actions a) : actions_(std::move(a)) {}

void store_thread::start() {
  thread_ = std::thread{[this] { run(); }};
}

void store_thread::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void store_thread::add(task t) {
  {
    const std::lock_guard lock{mutex_};
    if (stopping_) return;
    tasks_.push_back(std::move(t));
  }
  changed_.notify_one();
}

std::optional<std::string> store_thread::trouble() const {
  const std::lock_guard lock{mutex_};
  return trouble_;
}

std::deque<store_thread::task> store_thread::wait_for_tasks(base::instant look_at) {
  std::unique_lock lock{mutex_};
  const auto is_due = [this] { return stopping_ || !tasks_.empty(); };
  if (actions_.look)
    changed_.wait_until(lock, look_at, is_due);
  else
    changed_.wait(lock, is_due);
  return std::exchange(tasks_, {});
}

void store_thread::run() {
  auto look_at = std::chrono::steady_clock::now();
  for (;;) {
    const auto all = wait_for_tasks(look_at);
    if (!all.empty()) {
      if (!commit(all)) return;
      for (const auto& each : all)
        if (each.after) each.after();
    }
    {
      const std::lock_guard lock{mutex_};
      if (stopping_ && tasks_.empty()) return;
    }
    if (actions_.look && std::chrono::steady_clock::now() >= look_at) {
      actions_.look();
      look_at = std::chrono::steady_clock::now() + actions_.pause;
    }
  }
}

// Returns false if the thread stops while the changes can't be committed.
bool store_thread::commit(const std::deque<task>& all) {
  for (auto pause = retry_min;; pause = std::min(2 * pause, retry_max)) {
    auto why = actions_.commit(all);
    const bool done = !why;
    note(std::move(why));
    if (done) return true;
    std::unique_lock lock{mutex_};
    if (changed_.wait_for(lock, pause, [this] { return stopping_; })) return false;
  }
}

void store_thread::note(std::optional<std::string> trouble) {
  {
    const std::lock_guard lock{mutex_};
    if (trouble.has_value() == trouble_.has_value()) return;
    trouble_ = trouble;
  }
  if (actions_.log_trouble) actions_.log_trouble(trouble.value_or(""));
}

}  // namespace gamehub::league
