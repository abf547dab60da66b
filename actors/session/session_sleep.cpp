// A player who is away for long leaves memory: the lobby makes its session again when it is needed.
#include "actors/session/session.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::session {

void session::ask_to_sleep() {
  if (may_sleep()) send(setup_.lobby, runtime::player_may_sleep{self(), id_});
}

bool session::may_sleep() const {
  if (setup_.sleep_after.count() == 0 || !attachments_.empty() || leaving_ || banned_ ||
      draining_ || signs_out_ || entry_ || pending_resume_)
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

}  // namespace gamehub::actors::session
