// Runs engine searches that take longer than a loop may spend, on separate threads. A game submits
// a request with a copy of its match and continues; the result is a message to the game. The server
// owns one pool for all loops. try_submit() and count() may be called by any thread.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "engines/host/engine.hpp"
#include "engines/host/observation.hpp"
#include "hub/core/fault_listener.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace gamehub::actors::runtime {

// A request for the action of one seat. The executor sets the budget of the style.
struct search_request {
  game_actor from;
  seat_index seat = 0;
  std::uint64_t turn = 0;
  engines::host::engine rules;
  engines::host::match position;
  engines::play_style style;
  // For the log of a crash.
  std::uint16_t engine = 0;
  game_id game = {};
  // If the search replays the game.
  std::optional<engines::host::played_game> played = {};
};

class search_executor {
 public:
  virtual ~search_executor() = default;

  // Accepts the request and later sends a search_result to the game. Returns false and leaves the
  // request unchanged if the queue is full.
  virtual bool try_submit(search_request&) = 0;
};

// Runs a search on the calling thread. `time_is_up` is that of engine_opponent::choose_action().
search_result run_search(const search_request&, const std::function<bool()>& time_is_up);

// Returns the time limit of a search while `waiting` requests share `threads` threads. It shrinks
// with the queue, so that every request completes within a few times `each`.
std::chrono::nanoseconds time_budget(std::chrono::nanoseconds each, std::size_t threads,
                                     std::size_t waiting);

struct search_limits {
  std::size_t threads = 1;
  std::chrono::milliseconds each{500};  // time limit of one search while no request waits
  std::size_t waiting_max = 0;          // requests in the queue
};

class search_pool final : public search_executor {
 public:
  // The listener outlives the pool; null: none.
  explicit search_pool(const search_limits&, fault_listener* = nullptr);
  // stop() must have returned true before.
  ~search_pool() override = default;
  search_pool(const search_pool&) = delete;
  search_pool& operator=(const search_pool&) = delete;

  bool try_submit(search_request&) override;

  // The hub is stopping: every running search returns its current best move. Any thread.
  void cancel_searches();

  // Discards the queue and joins the threads. Returns false if a search does not return in time;
  // then its thread still uses the engine, so nothing that it uses may be destroyed.
  bool stop(std::chrono::milliseconds within);

  // Numbers of threads, of running searches and of waiting requests.
  struct numbers {
    std::size_t threads = 0, thinking = 0, waiting = 0;
  };
  numbers count() const;

 private:
  void worker_main();
  void post_result(search_request, std::chrono::nanoseconds time) const;

  const search_limits limits_;
  fault_listener* const faults_;
  mutable std::mutex mutex_;
  std::condition_variable work_available_, worker_exited_;
  std::deque<search_request> waiting_;
  std::size_t searching_ = 0, running_ = 0;
  bool stopping_ = false;               // guarded by mutex_
  std::atomic<bool> cancelled_{false};  // polled by every search
  std::vector<std::thread> threads_;
};

}  // namespace gamehub::actors::runtime
