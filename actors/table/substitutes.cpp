#include "actors/table/substitutes.hpp"

#include "actors/table/engine_opponent.hpp"
#include "hub/base/require.hpp"

#include <bit>
#include <limits>

namespace gamehub::actors::table {

using journal::record;

namespace {

constexpr double lost = -1.0;

}  // namespace

substitutes::substitutes(std::size_t seats, seat_set engines) : seats_(seats), engines_(engines) {}

substitutes substitutes::at_start(std::span<const record> log) {
  substitutes out;
  for (const auto& r : log) {
    if (r.what != record::kind::joined || r.seat != static_cast<std::int16_t>(out.seats_)) continue;
    if (engine_opponent::level_of_wire(r.wire)) out.engines_ |= only(r.seat);
    ++out.seats_;
  }
  return out;
}

bool substitutes::can_replace(seat_set leaving) const {
  if (seats_ < 3) return false;
  const auto all = only(static_cast<seat_index>(seats_)) - 1;
  const auto rest = all & ~now_ & ~leaving;
  return std::popcount(rest) >= 2 && (rest & ~engines_) != 0;
}

void substitutes::replace(seat_index seat, bool for_good) {
  now_ |= only(seat);
  if (for_good) gone_ |= only(seat);
}

void substitutes::bring_back(seat_index seat) {
  GAMEHUB_REQUIRE(may_return(seat));
  now_ &= ~only(seat);
  returned_ |= only(seat);
}

bool substitutes::follow(const record& r) {
  if (r.what != record::kind::substituted && r.what != record::kind::returned) return true;
  if (r.seat < 0 || static_cast<std::size_t>(r.seat) >= seats_) return false;
  if (r.what == record::kind::returned) {
    if (!may_return(r.seat)) return false;
    bring_back(r.seat);
    return true;
  }
  if (holds(gone_ | engines_, r.seat) || !engine_opponent::level_of_wire(r.wire) ||
      !can_replace(only(r.seat)))
    return false;
  replace(r.seat, r.action == 0);
  return true;
}

void substitutes::settle(outcome& o) const {
  o.forfeits = now_;
  if (now_ == 0) return;
  o.winner.reset();
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < o.scores.size(); ++i) {
    const auto seat = static_cast<seat_index>(i);
    if (holds(now_, seat)) {
      o.scores[i] = lost;
    } else if (o.scores[i] > best) {
      best = o.scores[i];
      o.winner = seat;
    } else if (o.scores[i] == best) {
      o.winner.reset();
    }
  }
}

}  // namespace gamehub::actors::table
