// The names and secrets of players. In a cluster no two hubs have the same: a sign-in waits until
// the database has said so.
#include "actors/lobby/lobby.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

void lobby::on_register(const runtime::register_player& m) {
  if (bans(m.name)) return send(m.session, runtime::ban_session{});
  expire_names();
  const auto refuse = [&](refusal why, std::string detail = {}) {
    send(m.session, runtime::name_assigned{{}, why, m.answers, std::move(detail)});
  };
  if (m.relayed) return on_arrival(m);
  if (m.choice == name_choice::exact)
    if (auto no = names_.why_not(m.name)) return refuse(no->why, std::move(no->detail));
  if (keys_ && keys_->sign_ins.size() >= sign_ins_waiting_max) return refuse(refusal::hub_full);
  auto name = names_.enter(m.player, m.name, journal::digest_of(m.secret));
  players_[m.player] = {m.session, {}};
  const auto waits = !hold_keys(m.player, m.bot) && !m.bot;
  if (!waits) send(m.session, runtime::name_assigned{std::move(name), std::nullopt, m.answers});
  if (!keys_) return;
  if (waits) keys_->sign_ins[m.player] = {m, owning_loop().now()};
  change_keys();
}

// The player of a hub that gives its name and its digest away.
void lobby::on_arrival(const runtime::register_player& m) {
  const auto& from = *m.relayed;
  const auto refuse = [&](refusal why) {
    send(m.session, runtime::name_assigned{{}, why, m.answers});
  };
  if (!keys_ || draining_ || keys_->sign_ins.size() >= sign_ins_waiting_max)
    return refuse(refusal::hub_full);
  // A name of the cluster is at one hub. This one still has it if it just gave it away.
  if (names_.why_not(m.name) == refusal::name_taken) return refuse(refusal::name_taken);
  if (!from.digest.empty() && names_.find_digest(from.digest))
    return refuse(refusal::player_elsewhere);
  // A client without a name has one for its games.
  if (m.name.empty())
    names_.enter(m.player, {}, from.digest);
  else
    names_.restore(m.player, m.name, from.digest, from.former_names);
  players_[m.player] = {m.session, {}};
  keys_->sign_ins[m.player] = {m, owning_loop().now()};
  if (keys_->claims.hold(m.player, names_.keys_of(m.player, owning_loop().now()), false,
                         {from.from}))
    admit(m.player);
  change_keys();
}

bool lobby::bans(const session::player_registry::entry& who) const {
  return bans(who.name) || std::any_of(who.former.begin(), who.former.end(),
                                       [this](const auto& each) { return bans(each.name); });
}

// Sanctions stay with the player: all names that it has had count. So it may not take a name that
// the operator has banned, which would disconnect it.
void lobby::on_rename(const runtime::rename_player& m) {
  const auto refuse = [&](refusal why, std::string detail) {
    send(m.session, runtime::name_changed{{}, why, std::move(detail), m.answers});
  };
  if (names_.find(m.player) == nullptr) return refuse(refusal::not_in_game, {});
  // Its name may be at another hub.
  if (moving_.contains(m.player)) return refuse(refusal::rate_limited, {});
  const auto unacceptable = [&](name_fault f) {
    refuse(refusal::name_unacceptable, std::string{to_string(f)});
  };
  if (m.name.empty()) return unacceptable(name_fault::too_long);
  if (bans(m.name)) return unacceptable(name_fault::banned);
  expire_names();
  if (auto no = names_.why_not(m.name, m.player)) return refuse(no->why, std::move(no->detail));
  if (!names_.may_rename(m.player, m.name)) return refuse(refusal::rate_limited, {});
  if (keys_) keys_->renames[m.player] = {m, owning_loop().now()};
  if (hold_keys(m.player)) return rename(m);
  change_keys();
}

void lobby::rename(const runtime::rename_player& m) {
  names_.rename(m.player, m.name, owning_loop().now());
  if (keys_) {
    keys_->renames.erase(m.player);
    hold_keys(m.player);
    change_keys();
  }
  matches_.rename(m.player, m.name, owning_loop().now());
  waiting_.rename(m.player, m.name);
  offers_.rename(m.player, m.name);
  if (const auto at = seeks_.find(m.player); at != seeks_.end()) at->second.name = m.name;
  send(m.session, runtime::name_changed{m.name, std::nullopt, {}, m.answers});
  arm_pairing_timer();
}

