#include "hub/journal/sqlite_checkpointer.hpp"

#include "hub/base/thread_slice.hpp"

#include <exception>
#include <utility>

namespace gamehub::journal {

checkpointer::checkpointer(std::filesystem::path file)
    : file_(std::move(file)), thread_([this] { run(); }) {}

checkpointer::~checkpointer() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void checkpointer::wake() {
  if (busy()) return;
  {
    const std::lock_guard lock{mutex_};
    wanted_ = true;
    busy_ = true;
  }
  changed_.notify_one();
}

void checkpointer::run() {
  base::run_behind_others();
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return wanted_ || stopping_; });
    if (stopping_) return;
    wanted_ = false;
    lock.unlock();
    checkpoint();
    lock.lock();
    busy_ = false;
  }
}

// Pages that can't be copied now stay in the write-ahead log, which is as durable; the writer
// requests another checkpoint.
void checkpointer::checkpoint() noexcept {
  try {
    if (!db_) {
      db_ = sqlite::database{file_, sqlite::mode::write, std::chrono::milliseconds{0}};
      db_.run("PRAGMA synchronous=NORMAL");
      // A connection finds the write-ahead log with its first read.
      db_.number("SELECT count(*) FROM sqlite_schema");
    }
    db_.checkpoint();
    // Otherwise all pages of 256 MiB of log wait for the checkpoint that empties it, which holds up
    // the writer: 150 ms where a move changes nine pages.
    db_.sync();
  } catch (const sqlite::error& e) {
    if (e.kind() == sqlite::sqlite_error_kind::busy) return;
    ++failures_;
    db_ = {};
  } catch (const std::exception&) {
    ++failures_;
    db_ = {};
  }
}

}  // namespace gamehub::journal
