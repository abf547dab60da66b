// Counts what another hub has asked for and what is not done yet. Any thread may release.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace gamehub::relay {

class in_hand {
 public:
  // Counts one more, until the last copy of what it returns has gone.
  std::shared_ptr<const void> add() {
    ++*count_;
    return {count_.get(), [of = count_](const void*) { --*of; }};
  }
  std::size_t count() const { return *count_; }

 private:
  std::shared_ptr<std::atomic<std::size_t>> count_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace gamehub::relay
