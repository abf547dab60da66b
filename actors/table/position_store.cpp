#include "actors/table/position_store.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::table {

namespace {

// The memory of a larger text is not kept.
constexpr std::size_t kept_bytes_max = 4096;

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

std::shared_ptr<position> position_store::take() {
  const auto free = std::find_if(kept_.begin(), kept_.end(),
                                 [](const auto& each) { return each.use_count() == 1; });
  if (free == kept_.end()) {
    auto& next = kept_[oldest_++ % kept_max];
    return next = std::make_shared<position>();
  }
  // use_count() orders nothing; releasing a copy orders what the last reader did before its
  // release, on whatever thread.
  std::shared_ptr<position>{*free}.reset();
  auto& p = **free;
  auto cells = emptied(p.cells), document = emptied(p.document);
  auto left = emptied(p.clock.left);
  std::destroy_at(&p);
  std::construct_at(&p);
  p.cells = std::move(cells), p.document = std::move(document);
  p.clock.left = std::move(left);
  return *free;
}

}  // namespace gamehub::actors::table
