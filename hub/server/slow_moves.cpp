#include "hub/app/slow_moves.hpp"

#include <algorithm>
#include <utility>

#include "hub/app/log.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/trace.hpp"
#include "metrics/cells.hpp"

namespace gamehub::app {
namespace {

double seconds_of(duration t) { return std::chrono::duration<double>(t).count(); }

// The bucket's label in the histogram; 0 for the one without a bound.
double bound_of(duration took) {
  using metrics::duration_cells;
  const auto i = duration_cells::bucket_of(took);
  return i < duration_cells::bucket_count ? duration_cells::bound_seconds(i) : 0;
}

}  // namespace

std::optional<std::uint64_t> sampler::take(instant now) {
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
  // What never came to its game was refused on the way, or is an answer of the session's own.
  if (at.taken_up == 0) return {.reaching = whole};
  const time taken{at.taken_up};
  const time decided{std::max(at.decided, at.taken_up)};
  const time committed{std::max(at.committed, static_cast<std::uint32_t>(decided.count()))};
  return {taken, decided - taken, committed - decided, std::max(whole - committed, time{0})};
}

slow_moves::slow_moves(const offer& of) : sampler_(limits::slow_moves_logged_a_second_max) {
  for (const auto& w : of.wires) wires_.emplace_back(w.protocol->name);
}

void slow_moves::slow(const slow_move& m) {
  const auto left_out = [&] {
    const std::lock_guard lock{mutex_};
    return sampler_.take(m.answers.received + m.took);
  }();
  if (!left_out) return;
  const auto went = stages_of(m);
  log::warning("a move was slow", {{"trace", text_of(m.answers.trace)},
                                   {"gateway", wires_[m.wire]},
                                   {"game", m.game.value},
                                   {"seconds", seconds_of(m.took)},
                                   {"bucket_seconds", bound_of(m.took)},
                                   {"reaching_seconds", seconds_of(went.reaching)},
                                   {"deciding_seconds", seconds_of(went.deciding)},
                                   {"committing_seconds", seconds_of(went.committing)},
                                   {"telling_seconds", seconds_of(went.telling)},
                                   {"left_out", *left_out}});
}

}  // namespace gamehub::app
