// A game that is suspended because its hub stops: it goes on after a restart, or at another hub,
// once its players are back.
#include "actors/game/game.hpp"

#include <utility>

namespace gamehub::actors::game {

void game::suspend(const runtime::suspend_game& m) {
  if (!started_) return defer([this, m] { suspend(m); });
  if (m.not_taken || (setup_.released != nullptr && setup_.released->load())) {
    // What is not committed is not sent: if the games are another hub's, that one decides about it.
    suspended_ = true;
    if (finished_) return;
    handover_.reset();
    return notify_suspended();
  }
  if (!try_suspend(m) && m.answer) m.answer(false, owning_loop(), {});
}

bool game::try_suspend(const runtime::suspend_game& m) {
  if (!setup_.log->durable() || table_.over() || suspended_) return false;
  // A restored game whose players are not all back can't go on after another restart either.
  if (interruption_ && !all_can_return()) {
    end_interrupted();
    return false;
  }
  if (!may_suspend(m)) return false;
  if (m.what != runtime::hand_over::none) {
    handover_ =
        std::make_unique<handover>(handover{m.answer, m.what >= runtime::hand_over::of_following});
    handover_->digests.resize(table_.seats().size());
    log_digests();
  }
  suspended_ = true;
  if (gate_.open() && !gate_.has_pending() && !awaits_announcement())
    finish_suspension();
  else
    await_commits();
  return true;
}

bool game::may_suspend(const runtime::suspend_game& m) const {
  const auto& seats = table_.seats();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (holds(table_.unattended(), static_cast<seat_index>(i))) continue;
    const auto& s = seats[i];
    const bool follows = s.can_follow && m.what >= runtime::hand_over::of_following;
    if (!s.can_return && !(follows && m.what == runtime::hand_over::of_all)) return false;
    // The other hub calls no bot while this one has the arena, which is until this one ends.
    const bool returns = s.features.resumes && (s.can_follow || m.what == runtime::hand_over::none);
    if (!returns && !follows && !m.at_last && !away_time()) return false;
  }
  return true;
}

bool game::all_can_return() const {
  const auto& seats = table_.seats();
  for (std::size_t i = 0; i < seats.size(); ++i)
    if (!holds(table_.unattended(), static_cast<seat_index>(i)) && !seats[i].can_return)
      return false;
  return true;
}

// The players come back to another hub, which must find the game.
void game::finish_suspension() {
  auto answer = handover_ ? std::exchange(handover_->answer, nullptr) : nullptr;
  if (!answer) return notify_suspended();
  answer(true, owning_loop(),
         setup_.keys_of ? setup_.keys_of(setup_.log->read(table_.id(), 0))
                        : std::vector<std::string>{});
  await_commits();
}

void game::await_commits() {
  if (!std::exchange(awaits_commits_, true)) owning_loop().await_commits(table_.id(), self());
}

void game::notify_suspended() {
  finished_ = true;
  if (!handover_ || !handover_->follows) {
    for (const auto& p : players_)
      if (p) send(p, runtime::game_suspended{table_.id()});
    return this->quit();
  }
  handover_->told = true;
  for (std::size_t i = 0; i < players_.size(); ++i) {
    if (!players_[i]) finished_seats_ |= only(static_cast<seat_index>(i));
    if (players_[i])
      send(players_[i], runtime::game_suspended{table_.id(), true, false, gate_.appended(),
                                                handover_->digests[i]});
  }
  for (auto& [seat, what] : std::exchange(handover_->late, {}))
    if (const auto& to = players_[static_cast<std::size_t>(seat)]) send(to, std::move(what));
  // Spectators read the log.
  spectators_.reset();
  if (finished_seats_ == all_seats()) this->quit();
}

bool game::give_back(seat_index seat, const receipt& answers, intent what) {
  if (!handover_ || !handover_->follows) return false;
  envelope late{answers, std::move(what)};
  const auto& to = players_[static_cast<std::size_t>(seat)];
  if (!handover_->told)
    handover_->late.emplace_back(seat, std::move(late));
  else if (to)
    send(to, std::move(late));
  return true;
}

void game::on_followed(seat_index seat) {
  auto& to = players_[static_cast<std::size_t>(seat)];
  if (to) send(to, runtime::game_suspended{table_.id(), true, true});
  to = nullptr;
  finished_seats_ |= only(seat);
  if (finished_seats_ == all_seats()) this->quit();
}

// After a restart: not all players can come back, or came back in time.
void game::end_interrupted() {
  runtime::end_request request{end_reason::interrupted, {}};
  on_end(request);
}

void game::on_player_back(seat_index seat) {
  interruption_->away &= ~only(seat);
  seat_set expected = 0;
  for (seat_index s = 0; s < static_cast<seat_index>(players_.size()); ++s)
    if (players_[static_cast<std::size_t>(s)]) expected |= only(s);
  if ((interruption_->away & expected) != 0) return;
  // All players who can reconnect have done so. If one seat can't, the game ends.
  if (interruption_->away != 0) return end_interrupted();
  end_interruption();
}

}  // namespace gamehub::actors::game
