#include "hub/app/watchdog.hpp"

#include <algorithm>

namespace gamehub::app {

namespace {

std::uint16_t engine_of(const watchdog::sample& s) {
  return static_cast<std::uint16_t>(s.inside - 1);
}

}  // namespace

std::vector<watchdog::finding> watchdog::look(std::span<const sample> loops, instant now) {
  std::vector<finding> found;
  loops_.resize(std::max(loops_.size(), loops.size()));
  longest_ = {};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    auto& w = loops_[i];
    const auto& said = loops[i];
    const auto lasted = now - w.since;
    const bool same =
        said.inside != 0 && said.inside == w.last.inside && said.calls == w.last.calls;
    if (!same) {
      if (w.told) found.push_back({i, engine_of(w.last), lasted, true});
      w = {said, now, false};
      continue;
    }
    longest_ = std::max(longest_, lasted);
    if (w.told || lasted < slow_after_) continue;
    w.told = true;
    found.push_back({i, engine_of(said), lasted, false});
  }
  return found;
}

}  // namespace gamehub::app
