// Thinking: moves of the house that cost more than a loop may spend are found on a few threads of
// their own. A game puts a question with a copy of its match and goes on; the answer is a message.
// The hub owns one pool for all loops. take() and numbers() may be called by any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "actors/interfaces.hpp"
#include "engines/engine.hpp"

namespace gamehub::actors {

// What shall this seat play? The style's budget is the thinker's to fill in.
struct search_request {
  game_actor from;
  seat_index seat = 0;
  std::uint64_t turn = 0;
  engines::engine rules;
  engines::match position;
  engines::play_style style;
};

class searches {
 public:
  virtual ~searches() = default;

  // Takes the question, and tells its game a thought some time later. Or is too busy for it, and
  // leaves it as it was.
  virtual bool take(search_request&) = 0;
};

// Thinks now. `time_is_up` as of house::choose().
search_result answer(const search_request&, const std::function<bool()>& time_is_up);

// How long a thought may take while so many wait for one: all of them are through in a few times
// `each`, however many they are.
std::chrono::nanoseconds time_budget(std::chrono::nanoseconds each, std::size_t threads,
                                  std::size_t waiting);

struct search_limits {
  std::size_t threads = 1;
  std::chrono::milliseconds each{500};
  std::size_t waiting_max = 0;
};

class search_pool final : public searches {
 public:
  explicit search_pool(const search_limits&);
  // Requires: stopped.
  ~search_pool() override = default;
  search_pool(const search_pool&) = delete;
  search_pool& operator=(const search_pool&) = delete;

  bool take(search_request&) override;

  // The hub goes down: from now on a thought is what comes to mind first.
  void cancel_searches();

  // Forgets what waits, and ends its threads. False if one does not come back from its engine
  // in time: then nothing that it may use can be taken down.
  bool stop(std::chrono::milliseconds within);

  struct numbers {
    std::size_t threads = 0, thinking = 0, waiting = 0;
  };
  numbers count() const;

 private:
  void think();
  void post_result(search_request, std::chrono::nanoseconds time) const;

  const search_limits bounds_;
  mutable std::mutex mutex_;
  std::condition_variable asked_, left_;
  std::deque<search_request> waiting_;
  std::size_t thinking_ = 0, running_ = 0;
  bool stopping_ = false;             // under the mutex
  std::atomic<bool> cancelled_{false};  // asked by every search again and again
  std::vector<std::thread> threads_;
};

}  // namespace gamehub::actors
