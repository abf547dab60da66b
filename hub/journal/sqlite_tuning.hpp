// Bounds of the durable journal, which no setting moves. Tests make them small. A plain value.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "hub/core/limits.hpp"
#include "hub/core/time.hpp"

namespace gamehub::journal {

struct sqlite_tuning {
  // Batches that are kept because of open games. Beyond it the logs of the oldest are written as
  // they are. It bounds what a start has to read, and lets most games end before they cost twice.
  std::uint64_t redo_bytes_max = 64 << 20;
  // Of that work, and of deleting batches, in one transaction.
  std::size_t kept_per_transaction_max = 128;
  std::uint64_t freed_per_transaction_max = 1 << 20;

  // Pages of the write-ahead log: when the other thread moves them to the file, and when the writer
  // itself does, because nobody else can while it goes on writing.
  int log_pages_soft = 16 * 256;
  int log_pages_hard = 256 * 256;

  // Records wait no longer for a flush() that does not come.
  std::chrono::milliseconds unflushed_max{50};

  // After a failure; the pause doubles each time.
  std::chrono::milliseconds retry_min{50}, retry_max{1'000};
  // How long a transaction waits while another program holds the file's lock.
  std::chrono::milliseconds lock_max{1'000};
  std::size_t pending_max = limits::journal_pending_max;

  // Ended games that are deleted at once, and the pause between while there is other work.
  std::int64_t deleted_at_once = 200;
  std::chrono::milliseconds deletion_pause{25};
  std::chrono::milliseconds idle_pause{1'000};

  // The time of day, by which ended games grow old.
  std::function<wall_time()> now;
};

}  // namespace gamehub::journal
