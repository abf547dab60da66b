#include "hub/core/id_pool.hpp"

#include <utility>

namespace gamehub {

namespace {

constexpr std::uint64_t id_end = std::uint64_t{1} << 53;

// One request takes an id for each game of a placement, so fewer than this.
constexpr std::uint64_t short_below = 64;

}  // namespace

id_pool::id_pool(std::uint64_t first) { add({first, id_end - first}); }

id_pool::id_pool(std::uint64_t wanted, std::function<void()> claim)
    : wanted_(wanted), claim_(std::move(claim)) {}

bool id_pool::must_claim() { return claim_ && left_ < wanted_ && !std::exchange(claiming_, true); }

std::uint64_t id_pool::next() {
  std::uint64_t id = 0;
  bool claims = false;
  {
    const std::lock_guard lock{mutex_};
    if (!blocks_.empty()) {
      auto& block = blocks_.front();
      id = block.first++;
      --left_;
      if (--block.size == 0) blocks_.pop_front();
    }
    claims = must_claim();
  }
  if (claims) claim_();
  return id;
}

bool id_pool::is_short() {
  if (left_ >= wanted_) return left_ < short_below;
  bool few = false, claims = false;
  {
    const std::lock_guard lock{mutex_};
    few = left_ < short_below;
    claims = must_claim();
  }
  if (claims) claim_();
  return few;
}

void id_pool::add(id_block block) {
  const std::lock_guard lock{mutex_};
  claiming_ = false;
  if (block.size == 0) return;
  left_ += block.size;
  blocks_.push_back(block);
}

void id_pool::claim_failed() {
  const std::lock_guard lock{mutex_};
  claiming_ = false;
}

}  // namespace gamehub
