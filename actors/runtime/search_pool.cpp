#include "actors/runtime/search_pool.hpp"

#include "actors/table/engine_opponent.hpp"
#include "hub/base/crash_log.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace gamehub::actors::runtime {

namespace {

using clock = std::chrono::steady_clock;

// The least time of a search: it suffices to look at the first moves of a small board.
constexpr std::chrono::nanoseconds time_min = std::chrono::milliseconds{1};

}  // namespace

search_result run_search(const search_request& q, const std::function<bool()>& time_is_up) {
  search_result out{q.seat, q.turn, std::nullopt, {}, false, {}, {}};
  try {
    out.what = table::engine_opponent::choose_action(q.rules, q.position, q.seat, q.style,
                                                     time_is_up, q.played ? &*q.played : nullptr);
  } catch (...) {
    // A result without action ends the game, which reports the failure.
    const auto failed = engines::host::current_failure("search");
    out.failed_function = failed.function();
    out.failure = failed.what();
  }
  return out;
}

std::chrono::nanoseconds time_budget(std::chrono::nanoseconds each, std::size_t threads,
                                     std::size_t waiting) {
  const auto takers = std::max(threads, waiting);
  const auto share = each * static_cast<std::int64_t>(threads) / static_cast<std::int64_t>(takers);
  return std::max(share, std::min(each, time_min));
}

search_pool::search_pool(const search_limits& bounds, fault_listener* faults)
    : limits_(bounds), faults_(faults) {
  running_ = limits_.threads;
  for (std::size_t i = 0; i < limits_.threads; ++i)
    threads_.emplace_back([this] { worker_main(); });
}

bool search_pool::try_submit(search_request& q) {
  {
    const std::lock_guard lock{mutex_};
    if (stopping_ || waiting_.size() >= limits_.waiting_max) return false;
    waiting_.push_back(std::move(q));
  }
  work_available_.notify_one();
  return true;
}

void search_pool::cancel_searches() { cancelled_.store(true, std::memory_order_relaxed); }

bool search_pool::stop(std::chrono::milliseconds within) {
  cancel_searches();
  std::deque<search_request> discarded;
  {
    std::unique_lock lock{mutex_};
    stopping_ = true;
    discarded.swap(waiting_);
    work_available_.notify_all();
    if (!worker_exited_.wait_for(lock, within, [this] { return running_ == 0; })) return false;
  }
  for (auto& each : threads_) each.join();
  threads_.clear();
  return true;
}

search_pool::numbers search_pool::count() const {
  const std::lock_guard lock{mutex_};
  return {limits_.threads, searching_, waiting_.size()};
}

void search_pool::worker_main() {
  std::unique_lock lock{mutex_};
  while (true) {
    work_available_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) break;
    auto q = std::move(waiting_.front());
    waiting_.pop_front();
    auto time = time_budget(limits_.each, limits_.threads, waiting_.size() + 1);
    ++searching_;
    lock.unlock();
    if (cancelled_.load(std::memory_order_relaxed)) time = std::min(time, time_min);
    try {
      post_result(std::move(q), time);
    } catch (...) {
      // The thread serves all games. The clock ends the turn that waits for this result.
      if (faults_ != nullptr)
        faults_->on_fault("a search", engines::host::current_failure().what());
    }
    lock.lock();
    --searching_;
  }
  --running_;
  worker_exited_.notify_all();
}

void search_pool::post_result(search_request q, std::chrono::nanoseconds time) const {
  const auto begin = clock::now();
  q.style.budget = time;
  const base::crash_log::scope activity{{q.engine + 1u, q.game.value}};
  auto found = run_search(q, [&] {
    return cancelled_.load(std::memory_order_relaxed) || clock::now() - begin >= time;
  });
  found.took = clock::now() - begin;
  found.hurried = time < limits_.each || cancelled_.load(std::memory_order_relaxed);
  caf::anon_send(q.from, std::move(found));
}

}  // namespace gamehub::actors::runtime
