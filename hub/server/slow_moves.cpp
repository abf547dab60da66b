#include "hub/server/slow_moves.hpp"

#include "hub/base/log.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/trace.hpp"
#include "metrics/cells.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::server {
namespace {

double to_seconds(base::duration t) { return std::chrono::duration<double>(t).count(); }

// Returns the upper bound of the histogram bucket; 0 for the bucket without a bound.
double bound_of(base::duration took) {
  using metrics::duration_cells;
  const auto i = duration_cells::bucket_of(took);
  return i < duration_cells::bucket_count ? duration_cells::bound_seconds(i) : 0;
}

}  // namespace

std::optional<std::uint64_t> sampler::take(base::instant now) {
  if (!since_ || now - *since_ >= std::chrono::seconds{1}) {
    since_ = now;
    taken_ = 0;
  }
  if (taken_ >= most_) {
    ++left_out_;
    return {};
  }
  ++taken_;
  return std::exchange(left_out_, 0);
}

stages stages_of(const slow_move& m) {
  using time = stages::time;
  const auto& at = m.answers.stages;
  const auto whole = std::chrono::duration_cast<time>(m.took);
  // The intent did not reach a game: the session refused or answered it.
  if (at.taken_up == 0) return {.reaching = whole};
  const time taken{at.taken_up};
  const time decided{std::max(at.decided, at.taken_up)};
  const time committed{std::max(at.committed, static_cast<std::uint32_t>(decided.count()))};
  return {taken, decided - taken, committed - decided, std::max(whole - committed, time{0})};
}

slow_moves::slow_moves(const engine_catalog& of)
    : sampler_(limits::slow_moves_logged_a_second_max) {
  for (const auto& w : of.wires) wires_.emplace_back(w.protocol->name);
}

void slow_moves::slow(const slow_move& m) {
  const auto left_out = [&] {
    const std::lock_guard lock{mutex_};
    return sampler_.take(m.answers.received + m.took);
  }();
  if (!left_out) return;
  const auto stage = stages_of(m);
  base::log::warning("a move was slow", {{"trace", text_of(m.answers.trace)},
                                         {"gateway", wires_[m.wire]},
                                         {"game", m.game.value},
                                         {"seconds", to_seconds(m.took)},
                                         {"bucket_seconds", bound_of(m.took)},
                                         {"reaching_seconds", to_seconds(stage.reaching)},
                                         {"deciding_seconds", to_seconds(stage.deciding)},
                                         {"committing_seconds", to_seconds(stage.committing)},
                                         {"telling_seconds", to_seconds(stage.telling)},
                                         {"left_out", *left_out}});
}

}  // namespace gamehub::server
