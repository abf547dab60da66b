// The thread of a durable store: runs all changes that arrived meanwhile in one transaction, and
// repeats it until it succeeds; callbacks wait for that. Owned by a store; any thread.
#pragma once

#include "hub/base/time.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace gamehub::league {

class store_thread {
 public:
  // `what` is a part of the transaction and may be repeated; `after` runs once after the commit.
  struct task {
    std::function<void()> what;
    std::function<void()> after;
  };
  struct actions {
    // Runs the parts of these tasks in one transaction. Returns why it failed; nothing: it is
    // committed.
    std::function<std::optional<std::string>(const std::deque<task>&)> commit;
    // Called on the thread when trouble() begins (with its text) and ends (with an empty one).
    std::function<void(std::string_view)> log_trouble;
    // Called on the thread after at most this time without it. Empty: never.
    std::function<void()> look = {};
    base::duration pause{};
  };

  explicit store_thread(actions);
  ~store_thread() { stop(); }

  void start();
  // Runs what waits, unless it fails. After this nothing runs.
  void stop();
  void add(task);
  std::optional<std::string> trouble() const;

 private:
  void run();
  std::deque<task> wait_for_tasks(base::instant look_at);
  bool commit(const std::deque<task>&);
  void note(std::optional<std::string> trouble);

  const actions actions_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<task> tasks_;
  std::optional<std::string> trouble_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gamehub::league
