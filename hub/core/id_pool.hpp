// The ids of games or of players that a hub gives: all from a number on, or, in a cluster, those of
// blocks that it claims before it needs them. Owned by the composition or by the runtime; any
// thread, and no call blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace gamehub {

// The ids from `first` on, `size` of them.
struct id_block {
  std::uint64_t first = 0, size = 0;
};

class id_pool {
 public:
  // All ids from this one on. Journals and clients read them as JSON numbers, exact below 2^53.
  explicit id_pool(std::uint64_t first);
  // No ids yet. `claim` is called when less than `wanted` are left, on the thread that took the
  // last one; it must not block, and leads to one call of add() or of claim_failed().
  id_pool(std::uint64_t wanted, std::function<void()> claim);

  // Returns an id that was never returned; zero: none is left.
  std::uint64_t next();
  // Returns true if so few ids are left that nothing new should begin. Claims more.
  bool is_short();

  void add(id_block);
  // The next call of next() or is_short() claims again.
  void claim_failed();

 private:
  bool must_claim();

  const std::uint64_t wanted_ = 0;
  const std::function<void()> claim_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> left_ = 0;  // written under the mutex
  // Guarded by the mutex:
  std::deque<id_block> blocks_;
  bool claiming_ = false;
};

}  // namespace gamehub