void lobby::on_resume(runtime::resume_request& m) {
  auto digest = m.returns ? m.digest : m.relayed ? m.relayed->digest : journal::digest_of(m.secret);
  auto player = names_.find_digest(digest);
  if (!player) {
    if (!find_sleeper(m.game, digest))
      return send(m.asking, runtime::name_assigned{{}, refusal::hub_full, m.what.answers});
    player = names_.find_digest(digest);
  }
  const auto at = player ? players_.find(*player) : players_.end();
  if (at == players_.end() && ask_for_player(m, digest)) return;
  if (look_for(m, digest)) return;
  // Who returns asks again soon.
  if (at == players_.end() && !m.relayed && !m.has_waited && !m.returns) {
    // When it has waited it is looked for at the other hubs again: one may have taken it over.
    const bool asked = std::exchange(m.asked_hubs, false);
    m.has_waited = true;
    if (early_.hold(m, std::move(digest), owning_loop().now(), setup_.may_arrive)) return;
    m.asked_hubs = asked;
  }
  if (at == players_.end() && m.brings_secret)
    return on_register({m.asking, m.player, m.name, m.secret, m.what.answers, m.choice, m.bot});
  if (at == players_.end())
    return send(m.asking, runtime::resume_failed{std::move(m.name), m.choice, m.what.answers});
  if (keys_)
    if (const auto w = keys_->sign_ins.find(*player); w != keys_->sign_ins.end())
      return w->second.resume_requests.push_back(std::move(m));
  if (m.returns) {
    const auto session = m.asking;
    return send(session, runtime::go_to_hub{setup_.hubs->self(), std::move(digest), std::move(m)});
  }
  if (const auto s = sleepers_.find(*player); s != sleepers_.end()) {
    resuming_as_[m.player] = *player;
    s->second.resumes.push_back(std::move(m));
    return wake_player(*player, metrics::wake_cause::player);
  }
  if (at->second.partly && !std::exchange(m.games_awake, true)) {
    const auto needed = needed_by(*player, m);
    const auto kept = std::make_shared<runtime::resume_request>(std::move(m));
    return wake_seats(*player, needed, [this, kept](bool all) {
      if (all) return on_resume(*kept);
      send(kept->asking, runtime::name_assigned{{}, refusal::hub_full, kept->what.answers});
    });
  }
  // The player was restored from the journal, and its name was banned since.
  if (bans(*names_.find(*player))) {
    expel(*player);
    return send(m.asking, runtime::ban_session{});
  }
  if (const auto s = seeks_.find(*player); s != seeks_.end()) s->second.features = m.what.features;
  at->second.features = m.what.features;
  // Sent first, so that the requesting session knows the target before its attachment moves.
  send(m.asking, runtime::resume_accepted{at->second.session});
  m.what.digest = std::move(digest);
  send(at->second.session, m.what);
  resuming_as_[m.player] = *player;
  at->second.resume_requests.push_back(std::move(m));
}

void lobby::expire_names() {
  const auto expired = names_.expire(owning_loop().now());
  if (keys_)
    for (const auto player : expired) hold_keys(player);
}

bool lobby::hold_keys(player_id player, bool keeps) {
  if (!keys_) return true;
  auto wanted = names_.keys_of(player, owning_loop().now());
  if (const auto at = keys_->renames.find(player); at != keys_->renames.end())
    for (auto& key : session::player_registry::keys_of(at->second.what.name))
      if (std::find(wanted.begin(), wanted.end(), key) == wanted.end())
        wanted.push_back(std::move(key));
  return keys_->claims.hold(player, std::move(wanted), keeps);
}

void lobby::free_keys(player_id player) {
  const bool entered = !keys_->sign_ins.contains(player);
  const auto free_at = entered ? owning_loop().now() + keys_kept : base::instant{};
  const auto at = players_.find(player);
  at != players_.end() && at->second.partly ? keys_->claims.drop_asleep(player, free_at)
                                            : keys_->claims.drop(player, free_at);
  keys_->renames.erase(player);
  for (auto& [who, w] : keys_->sign_ins)
    std::erase_if(w.resume_requests,
                  [player](const runtime::resume_request& r) { return r.player == player; });
  if (auto gone = keys_->sign_ins.extract(player))
    for (auto& r : gone.mapped().resume_requests) on_resume(r);
  change_keys();
}

void lobby::change_keys() {
  if (!keys_) return;
  if (!keys_->answers->to) {
    const std::lock_guard lock{keys_->answers->mutex};
    keys_->answers->to = self();
  }
  if (auto change = keys_->claims.next(owning_loop().now()))
    setup_.change_keys(*std::move(change), [to = keys_->answers](auto owned) {
      const std::lock_guard lock{to->mutex};
      if (to->to) caf::anon_send(to->to, runtime::keys_changed{std::move(owned)});
    });
  if (keys_->timer || (!keys_->claims.has_work() && keys_->sign_ins.empty())) return;
  keys_->timer_at = owning_loop().now() + key_timer_pause;
  keys_->timer = arm_timer(keys_->timer_at, key_timer);
}

