#include "hub/core/player_clocks.hpp"

#include "hub/base/require.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>

namespace gamehub {

namespace {

using kind = clock_rule::kind;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

seat_index first_of(seat_set seats) { return static_cast<seat_index>(std::countr_zero(seats)); }

bool take_number(std::string_view& text, std::int64_t most, std::int64_t& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  if (error != std::errc{} || to < 0 || to > most) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

player_clocks::player_clocks(const clock_rule& rule, std::size_t seats)
    : rule_(rule), all_(seats, one{rule.main, rule.periods, microseconds{0}, {}}) {
  GAMEHUB_REQUIRE(rule.has_store() && is_valid(rule));
}

void player_clocks::start(seat_set seats, base::instant now) {
  latest_ = seats & ~running_;
  running_ |= seats;
  for (auto left = latest_; left != 0; left &= left - 1) {
    auto& mine = at(first_of(left));
    mine.used = microseconds{0};
    mine.since = now;
  }
}

microseconds player_clocks::postpone(base::instant now) {
  microseconds longest{0};
  if (paused_) return longest;
  for (auto left = latest_ & running_; left != 0; left &= left - 1) {
    auto& mine = at(first_of(left));
    longest = std::max(longest, duration_cast<microseconds>(now - mine.since));
    mine.since = std::max(mine.since, now);
  }
  return longest;
}

microseconds player_clocks::used(seat_index seat, base::instant now,
                                 const hub_lateness& late) const {
  const auto& mine = at(seat);
  if (paused_ || now <= mine.since) return mine.used;
  const auto past = duration_cast<microseconds>(now - mine.since);
  return mine.used + past - std::clamp(late(seat, mine.since, now), microseconds{0}, past);
}

microseconds player_clocks::stop(seat_index seat, base::instant now, const hub_lateness& late) {
  if (!holds(running_, seat)) return microseconds{0};
  auto& mine = at(seat);
  const auto charged = used(seat, now, late);
  const auto credit = used(seat, now, {}) - charged;
  running_ &= ~only(seat);
  mine.used = microseconds{0};
  const auto over = charged - mine.left;
  mine.left = std::max(mine.left - charged, microseconds{0});
  switch (rule_.how) {
    case kind::increment:
      mine.left = std::min<microseconds>(mine.left + rule_.step, store_max);
      break;
    case kind::delay: mine.left += std::min<microseconds>(charged, rule_.step); break;
    case kind::byo_yomi:
      if (over > microseconds{0})
        mine.periods -= static_cast<int>(std::min<std::int64_t>(over / rule_.step, mine.periods));
      break;
    default: break;
  }
  return credit;
}

void player_clocks::drop_all_but(seat_set seats) {
  for (auto left = running_ & ~seats; left != 0; left &= left - 1)
    at(first_of(left)).used = microseconds{0};
  running_ &= seats;
}

void player_clocks::pause() {
  GAMEHUB_REQUIRE(running_ == 0);
  paused_ = true;
}

void player_clocks::resume(base::instant now) {
  if (!std::exchange(paused_, false)) return;
  for (auto left = running_; left != 0; left &= left - 1) at(first_of(left)).since = now;
}

void player_clocks::charge(microseconds lasted, microseconds least) {
  GAMEHUB_REQUIRE(paused_);
  for (auto left = running_; left != 0; left &= left - 1) {
    auto& mine = at(first_of(left));
    const auto most = std::max(store_of(mine) - mine.used - least, microseconds{0});
    mine.used += std::clamp(lasted, microseconds{0}, most);
  }
}

std::optional<base::instant> player_clocks::due(const hub_lateness& late, base::instant now) const {
  if (paused_ || running_ == 0) return std::nullopt;
  auto first = base::instant::max();
  for (auto left = running_; left != 0; left &= left - 1) {
    const auto& mine = at(first_of(left));
    first = std::min(
        first, mine.since + store_of(mine) - mine.used + late(first_of(left), mine.since, now));
  }
  return first;
}

seat_set player_clocks::fallen(base::instant now, const hub_lateness& late) const {
  seat_set out = 0;
  if (paused_) return out;
  for (auto left = running_; left != 0; left &= left - 1) {
    const auto seat = first_of(left);
    const auto all = store_of(at(seat));
    // Lateness is looked up only where it can decide.
    if (used(seat, now, {}) >= all && used(seat, now, late) >= all) out |= only(seat);
  }
  return out;
}

game_clock player_clocks::read(base::instant now, const hub_lateness& late) const {
  game_clock out;
  out.at = now;
  if (!paused_) out.running = running_;
  if (rule_.how == kind::byo_yomi) {
    out.period = rule_.step;
    out.periods.assign(all_.size(), 0);
  }
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    auto left = all_[i].left;
    auto periods = all_[i].periods;
    if (holds(running_, seat)) left -= used(seat, now, late);
    // In byo-yomi a period is shown in the place of the main time.
    for (; left <= microseconds{0} && periods > 0; --periods) left += rule_.step;
    out.left.push_back(duration_cast<milliseconds>(std::max(left, microseconds{0})));
    if (!out.periods.empty()) out.periods[i] = static_cast<std::uint32_t>(periods);
  }
  return out;
}

std::string player_clocks::stored(seat_index seat) const {
  auto out = std::to_string(at(seat).left.count());
  if (rule_.how == kind::byo_yomi) (out += '/') += std::to_string(at(seat).periods);
  return out;
}

bool player_clocks::restore(seat_index seat, std::string_view text) {
  std::int64_t left = 0, periods = 0;
  if (seat < 0 || static_cast<std::size_t>(seat) >= all_.size() ||
      !take_number(text, store_max.count(), left))
    return false;
  if (rule_.how == kind::byo_yomi) {
    if (!text.starts_with('/')) return false;
    text.remove_prefix(1);
    if (!take_number(text, rule_.periods, periods)) return false;
  }
  if (!text.empty()) return false;
  at(seat).left = microseconds{left};
  at(seat).periods = static_cast<int>(periods);
  return true;
}

}  // namespace gamehub
