// A game that is suspended because its hub stops: it goes on after a restart, or at another hub,
// once its players are back.
#include "actors/game/game.hpp"
#include "actors/runtime/engine_call_scope.hpp"
#include "actors/table/replay.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::game {

void game::suspend(const runtime::suspend_game& m) {
  if (!started_) return defer([this, m] { suspend(m); });
  using runtime::game_owner;
  const auto owner = setup_.owner != nullptr ? setup_.owner->load() : game_owner::here;
  if (m.not_taken || owner != game_owner::here) {
    // What is not committed is not sent: if the games are another hub's, that one decides about it.
    suspended_ = true;
    if (finished_) return;
    if (owner == game_owner::followed) return follow_owner();
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

void game::follow_owner() {
  if (!handover_) handover_ = std::make_unique<handover>();
  handover_->follows = true;
  handover_->digests.resize(table_.seats().size());
  // They send no request any more.
  for (std::size_t i = 0; i < players_.size(); ++i)
    if (holds(finished_seats_, static_cast<seat_index>(i))) players_[i] = nullptr;
  // The earliest requests first.
  auto later = std::exchange(handover_->late, {});
  give_back_uncommitted();
  std::move(later.begin(), later.end(), std::back_inserter(handover_->late));
  if (first_move_)
    for (auto& each : std::exchange(first_move_->waits, {})) on_play(each);
  if (spectators_) spectators_->call_waiting();
  notify_suspended();
}

// The other hub's log may have these records, or not.
void game::give_back_uncommitted() {
  const auto pending = gate_.take_back();
  if (pending.empty()) return;
  const auto log = setup_.log->find_appended(table_.id());
  auto upto = gate_.committed(), before = upto;
  seat_set moved = 0;
  for (const auto& [after, output] : pending) {
    if (after != upto) before = std::exchange(upto, after);
    const auto& [seat, e] = output;
    const auto& to = players_[static_cast<std::size_t>(seat)];
    if (e.answers.ticket == 0 || !to) continue;
    std::optional<intent> again;
    if (log && upto <= log->records.size() && !std::holds_alternative<refused>(e.what))
      again = intent_of(seat, std::span{log->records}.subspan(before, upto - before), *log);
    // Of two moves it would not be known which one was made.
    const bool is_move = again && std::holds_alternative<gamehub::play>(*again);
    if (is_move && holds(std::exchange(moved, moved | only(seat)), seat)) again.reset();
    if (again)
      give_back(seat, e.answers, *std::move(again));
    else
      send(to, event{e.answers, e.game, refused{refusal::draining, {}, {}}});
  }
}

std::optional<intent> game::intent_of(seat_index seat, std::span<const journal::record> made,
                                      const journal::game_log& log) const {
  using kind = journal::record::kind;
  const auto is = [seat](kind what) {
    return [seat, what](const journal::record& r) { return r.seat == seat && r.what == what; };
  };
  if (std::any_of(made.begin(), made.end(), is(kind::left)) ||
      std::any_of(made.begin(), made.end(), is(kind::substituted)))
    return gamehub::leave{table_.id()};
  const auto moved = std::find_if(made.begin(), made.end(), is(kind::moved));
  if (moved == made.end()) return std::nullopt;
  const runtime::engine_call_scope it{owning_loop().cells().loop, engine_, table_.id()};
  try {
    const auto match =
        table::match_before(table_.match().rules(), log.header.options,
                            std::span{log.records}.first(moved->number - 1), moved->number);
    return gamehub::play{
        table_.id(), {move::form::word, 0, match.to_text(moved->action)}, gate_.committed()};
  } catch (const engines::host::engine_failure&) {
    return std::nullopt;
  }
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
  for (seat_index seat = 0; seat < static_cast<seat_index>(players_.size()); ++seat)
    tell_suspended(seat);
  for (auto& [seat, what] : std::exchange(handover_->late, {}))
    if (const auto& to = players_[static_cast<std::size_t>(seat)]) send(to, std::move(what));
  // Spectators read the log.
  spectators_.reset();
  if (finished_seats_ == all_seats()) this->quit();
}

void game::tell_suspended(seat_index seat) {
  const auto at = static_cast<std::size_t>(seat);
  auto& to = players_[at];
  // Another hub knows a player by its secret, and a client the game once it is committed.
  const bool goes_on = table_.seats()[at].can_return && gate_.committed() != 0;
  if (to)
    send(to, runtime::game_suspended{table_.id(), goes_on, false, gate_.committed(),
                                     handover_->digests[at]});
  if (!goes_on) to = nullptr;
  if (!to) finished_seats_ |= only(seat);
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
