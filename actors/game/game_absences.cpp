// The players of a game who are away, and what a lasting game reports of them.
#include "actors/game/game.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::actors::game {

std::vector<absence> game::absences() const {
  std::vector<absence> out;
  for (seat_index seat = 0; seat < static_cast<seat_index>(players_.size()); ++seat) {
    if (interruption_ && holds(interruption_->away, seat)) {
      out.push_back({seat, interruption_->ends});
    } else if (absences_) {
      const auto at = std::find_if(absences_->begin(), absences_->end(),
                                   [seat](const absence& a) { return a.seat == seat; });
      if (at != absences_->end()) out.push_back(*at);
    }
  }
  return out;
}

seat_set game::away_seats() const {
  seat_set out = 0;
  for (const auto& each : absences()) out |= only(each.seat);
  return out;
}

bool game::is_reported() const { return setup_.absences != nullptr && away_time(); }

lasting_seat game::lasting_seat_of(seat_index seat) const {
  return {reports_->player(seat), table_.id(),
          std::string{setup_.directory->engines[engine_].rules.id()}, seat};
}

// A restored game has its clock, and the players who are not back are away, from
// continue_without_players() on.
void game::report_absences() {
  if (!gate_.open() || gate_.has_pending() || interruption_ || suspended_) return;
  const auto away = away_seats();
  const auto all = reports_->seats();
  if (table_.over()) {
    for (seat_index seat = 0; holds(all_seats(), seat); ++seat) {
      if (!holds(all, seat)) continue;
      setup_.absences->on_end(
          {lasting_seat_of(seat), gate_.appended(), holds(away, seat), table_.outcome()});
    }
    reports_.reset();
    return;
  }
  const auto [begun, over] = reports_->update(table_.awaited(), away);
  for (seat_index seat = 0; holds(all_seats(), seat); ++seat) {
    if (holds(over, seat)) setup_.absences->on_turn_over(reports_->player(seat), table_.id());
    if (!holds(begun, seat)) continue;
    absent_turn t{lasting_seat_of(seat), reports_->turn_of(seat), reports_->since()};
    if (clock_ && deadline_ != base::instant::max())
      t.until = owning_loop().wall_now() + std::chrono::duration_cast<std::chrono::milliseconds>(
                                               deadline_ - owning_loop().now());
    setup_.absences->on_turn(std::move(t));
  }
}

}  // namespace gamehub::actors::game
