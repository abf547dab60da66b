// Moves the write-ahead log into the file on a thread and a connection of its own, so that neither
// the moving nor its fsyncs are between a commit and those who wait for it. Owned by the journal;
// wake() is called by its writer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

class checkpointer {
 public:
  explicit checkpointer(std::filesystem::path);
  ~checkpointer();

  void wake();
  // Whether it is at it now.
  bool busy() const { return busy_.load(std::memory_order_relaxed); }
  std::uint64_t failures() const { return failures_.load(std::memory_order_relaxed); }

 private:
  void run();
  void move() noexcept;

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
