// A game of days leaves memory while nothing is due in it: all that it is can be read from its log.
#include "actors/game/game.hpp"

#include <utility>

namespace gamehub::actors::game {

void game::on_seat_asleep(const runtime::seat_asleep& m) {
  if (!started_) return defer([this, m] { on_seat_asleep(m); });
  finished_seats_ |= only(m.seat);
  drop_finished_players();
  quit_if_done();
  if (!finished_) ask_to_sleep();
}

void game::ask_to_sleep() {
  if (setup_.sleep_after.count() == 0 || !setup_.lobby || finished_seats_ != all_seats()) return;
  if (may_sleep()) send(setup_.lobby, runtime::game_may_sleep{self(), table_.id()});
  arm_sleep_timer();
}

void game::arm_sleep_timer() {
  if (setup_.sleep_after.count() == 0 || sleep_timer_ || table_.over()) return;
  sleep_timer_ = arm_timer(owning_loop().now() + setup_.sleep_after, sleep_timer);
}

void game::on_sleep_timer() {
  sleep_timer_ = {};
  if (!suspended_) ask_to_sleep();
}

bool game::may_sleep() const {
  if (!started_ || table_.over() || suspended_ || interruption_ || deferred_ || opening_)
    return false;
  if (finished_seats_ != all_seats() || !gate_.open() || gate_.has_pending()) return false;
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
  if (!may_sleep()) {
    send(setup_.lobby, runtime::game_sleeps{table_.id(), true});
    return;
  }
  cells().games_slept.add();
  send(setup_.lobby, runtime::game_sleeps{table_.id(), false, due, table_.to_move()});
  suspended_ = finished_ = true;
  this->quit();
}

}  // namespace gamehub::actors::game
