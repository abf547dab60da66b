#include "hub/server/watchdog.hpp"

#include <algorithm>

namespace gamehub::server {

namespace {

std::uint16_t engine_of(const watchdog::sample& s) {
  return static_cast<std::uint16_t>(s.inside - 1);
}

}  // namespace

std::vector<watchdog::stall> watchdog::check(std::span<const sample> loops, instant now) {
  std::vector<stall> found;
  loops_.resize(std::max(loops_.size(), loops.size()));
  longest_ = {};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    auto& w = loops_[i];
    const auto& now_in = loops[i];
    const auto lasted = now - w.since;
    const bool same =
        now_in.inside != 0 && now_in.inside == w.last.inside && now_in.calls == w.last.calls;
    if (!same) {
      if (w.reported) found.push_back({i, engine_of(w.last), lasted, true});
      w = {now_in, now, false};
      continue;
    }
    longest_ = std::max(longest_, lasted);
    if (w.reported || lasted < slow_after_) continue;
    w.reported = true;
    found.push_back({i, engine_of(now_in), lasted, false});
  }
  return found;
}

}  // namespace gamehub::server
