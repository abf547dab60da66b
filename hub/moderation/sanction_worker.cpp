#include "hub/moderation/sanction_worker.hpp"

#include "hub/core/limits.hpp"

#include <exception>
#include <utility>

namespace gamehub::moderation {

sanction_worker::sanction_worker(sanction_store& store, actions a)
    : store_(store), actions_(std::move(a)) {}

sanction_worker::~sanction_worker() { stop(); }

void sanction_worker::start() {
  thread_ = std::thread{[this] { run_thread(); }};
}

void sanction_worker::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool sanction_worker::run(std::function<void()> change) {
  {
    const std::lock_guard lock{mutex_};
    if (changes_.size() >= limits::sanction_changes_max) return false;
    changes_.push_back(std::move(change));
  }
  changed_.notify_all();
  return true;
}

void sanction_worker::notice(std::optional<std::uint64_t> generation) {
  if (generation == store_.generation()) return;
  {
    const std::lock_guard lock{mutex_};
    noticed_ = true;
  }
  changed_.notify_all();
}

void sanction_worker::run_thread() {
  for (;;) {
    {
      std::unique_lock lock{mutex_};
      changed_.wait(lock, [this] { return stopping_ || has_work(); });
      if (stopping_) return;
    }
    step();
  }
}

bool sanction_worker::step() {
  std::function<void()> change;
  {
    const std::lock_guard lock{mutex_};
    if (!has_work()) return false;
    if (changes_.empty()) {
      noticed_ = false;
    } else {
      change = std::move(changes_.front());
      changes_.pop_front();
    }
  }
  if (!change) {
    refresh();
    return true;
  }
  // It has read the table as well, with what other hubs have changed.
  change();
  actions_.on_refreshed();
  return true;
}

// After a failure the next notice, a quarter of a second later, tries again.
void sanction_worker::refresh() {
  try {
    store_.refresh();
    actions_.on_refreshed();
    if (std::exchange(in_trouble_, false)) actions_.on_trouble({});
  } catch (const std::exception& e) {
    if (!std::exchange(in_trouble_, true)) actions_.on_trouble(e.what());
  }
}

}  // namespace gamehub::moderation