void lobby::on_keys_changed(const runtime::keys_changed& m) {
  for (const auto& each : keys_->claims.on_answer(m.owned, owning_loop().now()))
    settle(each.player, each.lost);
  change_keys();
}

void lobby::on_key_timer() {
  keys_->timer = {};
  const auto now = owning_loop().now();
  if (now - keys_->timer_at > key_timer_late) keys_->claims.postpone_frees(now + keys_kept);
  std::vector<player_id> late, again;
  for (auto& [player, w] : keys_->sign_ins) {
    // Who moves here waits for the answer: its former hub must know which of them has its name.
    if (now - w.since >= sign_in_waits_max && !w.what.relayed)
      late.push_back(player);
    else if (std::exchange(w.again, false))
      again.push_back(player);
  }
  for (const auto player : late) refuse_sign_in(player, refusal::hub_full);
  for (const auto player : again)
    if (keys_->sign_ins.contains(player) && hold_keys(player)) admit(player);
  std::vector<runtime::rename_player> late_renames;
  for (const auto& [player, r] : keys_->renames)
    if (now - r.since >= sign_in_waits_max) late_renames.push_back(r.what);
  for (const auto& m : late_renames) {
    keys_->renames.erase(m.player);
    hold_keys(m.player);
    send(m.session, runtime::name_changed{{}, refusal::hub_full, {}, m.answers});
  }
  change_keys();
}

void lobby::end_keys() {
  if (!keys_) return;
  owning_loop().timers().cancel(std::exchange(keys_->timer, {}));
  keys_->sign_ins.clear();
  keys_->renames.clear();
  const std::lock_guard lock{keys_->answers->mutex};
  keys_->answers->to = nullptr;
}

bool lobby::may_be_freed(base::instant since) const {
  return keys_->claims.frees_released() || (setup_.may_arrive && setup_.may_arrive(since));
}

void lobby::settle(player_id player, const std::vector<std::string>& lost) {
  if (keys_->renames.contains(player)) return settle_rename(player, lost);
  const auto at = keys_->sign_ins.find(player);
  if (at == keys_->sign_ins.end()) return;
  if (lost.empty()) return admit(player);
  auto& w = at->second;
  if (w.what.relayed) return refuse_sign_in(player, refusal::name_taken);
  const auto digest = session::player_registry::key_of_digest(journal::digest_of(w.what.secret));
  const bool secret_is_lost = std::find(lost.begin(), lost.end(), digest) != lost.end();
  // A hub that has just died may give the name or the secret back.
  const bool waits = secret_is_lost || w.what.choice != name_choice::any;
  if (waits && owning_loop().now() - w.since < lost_key_waits_max && may_be_freed(w.since)) {
    w.again = true;
    return;
  }
  if (secret_is_lost) return refuse_sign_in(player, refusal::player_elsewhere);
  if (w.what.choice == name_choice::exact) return refuse_sign_in(player, refusal::name_taken);
  names_.enter_other(player, w.what.name, ++w.lost);
  if (hold_keys(player)) admit(player);
}

// A local player may have taken the name meanwhile.
void lobby::settle_rename(player_id player, const std::vector<std::string>& lost) {
  const auto m = keys_->renames.at(player).what;
  const auto wanted = session::player_registry::keys_of(m.name);
  const auto is_lost = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& key) {
    return std::find(lost.begin(), lost.end(), key) != lost.end();
  });
  auto no = is_lost ? std::optional{session::player_registry::name_refusal{refusal::name_taken}}
                    : names_.why_not(m.name, player);
  if (!no) return rename(m);
  keys_->renames.erase(player);
  hold_keys(player);
  send(m.session, runtime::name_changed{{}, no->why, std::move(no->detail), m.answers});
}

void lobby::admit(player_id player) {
  auto w = std::move(keys_->sign_ins.extract(player).mapped());
  send(w.what.session,
       runtime::name_assigned{names_.find(player)->name, std::nullopt, w.what.answers});
  for (auto& r : w.resume_requests) on_resume(r);
}

void lobby::refuse_sign_in(player_id player, refusal why) {
  auto w = std::move(keys_->sign_ins.extract(player).mapped());
  names_.leave(player);
  players_.erase(player);
  keys_->claims.drop(player);
  send(w.what.session, runtime::name_assigned{{}, why, w.what.answers});
  for (auto& r : w.resume_requests) on_resume(r);
}

}  // namespace gamehub::actors::lobby
