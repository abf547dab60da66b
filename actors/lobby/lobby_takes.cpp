// Games that are asleep in the log that the hubs of a cluster share. This hub has nothing of them,
// and looks for them in the log when something needs them: on another thread, as that waits for the
// database. What it finds it takes: then they are games of this hub that wake.
#include "actors/lobby/lobby.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::lobby {

bool lobby::read_later(std::function<std::function<void()>()> read) {
  return setup_.log->read_later(
      [this, keep = self(), &at = owning_loop(), read = std::move(read)]() mutable {
        at.post([this, keep = std::move(keep), then = read()] {
          if (!ended_) then();
        });
      });
}

void lobby::take(journal::sleeper_query what, metrics::wake_cause why,
                 std::function<void(const taken&)> then) {
  for (const auto& e : setup_.directory->engines)
    what.engines.push_back(journal::engine_name(e.rules.id(), e.rules.version_text()));
  if (draining_ || !read_later([this, log = setup_.log, what = std::move(what), why, then] {
        auto found = std::make_shared<const journal::taken_sleepers>(log->take_asleep(what));
        return [this, why, then, found] { then(add_taken(*found, why)); };
      }))
    then({});
}

lobby::taken lobby::add_taken(const journal::taken_sleepers& found, metrics::wake_cause why) {
  taken out{found.certain, {}, found.elsewhere, found.more, found.next_due};
  for (const auto& [id, reason] : found.damaged)
    if (setup_.on_quarantined) setup_.on_quarantined(id, reason);
  for (const auto& each : found.games) {
    const auto id = each.log.header.id;
    // It was on its way to the log from here.
    if (auto* const at = running_.find(id)) {
      at->sleep().filing = 0;
      if (keys_)
        for (const auto player : at->sleep().slept) keys_->claims.doubt(player);
      if (keys_)
        for (const auto& p : at->sleep().here) keys_->claims.doubt(p.player);
      if (at->at == running_games::entry::stage::asleep)
        running_.set_due(id, setup_.instant_of(game::due_after(each.pauses, each.due)));
    } else if (auto read = setup_.read_taken(each)) {
      add_from_file(*read);
      running_.find(id)->sleep().to_move = each.to_move.value_or(0);
      // Keys that no hub had are this hub's since: it frees them when the players have left.
      if (keys_)
        for (const auto& p : read->seats) keys_->claims.doubt(p.player);
    } else {
      note_unreadable(id);
      continue;
    }
    out.games.push_back(id);
    const auto waits = waking_.find(id);
    if (waits == waking_.end())
      wake_game(id, why, [](bool) {});
    else if (running_.find(id)->at == running_games::entry::stage::asleep)
      begin_wake(id, waits->second);
  }
  // What a try without an answer has taken is known from the next one.
  if (!found.certain) arm_look_timer(owning_loop().now() + wake_retry);
  count_sleepers();
  change_keys();
  return out;
}

void lobby::take_back(game_id id) {
  take({.game = id}, waking_.at(id).why, [this, id](const taken&) {
    const auto* at = running_.find(id);
    using stage = running_games::entry::stage;
    if (at == nullptr || at->at != stage::asleep || at->sleep().filing == 0) return;
    // Another hub has it, or the log can't be read: players that wait for it ask again.
    forget_filed(id);
    finish_wake(id, false);
  });
}

void lobby::take_due() {
  look_timer_ = {};
  if (draining_) return;
  for (const auto id : std::exchange(unfiled_, {})) {
    const auto* at = running_.find(id);
    if (at != nullptr && at->at == running_games::entry::stage::asleep && at->sleep().filing == 0)
      file_game(id);
  }
  journal::sleeper_query due;
  due.due = owning_loop().wall_now();
  due.most = wakes_by_clock_max;
  take(std::move(due), metrics::wake_cause::clock, [this](const taken& t) {
    const auto now = owning_loop().now();
    auto next = now + (t.certain ? look_pause : wake_retry);
    if (t.more) next = now;
    if (t.next_due) next = std::min(next, setup_.instant_of(*t.next_due));
    arm_look_timer(std::max(next, now + look_pause_min));
  });
}

void lobby::arm_look_timer(base::instant when) {
  if (when == base::instant::max() || (look_timer_ && look_timer_at_ <= when)) return;
  owning_loop().timers().cancel(std::exchange(look_timer_, {}));
  look_timer_at_ = when;
  look_timer_ = arm_timer(when, look_timer);
}

bool lobby::look_for(runtime::resume_request& m, const std::string& digest) {
  if (!shares_sleepers() || digest.empty() || draining_ || std::exchange(m.looked_asleep, true))
    return false;
  const bool needs_none = m.what.features.asks_for_games && !m.game;
  if (needs_none && is_here(digest)) return false;
  const auto kept = std::make_shared<runtime::resume_request>(std::move(m));
  if (!kept->game) {
    look_for_player(kept, digest);
    return true;
  }
  take({.game = kept->game, .keys = {session::player_registry::key_of_digest(digest)}},
       metrics::wake_cause::player, [this, kept, digest](const taken& t) {
         t.games.empty() && t.certain ? look_for_player(kept, digest)
                                      : resume_looked(*kept, digest, t);
       });
  return true;
}

void lobby::look_for_player(const std::shared_ptr<runtime::resume_request>& m,
                            const std::string& digest) {
  const auto key = session::player_registry::key_of_digest(digest);
  const bool needs_none = m->what.features.asks_for_games;
  take({.keys = {key}, .most = needs_none ? 0 : wakes_of_player_max}, metrics::wake_cause::player,
       [this, m, key, digest, needs_none](const taken& t) {
         if (!needs_none || !t.more || is_here(digest)) return resume_looked(*m, digest, t);
         // It comes back without its games, as the log has it.
         if (!read_later([this, m, digest, t, read = rows_with(key, 1)] {
               return [this, m, digest, t, rows = read()] {
                 if (!rows.empty()) add_sleeper(rows.front(), digest);
                 resume_looked(*m, digest, t);
               };
             }))
           resume_looked(*m, digest, {});
       });
}

