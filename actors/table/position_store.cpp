#include "actors/table/position_store.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::table {

namespace {

// The memory of a larger text is not kept.
constexpr std::size_t kept_bytes_max = 4096;

// Positions that are looked at for a free one. Clients and logs may hold any of them for long.
constexpr std::size_t looked_at_max = 4;

// Returns an empty list in the memory of this one.
template <class List>
List emptied(List& from) {
  const bool keeps =
      from.capacity() > List{}.capacity() && from.capacity() * sizeof(from[0]) <= kept_bytes_max;
  if (!keeps) return {};
  from.clear();
  return std::move(from);
}

}  // namespace

// In the order in which they were taken, which is nearly that of the commits. The latest is the
// first choice: without a journal one position is enough, and it is in the cache.
std::shared_ptr<position> position_store::find_free() {
  const auto looked_at = std::min(looked_at_max, kept_.size());
  for (std::size_t i = 0; i < looked_at; ++i) {
    const auto at = (latest_ + i) % kept_.size();
    if (kept_[at].use_count() != 1) continue;
    latest_ = at;
    return kept_[at];
  }
  return nullptr;
}

std::shared_ptr<position> position_store::take() {
  auto free = find_free();
  if (!free) {
    auto made = std::make_shared<position>();
    if (kept_.size() < kept_max) {
      latest_ = kept_.size();
      kept_.push_back(made);
    } else {
      latest_ = (latest_ + 1) % kept_max;
      kept_[latest_] = made;
    }
    return made;
  }
  // use_count() orders nothing; releasing a copy orders what the last reader did before its
  // release, on whatever thread.
  std::shared_ptr<position>{free}.reset();
  auto& p = *free;
  auto cells = emptied(p.cells), document = emptied(p.document);
  auto left = emptied(p.clock.left);
  std::destroy_at(&p);
  std::construct_at(&p);
  p.cells = std::move(cells), p.document = std::move(document);
  p.clock.left = std::move(left);
  return free;
}

}  // namespace gamehub::actors::table
