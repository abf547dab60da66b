// Checkpoints the write-ahead log on its own thread and connection, so that commits do not wait for
// the page writes and their fsyncs. Owned by the journal; the writer thread calls wake().
#pragma once

#include "hub/journal/sqlite.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

namespace gamehub::journal {

class checkpointer {
 public:
  explicit checkpointer(std::filesystem::path);
  ~checkpointer();

  // Starts one checkpoint, unless one is running.
  void wake();
  // Returns true while a checkpoint runs.
  bool busy() const { return busy_.load(std::memory_order_relaxed); }
  // Returns the number of failed checkpoints.
  std::uint64_t failures() const { return failures_.load(std::memory_order_relaxed); }

 private:
  void run();
  void checkpoint() noexcept;

  std::filesystem::path file_;
  sqlite::database db_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false, stopping_ = false;
  std::atomic<bool> busy_{false};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
};

}  // namespace gamehub::journal