void lobby::add_sleeper(const journal::sleeping_game& game, const std::string& digest) {
  auto found = setup_.read_taken(game);
  if (!found || is_here(digest)) return;
  for (auto& p : found->seats) {
    if (p.secret_digest != digest) continue;
    sleeper_of(p).others_asleep = true;
    change_keys();
    return;
  }
}

void lobby::resume_looked(runtime::resume_request& m, const std::string& digest, const taken& t) {
  const auto player = names_.find_digest(digest);
  const bool here = player && players_.contains(*player);
  // Another hub may have taken its games since it was asked.
  if (!here && t.elsewhere != journal::member_id{}) m.asked_hubs = false;
  // With a secret that no player is known to have it registers, or returns later. If a game is
  // asleep under it, the database says so.
  const bool goes_on = here || m.brings_secret || m.returns;
  if (!goes_on && (!t.certain || t.more))
    return send(m.asking, runtime::name_assigned{{}, refusal::hub_full, m.what.answers});
  on_resume(m);
}

std::function<std::vector<journal::sleeping_game>()> lobby::rows_with(const std::string& key,
                                                                      std::size_t most) const {
  return [log = setup_.log, key, most] {
    std::vector<journal::sleeping_game> rows;
    for (const auto id : log->asleep_with(key, most))
      if (auto row = log->find_asleep(id); row && !row->log.records.empty())
        rows.push_back(*std::move(row));
    return rows;
  };
}

bool lobby::look_for(runtime::seats_wanted& m) {
  const auto* who = names_.find(m.player);
  if (!shares_sleepers() || who == nullptr || who->digest.empty() || draining_ ||
      running_.find(m.game) != nullptr || std::exchange(m.looked_asleep, true))
    return false;
  const auto key = session::player_registry::key_of_digest(who->digest);
  const auto kept = std::make_shared<runtime::seats_wanted>(std::move(m));
  const auto refuse = [this, kept] {
    send(kept->session, runtime::seats_found{kept->game, std::move(kept->what), true});
  };
  if (!kept->game && std::holds_alternative<find_seat>(kept->what.what)) {
    if (!read_later([this, kept, read = rows_with(key, wakes_of_player_max)] {
          return [this, kept, rows = read()] { list_asleep(std::move(*kept), rows); };
        }))
      refuse();
    return true;
  }
  take({.game = kept->game, .keys = {key}, .most = wakes_of_player_max},
       metrics::wake_cause::player, [this, kept, refuse](const taken& t) {
         if (!t.certain) return refuse();
         wake_seats(kept->player, t.games,
                    [this, kept, refuse](bool all) { all ? on_seats_wanted(*kept) : refuse(); });
       });
  return true;
}

bool lobby::look_for(runtime::find_game& m) {
  if (!shares_sleepers() || !m.game || std::exchange(m.looked_asleep, true)) return false;
  take({.game = m.game, .only_ours = true}, metrics::wake_cause::spectator,
       [this, m](const taken&) mutable { find(m); });
  return true;
}

bool lobby::look_for_owner(game_id game,
                           const std::function<void(std::optional<relay::member_id>)>& found) {
  if (!shares_sleepers() || !game) return false;
  take({.game = game, .most = 0}, metrics::wake_cause::spectator, [this, found](const taken& t) {
    const auto others = setup_.hubs->others();
    const bool lives = std::find(others.begin(), others.end(), t.elsewhere) != others.end();
    found(t.more && lives ? std::optional{t.elsewhere} : std::nullopt);
  });
  return true;
}

bool lobby::look_for(runtime::end_game& m) {
  if (!shares_sleepers() || !m.game || std::exchange(m.looked_asleep, true)) return false;
  take({.game = m.game}, metrics::wake_cause::operator_,
       [this, m](const taken&) mutable { end(m); });
  return true;
}

bool lobby::look_for(runtime::seek_request& m) {
  const auto game = m.what.join;
  if (!shares_sleepers() || !game || running_.find(game) != nullptr ||
      waiting_.find(game) != nullptr || std::exchange(m.looked_asleep, true))
    return false;
  const auto kept = std::make_shared<runtime::seek_request>(std::move(m));
  pending_queries_.insert(kept->player);
  const auto read = [this, kept, log = setup_.log, game] {
    std::optional<bool> closed;
    if (const auto found = log->find_asleep(game); found && !found->log.records.empty())
      closed = journal::is_closed(found->log.records);
    return [this, kept, closed] {
      kept->asleep_closed = closed;
      on_seek(*kept);
    };
  };
  if (read_later(read)) return true;
  pending_queries_.erase(pending_queries_.find(kept->player));
  refuse_seek(*kept, refusal::hub_full);
  return true;
}

void lobby::read_clocks(std::vector<game_id> games,
                        std::shared_ptr<runtime::clock_query> by) const {
  const auto read = [log = setup_.log, &setup = setup_, otherwise = setup_.games->front().clock,
                     now = owning_loop().now(), games = std::move(games), by = std::move(by)] {
    for (const auto id : games) {
      auto found = log->find_asleep(id);
      if (!found || found->log.records.empty() || !found->to_move) continue;
      const auto due = setup.instant_of(game::due_after(found->pauses, found->due));
      by->answer(id, clock_of({std::move(found->log), due, found->to_move}, otherwise, now));
    }
  };
  // Without room they are shown without their clocks.
  setup_.log->read_later(read);
}

}  // namespace gamehub::actors::lobby
