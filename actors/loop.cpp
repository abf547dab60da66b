#include "actors/loop.hpp"

#include <caf/send.hpp>

#include <utility>

#include "hub/core/limits.hpp"

namespace gamehub::actors {

namespace {

// The loop whose thread this is.
thread_local const loop* current = nullptr;

// A run queue that is never quite empty must not grow for ever.
constexpr std::size_t compact_at = 4'096;

}  // namespace

loop::loop(caf::actor_system& system, int index, metrics::cells& cells, instant start)
    : caf::execution_unit(&system), index_(index), cells_(cells), now_(start), timers_(start) {}

loop::~loop() {
  if (current == this) current = nullptr;
}

void loop::enter() { current = this; }
void loop::leave() { current = nullptr; }
bool loop::here() const { return current == this; }

bool loop::has_to_wake() {
  return !called_.exchange(true, std::memory_order_relaxed) &&
         asleep_.load(std::memory_order_relaxed);
}

bool loop::fall_asleep() {
  const std::lock_guard lock{foreign_mutex_};
  if (called()) return false;
  asleep_.store(true, std::memory_order_relaxed);
  return true;
}

void loop::exec_later(caf::resumable* job) {
  if (here()) {
    queue_.push_back(job);
    return;
  }
  bool first = false;
  {
    const std::lock_guard lock{foreign_mutex_};
    foreign_actors_.push_back(job);
    first = has_to_wake();
  }
  if (first) wake();
}

void loop::post(std::function<void()> what) {
  bool first = false;
  {
    const std::lock_guard lock{foreign_mutex_};
    foreign_posts_.push_back(std::move(what));
    first = has_to_wake();
  }
  if (first) wake();
}

void loop::committed(std::span<const journal::commit> safe) {
  bool first = false;
  {
    const std::lock_guard lock{foreign_mutex_};
    foreign_commits_.insert(foreign_commits_.end(), safe.begin(), safe.end());
    first = has_to_wake();
  }
  if (first) wake();
}

void loop::await_commits(game_id game, game_actor who) { awaiting_[game] = std::move(who); }
void loop::forget_commits(game_id game) { awaiting_.erase(game); }

bool loop::run_foreign() {
  std::vector<caf::resumable*> jobs;
  std::vector<std::function<void()>> posts;
  std::vector<journal::commit> commits;
  {
    const std::lock_guard lock{foreign_mutex_};
    called_.store(false, std::memory_order_relaxed);
    jobs.swap(foreign_actors_);
    posts.swap(foreign_posts_);
    commits.swap(foreign_commits_);
  }
  cells_.loop.posts.add();
  cells_.loop.journal_commits.add(static_cast<std::int64_t>(commits.size()));
  queue_.insert(queue_.end(), jobs.begin(), jobs.end());
  for (const auto& c : commits)
    if (const auto at = awaiting_.find(c.game); at != awaiting_.end())
      caf::anon_send(at->second, log_committed{c.number});
  for (auto& what : posts) what();
  return !jobs.empty() || !posts.empty() || !commits.empty();
}

bool loop::run_actors(int max) {
  int ran = 0;
  for (; ran < max && !idle(); ++ran) {
    auto* job = queue_[queue_head_++];
    switch (job->resume(this, limits::messages_per_resume_max)) {
      case caf::resumable::resume_later: queue_.push_back(job); break;
      case caf::resumable::done:
      case caf::resumable::awaiting_message: caf::intrusive_ptr_release(job); break;
      case caf::resumable::shutdown_execution_unit: break;
    }
  }
  cells_.loop.actors_resumed.add(ran);
  if (idle()) {
    queue_.clear();
    queue_head_ = 0;
  } else if (queue_head_ >= compact_at) {
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(queue_head_));
    queue_head_ = 0;
  }
  cells_.loop.run_queue_length.set(static_cast<std::int64_t>(queue_length()));
  return !idle();
}

}  // namespace gamehub::actors
