// A game of days leaves memory while nothing is due in it: all that it is can be read from its log.
#include "actors/game/game.hpp"

#include <utility>

namespace gamehub::actors::game {

void game::on_seat_asleep(const runtime::seat_asleep& m) {
  if (!started_) return defer([this, m] { on_seat_asleep(m); });
  finished_seats_ |= only(m.seat);
  // At the end of the game its player had the seat still.
  if (m.here && !table_.over()) released_ |= only(m.seat);
  drop_finished_players();
  quit_if_done();
  if (!finished_) ask_to_sleep();
}

void game::on_reserve(runtime::reserve_seat& m) {
  finished_seats_ &= ~only(m.seat);
  released_ &= ~only(m.seat);
  players_[static_cast<std::size_t>(m.seat)] = std::move(m.session);
  // It came back when the others had heard it: what it sends would go back to it again and again.
  if (handover_ && handover_->told) tell_suspended(m.seat);
}

void game::forget_released(seat_index seat) {
  if (!holds(released_, seat)) return;
  released_ &= ~only(seat);
  quit_if_done();
}

void game::ask_to_sleep() {
  if (setup_.sleep_after.count() == 0 || !setup_.lobby || finished_seats_ != all_seats()) return;
  if (may_sleep()) send(setup_.lobby, runtime::game_may_sleep{self(), table_.id(), released_});
  arm_sleep_timer();
}

void game::arm_sleep_timer() {
  if (setup_.sleep_after.count() == 0 || sleep_timer_ || table_.over()) return;
  sleep_timer_ = arm_timer(owning_loop().now() + setup_.sleep_after, sleep_timer);
}

void game::on_sleep_timer() {
  sleep_timer_ = {};
  if (suspended_) return;
  finished_seats_ == all_seats() ? ask_to_sleep() : ask_to_release();
}

void game::ask_to_release() {
  if (!setup_.lobby) return;
  arm_sleep_timer();
  // Another session has not released its seat.
  if (released_ != 0) return take_back();
  if (std::exchange(touched_, false) || !is_at_rest()) return;
  const auto can_be_asked = [this](seat_index s) {
    const auto at = static_cast<std::size_t>(s);
    return holds(finished_seats_, s) ||
           (players_[at] && table_.seats()[at].features.asks_for_games);
  };
  const auto seats = static_cast<seat_index>(players_.size());
  for (seat_index s = 0; s < seats; ++s)
    if (!can_be_asked(s)) return;
  for (seat_index s = 0; s < seats; ++s)
    if (!holds(finished_seats_, s))
      send(players_[static_cast<std::size_t>(s)], runtime::release_seat{table_.id()});
}

void game::take_back() {
  send(setup_.lobby, runtime::game_sleeps{table_.id(), true, {}, 0, released_});
}

bool game::is_at_rest() const {
  if (!started_ || table_.over() || suspended_ || interruption_ || deferred_ || opening_)
    return false;
  if (!gate_.open() || gate_.has_pending()) return false;
  if (awaits_announcement() || table_.seats_awaiting_search() != 0) return false;
  if (spectators_ && (spectators_->open().any || spectators_->has_pending())) return false;
  // A process of an engine counts its matches; a store of time has no fixed end of a turn.
  if (setup_.directory->engines[engine_].rules.host() != nullptr || table_.clocks() != nullptr)
    return false;
  if (away_time() != std::chrono::seconds::max() || !all_can_return()) return false;
  return !clock_ || (turn_timer_ && deadline_ - owning_loop().now() > setup_.sleep_after);
}

void game::on_sleep_granted() {
  const auto due = clock_ ? deadline_ : base::instant::max();
  if (!may_sleep()) return take_back();
  cells().games_slept.add();
  send(setup_.lobby, runtime::game_sleeps{table_.id(), false, due, table_.to_move()});
  suspended_ = finished_ = true;
  this->quit();
}

}  // namespace gamehub::actors::game
