#include "actors/runtime/loop.hpp"

#include "actors/runtime/actor_base.hpp"
#include "hub/core/limits.hpp"

#include <caf/send.hpp>

#include <iterator>
#include <utility>

namespace gamehub::actors::runtime {

namespace {

// The loop of this thread.
thread_local loop* current = nullptr;

// A run queue that is never empty is compacted at this size, so that it does not grow without
// limit.
constexpr std::size_t compact_at = 4'096;

// With thousands of games the memory of an actor is no longer in the cache when it runs again.
// Therefore the loop prefetches the next actors while one runs: first the actor, then its data.
constexpr std::size_t near_ahead = 5, deep_ahead = 2;
constexpr std::ptrdiff_t line_bytes = 64, prefetch_from = -4 * line_bytes,
                         prefetch_to = 4 * line_bytes;

void prefetch_lines(const void* middle) {
  const auto* at = static_cast<const char*>(middle);
  for (auto offset = prefetch_from; offset <= prefetch_to; offset += line_bytes)
    __builtin_prefetch(at + offset);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

loop::loop(caf::actor_system& system, int index, metrics::cells& cells, base::instant start)
    : caf::execution_unit(&system), index_(index), cells_(cells), now_(start), timers_(start) {}

loop::~loop() {
  if (current == this) current = nullptr;
}

void loop::enter() { current = this; }
void loop::leave() {
  post_batch();
  current = nullptr;
}
bool loop::is_current() const { return current == this; }
loop* loop::of_this_thread() { return current; }

bool loop::must_wake() {
  return !has_incoming_.exchange(true, std::memory_order_relaxed) &&
         sleeping_.load(std::memory_order_relaxed);
}

bool loop::try_sleep() {
  const std::lock_guard lock{incoming_mutex_};
  if (has_incoming()) return false;
  sleeping_.store(true, std::memory_order_relaxed);
  return true;
}

template <class Add>
void loop::add_incoming(Add add) {
  bool first = false;
  {
    const std::lock_guard lock{incoming_mutex_};
    add();
    first = must_wake();
  }
  if (first) wake();
}

loop::cross_thread_batch* loop::outgoing_batch() {
  if (current == nullptr) return nullptr;
  for (auto& [to, what] : current->outgoing_)
    if (to == this) return &what;
  return &current->outgoing_.emplace_back(this, cross_thread_batch{}).second;
}

void loop::post_batch() {
  for (auto& [to, what] : outgoing_) {
    if (what.empty()) continue;
    auto& there = to->incoming_;
    to->add_incoming([&, &from = what] {
      append(there.jobs, from.jobs);
      append(there.posts, from.posts);
    });
    what.clear();
  }
}

void loop::exec_later(caf::resumable* what) {
  auto* const j = static_cast<resumable_task*>(what);
  if (is_current()) return queue_.push_back(j);
  if (auto* const sent = outgoing_batch()) return sent->jobs.push_back(j);
  add_incoming([&] { incoming_.jobs.push_back(j); });
}

void loop::post(std::function<void()> what) {
  auto* const sent = is_current() ? nullptr : outgoing_batch();
  if (sent != nullptr) return sent->posts.push_back(std::move(what));
  add_incoming([&] { incoming_.posts.push_back(std::move(what)); });
}

void loop::committed(std::span<const journal::commit> safe) {
  add_incoming(
      [&] { incoming_commits_.insert(incoming_commits_.end(), safe.begin(), safe.end()); });
}

void loop::report(const engines::host::engine& rules, game_id game,
                  const engines::host::engine_failure& failure, std::optional<int> seat,
                  std::optional<std::int64_t> action) {
  if (faults_ != nullptr)
    faults_->on_engine_fault({std::string{rules.id()}, rules.version_text(), game,
                              failure.function(), failure.what(), seat, action});
}

void loop::report_fault(std::string_view where) {
  cells_.loop.faults.add();
  if (faults_ != nullptr) faults_->on_fault(where, engines::host::current_failure().what());
}

void loop::await_commits(game_id game, game_actor who) { awaiting_commits_[game] = std::move(who); }
void loop::stop_awaiting_commits(game_id game) { awaiting_commits_.erase(game); }

bool loop::run_incoming() {
  auto& received = received_;
  auto& commits = received_commits_;
  {
    const std::lock_guard lock{incoming_mutex_};
    has_incoming_.store(false, std::memory_order_relaxed);
    std::swap(received, incoming_);
    std::swap(commits, incoming_commits_);
  }
  cells_.loop.posts.add();
  cells_.loop.journal_commits.add(static_cast<std::int64_t>(commits.size()));
  append(queue_, received.jobs);
  run_commits(commits);
  for (auto& what : received.posts) run_task("a task", what);
  const auto any = !received.empty() || !commits.empty();
  received.clear();
  commits.clear();
  return any;
}

// After a trouble of the journal there may be many: of those, the games beyond what an iteration
// runs get a message.
void loop::run_commits(const std::vector<journal::commit>& commits) {
  const auto end = awaiting_commits_.end();
  constexpr std::size_t at_once = limits::actors_per_turn_max;
  for (std::size_t i = 0; i < commits.size(); ++i) {
    if (i + deep_ahead < commits.size())
      if (const auto next = awaiting_commits_.find(commits[i + deep_ahead].game); next != end)
        actor_of(next->second)->prefetch();
    if (const auto at = awaiting_commits_.find(commits[i].game); at != end) {
      const log_committed what{commits[i].number};
      // The call may remove it from the map.
      const auto to = at->second;
      if (i >= at_once || !actor_of(to)->try_commit(what)) caf::anon_send(to, what);
    }
    if (commit_calls_.empty()) continue;
    if (const auto call = commit_calls_.extract(commits[i].game))
      run_task("a commit", call.mapped());
  }
}

void loop::run_deferred() {
  for (int ran = 0; ran < limits::deferred_per_turn_max && !deferred_.empty(); ++ran) {
    const auto what = std::move(deferred_.front());
    deferred_.pop_front();
    run_task("a deferred task", what);
  }
}

bool loop::run_part() {
  if (parts_.empty()) return false;
  const auto what = std::move(parts_.front());
  parts_.pop_front();
  run_task("a part of long work", what);
  return true;
}

void loop::prefetch_next() const {
  const auto left = queue_.size() - queue_head_;
  const auto* const next = queue_.data() + queue_head_;
  if (near_ahead < left) prefetch_lines(next[near_ahead]);
  if (deep_ahead < left) next[deep_ahead]->prefetch();
}

void loop::run_actors(int max) {
  int ran = 0;
  for (; ran < max && queue_length() > 0; ++ran) {
    auto* const next = queue_[queue_head_++];
    prefetch_next();
    switch (next->resume(this, limits::messages_per_resume_max)) {
      case caf::resumable::resume_later: queue_.push_back(next); break;
      case caf::resumable::done:
      case caf::resumable::awaiting_message: next->intrusive_ptr_release_impl(); break;
      case caf::resumable::shutdown_execution_unit: break;
    }
  }
  cells_.loop.actors_resumed.add(ran);
  if (queue_length() == 0) {
    queue_.clear();
    queue_head_ = 0;
  } else if (queue_head_ >= compact_at) {
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(queue_head_));
    queue_head_ = 0;
  }
  cells_.loop.run_queue_length.set(static_cast<std::int64_t>(queue_length()));
}

}  // namespace gamehub::actors::runtime
