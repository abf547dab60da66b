// A player who is away for long leaves memory: the lobby makes its session again when it is needed.
#include "actors/session/session.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace gamehub::actors::session {

std::chrono::seconds session::grace() const {
  if (awaits_return_) return setup_.rejoin_time;
  const auto usual = setup_.directory->wires[wire_].grace;
  return way_is_lost() ? std::max(usual, limits::return_time_max) : usual;
}

base::instant session::kept_until(const seat_entry& p) const {
  // Without a secret the player can't come back, and a bot comes back as a new client.
  const auto time = p.lasts() && identity_ && !is_bot() ? p.away_time : grace();
  return time == std::chrono::seconds::max() ? base::instant::max() : absent_since_ + time;
}

base::instant session::shown_until(const seat_entry& p, base::instant otherwise) const {
  if (!p.lasts() || !identity_ || is_bot()) return otherwise;
  if (p.away_time == std::chrono::seconds::max()) return base::instant::max();
  return std::max(otherwise, owning_loop().now() + p.away_time);
}

void session::ask_to_sleep() {
  if (may_sleep()) send(setup_.lobby, runtime::player_may_sleep{self(), id_});
}

bool session::may_sleep() const {
  if (setup_.sleep_after.count() == 0 || client_ || leaving_ || banned_ || draining_ ||
      signs_out() || entry_ || pending_resume_)
    return false;
  if (!identity_ || identity_->name.empty() || identity_->renaming || !player_.playing() ||
      player_.waiting() || player_.has_standing_seek())
    return false;
  // The games know that the player is away; those of a session that was restored have it so.
  if (absence_ ? !absence_->published : !awaits_return_) return false;
  const auto& seats = player_.seats();
  return std::all_of(seats.begin(), seats.end(),
                     [this](const seat_entry& p) { return kept_until(p) == base::instant::max(); });
}

void session::on_sleep_granted() {
  runtime::player_sleeps answer{id_, !may_sleep()};
  if (answer.stays) return send(setup_.lobby, std::move(answer));
  for (const auto& p : player_.seats()) {
    send(p.game, runtime::seat_asleep{p.seat});
    answer.seats.push_back({p.id, p.seat});
  }
  answer.wire = wire_;
  answer.home = static_cast<std::size_t>(owning_loop().index());
  if (address_) answer.address = address_->seats.account();
  // The lobby knows, so nothing is left.
  leaving_ = true;
  player_ = {};
  send(setup_.lobby, std::move(answer));
  this->quit();
}

// The client has gone. A game of days goes on without it, as if it had gone before.
void session::on_seated_late(const runtime::seated& m) {
  const bool stays = m.restored && m.away_time == std::chrono::seconds::max();
  if (stays && !banned_ && !signs_out())
    send(m.game, runtime::seat_presence{m.seat, base::instant::max()});
  else
    send(m.game, runtime::leave_request{m.seat, {}, leave_cause::disconnected});
}

void session::on_release(const runtime::release_seat& m) {
  const auto* at = player_.find(m.game);
  if (at == nullptr || !may_release(*at)) return;
  runtime::seat_released out{id_, m.game, at->seat};
  if (address_) out.address = address_->seats.account();
  // The last message to the game.
  send(at->game, runtime::seat_asleep{at->seat, true});
  player_.release(m.game);
  hold_seats();
  send(setup_.lobby, std::move(out));
}

bool session::may_release(const seat_entry& p) const {
  if (leaving_ || banned_ || draining_ || signs_out() || entry_ || follows_ || pending_resume_)
    return false;
  // Without a client the player falls asleep itself.
  if (!client_ || !features_.asks_for_games || p.unseen_by) return false;
  return identity_ && !identity_->renaming && kept_until(p) == base::instant::max();
}

std::optional<game_id> session::game_to_wake(const intent& what) {
  if (!setup_.wakes || draining_ || !identity_) return std::nullopt;
  game_id game;
  if (const auto* f = std::get_if<find_seat>(&what)) {
    game = f->game;
    if (!game) return game;
  } else if (const auto* p = std::get_if<play>(&what)) {
    game = p->game;
  } else if (const auto* l = std::get_if<leave>(&what); l != nullptr && !l->only_waiting) {
    game = l->game;
  } else if (const auto* c = std::get_if<chat>(&what)) {
    game = c->game;
  } else if (const auto* o = std::get_if<offer>(&what);
             o != nullptr && o->mistake.empty() && o->what != offer_kind::rematch) {
    game = o->game;
  } else if (const auto* w = std::get_if<claim>(&what)) {
    game = w->game;
  } else if (std::holds_alternative<change_name>(what)) {
    // Each of them has the name of its player.
    return game_id{};
  }
  if (!game || player_.find(game) != nullptr || player_.awaits(game)) return std::nullopt;
  return game;
}

void session::carry_out(envelope& m) {
  std::visit([&](auto& what) { on_intent(m.receipt, what); }, m.what);
}

void session::on_seats_found(runtime::seats_found& m) {
  if (leaving_ || !is_current(m.what.receipt.from)) return;
  if (m.unreadable) return refuse(m.what.receipt, m.game, refusal::hub_full);
  if (m.asleep) return deliver({m.what.receipt, {}, gamehub::done{std::move(m.asleep)}});
  // The player may be on its way to another hub.
  entry_ ? pass_on(m.what) : carry_out(m.what);
}

void session::on_intent(const receipt& r, const find_seat& what) {
  if (what.game && player_.find(what.game) == nullptr)
    return refuse(r, what.game, refusal::not_in_game);
  open_find open{r, {}};
  for (const auto& p : player_.seats())
    if ((!what.game || p.id == what.game) && p.unseen_by) open.games.push_back(p.id);
  if (open.games.empty()) return deliver({r, what.game, gamehub::done{}});
  hold_request().finds.push_back(std::move(open));
}

void session::answer_shown(game_id game) {
  if (!open_requests_) return;
  if (const auto* at = player_.find(game); at != nullptr && at->unseen_by) return;
  auto& finds = open_requests_->finds;
  for (auto& each : finds) {
    std::erase(each.games, game);
    if (each.games.empty()) deliver({each.answers, game, gamehub::done{}});
  }
  std::erase_if(finds, [](const open_find& each) { return each.games.empty(); });
}

}  // namespace gamehub::actors::session
