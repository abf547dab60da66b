// A thread for a sanction_store whose table is a server's: it carries out the operator's changes in
// their order, and reads the table again when another hub has changed it. Owned by the composition;
// any thread.
#pragma once

#include "hub/moderation/sanction_store.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace gamehub::moderation {

class sanction_worker {
 public:
  struct actions {
    // The table was read again, so other bans may be in force. Called on the thread.
    std::function<void()> on_refreshed;
    // Reading failed (with the reason), or works again (empty). Called on the thread.
    std::function<void(const std::string& why)> on_trouble;
  };

  // The store outlives it.
  sanction_worker(sanction_store&, actions);
  ~sanction_worker();
  sanction_worker(const sanction_worker&) = delete;
  sanction_worker& operator=(const sanction_worker&) = delete;

  void start();
  // Ends the thread after the change that is under way. Changes that wait are dropped.
  void stop();

  // Runs a function that changes the store and throws nothing. Returns false if
  // limits::sanction_changes_max wait.
  bool run(std::function<void()> change);
  // Takes the generation of the table, as a member of the cluster reads it with each heartbeat.
  // Nothing: the table may be another one, because the database was away.
  void notice(std::optional<std::uint64_t> generation);

  // Does what is next. Returns false if there is nothing. Public for tests.
  bool step();

 private:
  bool has_work() const { return !changes_.empty() || noticed_; }
  void run_thread();
  void refresh();

  sanction_store& store_;
  const actions actions_;
  bool in_trouble_ = false;  // of the thread

  std::mutex mutex_;
  // Guarded by the mutex:
  std::condition_variable changed_;
  std::deque<std::function<void()>> changes_;
  bool noticed_ = false;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace gamehub::moderation
