// Players and games that leave memory. A player who is away for long, and whose games are all of
// days, has no session; a game whose players are all asleep has no actor while nothing is due. Each
// comes back when it is needed: the game by a replay of its log, then the player.
#include "actors/lobby/lobby.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

namespace {

// Returns the key of the games that are asleep and have players of this address. Keys of names and
// digests begin with other letters.
std::string key_of_address(const base::address_bytes& a) {
  const auto sender = base::sender_of(a);
  return "a" + std::string{sender.begin(), sender.end()};
}

auto of_player(player_id player) {
  return [player](const runtime::restored_game::seat& s) { return s.player == player; };
}

}  // namespace

void lobby::on_player_may_sleep(const runtime::player_may_sleep& m) {
  const auto at = players_.find(m.player);
  if (draining_ || !setup_.wake_game || !setup_.log->may_put_to_sleep() || at == players_.end() ||
      at->second.session != m.session)
    return;
  // Its keys are not decided, or it is on its way to another hub.
  if ((keys_ && (keys_->sign_ins.contains(m.player) || keys_->renames.contains(m.player))) ||
      moving_.contains(m.player))
    return;
  // A client of the player is on its way to the session.
  if (!at->second.resume_requests.empty() || seeks_.contains(m.player) ||
      pending_queries_.contains(m.player) || names_.find(m.player) == nullptr)
    return;
  if (sleepers_.try_emplace(m.player).second) send(m.session, runtime::sleep_granted{});
}

void lobby::on_player_sleeps(runtime::player_sleeps& m) {
  const auto at = sleepers_.find(m.player);
  if (at == sleepers_.end()) return;
  if (m.stays) {
    const auto was = std::move(sleepers_.extract(at).mapped());
    // Its other games were recalled meanwhile.
    for (const auto& seat : was.seats) {
      auto* const runs = running_.find(seat.game);
      if (runs == nullptr) continue;
      std::erase(runs->sleep().slept, m.player);
      if (runs->awake())
        seat_here(m.player, seat.number, seat.game, *runs);
      else
        runs->sleep().here.push_back({m.player, seat.number});
    }
    for (auto resume : was.resumes) on_resume(resume);
    for (auto wanted : was.wants) on_seats_wanted(wanted);
    return;
  }
  auto& s = at->second;
  players_.at(m.player).session = nullptr;
  s.at = sleeping_player::stage::asleep;
  s.wire = m.wire;
  s.home = static_cast<std::uint32_t>(m.home);
  for (const auto& seat : m.seats) {
    auto* const runs = running_.find(seat.game);
    if (runs == nullptr) continue;
    auto& slept = runs->sleep().slept;
    if (std::find(slept.begin(), slept.end(), m.player) == slept.end()) slept.push_back(m.player);
    s.seats.push_back(seat);
  }
  s.held = address_hold{std::move(m.address), address_limit::seats};
  s.held.set(static_cast<std::uint32_t>(s.seats.size()));
  count_sleepers();
  // All its games have ended meanwhile.
  if (s.seats.empty()) return remove(m.player);
  if (!s.resumes.empty() || bans(*names_.find(m.player)))
    wake_player(m.player, metrics::wake_cause::player);
}

lobby::sleeping_player& lobby::sleeper_of(runtime::restored_game::seat& p) {
  const auto [at, is_new] = sleepers_.try_emplace(p.player);
  auto& s = at->second;
  if (!is_new) return s;
  s.at = sleeping_player::stage::asleep;
  s.wire = p.wire;
  s.home = static_cast<std::uint32_t>(p.home);
  players_[p.player] = {};
  names_.restore(p.player, p.name, std::move(p.secret_digest), std::move(p.former_names));
  // As those of a player with a session that was restored.
  hold_keys(p.player, true);
  return s;
}

void lobby::add_sleeper(runtime::restored_game::seat& p, game_id game) {
  sleeper_of(p).seats.push_back({game, p.number});
}

void lobby::on_restored(runtime::restored_game& m) {
  // Whether its players need no session: they may be away as long as the clock says.
  const bool sleeps = setup_.wake_game && m.away_time == std::chrono::seconds::max();
  std::vector<player_id> asleep;
  for (auto& p : m.seats) {
    if (sleepers_.contains(p.player) || (sleeps && !players_.contains(p.player))) {
      add_sleeper(p, m.id);
      asleep.push_back(p.player);
      continue;
    }
    auto& session = players_[p.player].session;
    if (!session) {
      session = setup_.restore_session(p);
      names_.restore(p.player, p.name, std::move(p.secret_digest), std::move(p.former_names));
      // It has this name, whatever other hubs have.
      hold_keys(p.player, true);
    }
    send(session, runtime::seated{m.game, m.id, m.engine, p.number, true, m.away_time});
    send(m.game, runtime::reserve_seat{p.number, session});
  }
  send(m.game, runtime::begin_game{});
  if (draining_ && setup_.log->durable()) suspend(m.game, m.id, false, hands_over_);
  running_games::entry e{
      .host = m.host, .engine = m.engine, .closed = m.closed, .lasts = m.away_time.has_value()};
  if (!asleep.empty()) e.sleep().slept = asleep;
  track_game(std::move(m.game), m.id, std::move(e));
  count_sleepers();
  if (!sleeps)
    for (const auto player : asleep) wake_player(player, metrics::wake_cause::player);
  change_keys();
}

std::vector<std::string> lobby::keys_of(const journal::game_log& log) const {
  std::vector<std::string> all;
  for (const auto& r : journal::seats_of(log.records)) {
    const player_id player{static_cast<std::uint64_t>(r.action)};
    if (!seat_of(log, player)) continue;
    auto keys = shares_sleepers() ? std::vector<std::string>{}
                                  : names_.keys_of(player, owning_loop().now());
    // A player who was here and has gone is known by the log alone. So are those of a game that any
    // hub may take: it gets the keys that it then holds for them.
    if (keys.empty()) {
      if (r.text != session::default_name(player))
        keys = session::player_registry::keys_of(std::string_view{r.text});
      keys.push_back(session::player_registry::key_of_digest(r.secret));
    }
    all.insert(all.end(), keys.begin(), keys.end());
  }
  return all;
}

void lobby::file_game(game_id id) {
  auto& e = *running_.find(id);
  auto& sleep = e.sleep();
  const auto log = setup_.log->find_open(id);
  if (!log) return;
  journal::sleep_entry what{id, owning_loop().wall_now(), setup_.wall_of(sleep.due), {}};
  if (!e.closed) what.listed = setup_.directory->engines[e.engine].traits.id;
  what.keys = keys_of(*log);
  const auto add_address = [&](const address_account_ref& of) {
    if (of) what.keys.push_back(key_of_address(of->address()));
  };
  for (const auto player : sleep.slept)
    if (const auto at = sleepers_.find(player); at != sleepers_.end())
      add_address(at->second.held.account());
  for (const auto& each : sleep.here) add_address(each.address);
  what.to_move = sleep.to_move;
  sleep.filing = ++filings_;
  const bool files = setup_.log->put_to_sleep(
      std::move(what),
      [to = caf::actor_cast<caf::weak_actor_ptr>(self()), n = sleep.filing](game_id g) {
        if (auto here = caf::actor_cast<runtime::lobby_actor>(to))
          caf::anon_send(here, runtime::game_filed{g, n});
      });
  if (files) return;
  sleep.filing = 0;
  if (shares_sleepers()) unfiled_.insert(id);
}

void lobby::on_game_filed(const runtime::game_filed& m) {
  const auto* at = running_.find(m.id);
  if (at == nullptr || at->at != running_games::entry::stage::asleep ||
      at->sleep().filing != m.filing)
    return;
  if (shares_sleepers() && waking_.contains(m.id)) return take_back(m.id);
  if (shares_sleepers())
    arm_look_timer(at->sleep().due);
  else
    due_on_file_ = std::min(due_on_file_.value_or(base::instant::max()), at->sleep().due);
  forget_filed(m.id);
  arm_due_timer();
}

void lobby::forget_filed(game_id id) {
  const auto gone = running_.remove(id);
  forget_released(gone, id);
  drop_seats(id, gone.sleep().slept);
  count_sleepers();
  count_lasting();
}

std::optional<runtime::restored_game> lobby::find_on_file(game_id id) const {
  if (!setup_.find_asleep || setup_.log->asleep() == 0) return std::nullopt;
  return setup_.find_asleep(id);
}

void lobby::add_from_file(runtime::restored_game& found) {
  running_games::entry e{.engine = found.engine, .closed = found.closed, .lasts = true};
  auto& sleep = e.sleep();
  sleep.on_file = !shares_sleepers();
  sleep.due = setup_.instant_of(found.due_at);
  for (auto& p : found.seats) {
    if (players_.contains(p.player) && !sleepers_.contains(p.player)) {
      sleep.here.push_back({p.player, p.number});
    } else {
      sleep.slept.push_back(p.player);
      add_sleeper(p, found.id);
    }
  }
  track_game({}, found.id, std::move(e));
}

std::optional<asleep_game> lobby::look_at(game_id id) const {
  const auto* at = running_.find(id);
  if (at != nullptr && !at->sleep().on_file) {
    auto log =
        at->at == running_games::entry::stage::asleep ? setup_.log->find_open(id) : std::nullopt;
    if (!log) return std::nullopt;
    return asleep_game{*std::move(log), at->sleep().due, at->sleep().to_move};
  }
  auto found = setup_.log->asleep() == 0 ? std::nullopt : setup_.log->find_asleep(id);
  if (!found || found->log.records.empty()) return std::nullopt;
  const auto due = game::due_after(found->pauses, found->due);
  return asleep_game{std::move(found->log), setup_.instant_of(due), found->to_move};
}

bool lobby::recall(game_id id) {
  if (running_.find(id) != nullptr) return true;
  auto found = find_on_file(id);
  if (found) add_from_file(*found);
  return found.has_value();
}

bool lobby::recall_for(game_id id, const seat_test& fits) {
  if (!id || running_.find(id) != nullptr) return false;
  auto found = find_on_file(id);
  if (!found || std::none_of(found->seats.begin(), found->seats.end(), fits)) return false;
  add_from_file(*found);
  return true;
}

std::vector<game_id> lobby::asleep_of(const std::string& digest) const {
  if (!setup_.find_asleep || digest.empty() || setup_.log->asleep() == 0) return {};
  return setup_.log->asleep_with(session::player_registry::key_of_digest(digest),
                                 wakes_of_player_max);
}

std::vector<game_id> lobby::asleep_of(player_id player) const {
  const auto* who = names_.find(player);
  auto found = who == nullptr ? std::vector<game_id>{} : asleep_of(who->digest);
  if (const auto at = players_.find(player); at != players_.end())
    found.insert(found.end(), at->second.released.begin(), at->second.released.end());
  if (const auto at = sleepers_.find(player); at != sleepers_.end())
    for (const auto& seat : at->second.seats)
      if (!running_.find(seat.game)->awake()) found.push_back(seat.game);
  return found;
}

std::vector<game_id> lobby::needed_by(player_id player, const runtime::resume_request& m) const {
  if (m.game)
    if (const auto game = look_at(m.game); game && seat_of(game->log, player)) return {m.game};
  std::vector<game_id> needed;
  if (m.what.features.asks_for_games) return needed;
  game_id first;
  for (const auto id : asleep_of(player)) {
    const auto game = look_at(id);
    const auto seat = game ? seat_of(game->log, player) : std::nullopt;
    // One that wakes, or is about to sleep, can't be looked at.
    if (!seat && running_.find(id) == nullptr) continue;
    if (!first) first = id;
    if (!seat || !game->to_move || holds(*game->to_move, *seat)) needed.push_back(id);
  }
  if (needed.empty() && first) needed.push_back(first);
  return needed;
}

bool lobby::find_sleeper(game_id game, const std::string& digest) {
  const auto add = [&](game_id id) {
    auto found = find_on_file(id);
    if (!found) return false;
    for (auto& p : found->seats) {
      if (p.secret_digest != digest) continue;
      sleeper_of(p);
      break;
    }
    return true;
  };
  if (digest.empty()) return true;
  if (game && running_.find(game) == nullptr && add(game) && names_.find_digest(digest))
    return true;
  for (const auto id : asleep_of(digest)) {
    if (names_.find_digest(digest)) break;
    if (add(id)) continue;
    note_unreadable(id);
    return false;
  }
  return true;
}

void lobby::on_seat_released(runtime::seat_released& m) {
  auto* const runs = running_.find(m.game);
  const auto at = players_.find(m.player);
  if (runs == nullptr || at == players_.end()) return;
  auto& sleep = runs->sleep();
  std::erase(sleep.slept, m.player);
  sleep.here.push_back({m.player, m.seat, std::move(m.address)});
  at->second.partly = true;
  at->second.released.push_back(m.game);
  if (holds(std::exchange(sleep.wants_back, sleep.wants_back & ~only(m.seat)), m.seat))
    seat_those_here(*runs, m.game);
  else if (const auto all = std::exchange(sleep.asks_without, 0); all != 0)
    on_game_may_sleep({runs->game, m.game, all});
}

void lobby::on_seats_wanted(runtime::seats_wanted& m) {
  const auto at = players_.find(m.player);
  // It has moved to another hub, or gone.
  if (at == players_.end() || at->second.session != m.session)
    return send(m.session, runtime::seats_found{m.game, std::move(m.what)});
  if (const auto s = sleepers_.find(m.player); s != sleepers_.end())
    return s->second.wants.push_back(std::move(m));
  if (look_for(m)) return;
  if (!m.game && std::holds_alternative<find_seat>(m.what.what)) return list_asleep(std::move(m));
  const auto wanted = m.game ? std::vector{m.game} : asleep_of(m.player);
  const auto kept = std::make_shared<runtime::seats_wanted>(std::move(m));
  wake_seats(kept->player, wanted, [this, kept](bool all) {
    send(kept->session, runtime::seats_found{kept->game, std::move(kept->what), !all});
  });
}

void lobby::list_asleep(runtime::seats_wanted m,
                        const std::vector<journal::sleeping_game>& shared) {
  const auto& otherwise = setup_.games->front().clock;
  const auto now = owning_loop().now();
  auto found = std::make_shared<std::vector<sleeping_seat>>();
  std::vector<game_id> unclear;
  const auto add = [&](const asleep_game& game) {
    const auto seat = seat_of(game.log, m.player);
    if (!seat) return;
    const auto& header = game.log.header;
    const auto engine = setup_.directory->find_engine(header.engine, header.engine_version);
    if (!engine || !game.to_move)
      unclear.push_back(header.id);
    else
      found->push_back(show(game, *seat, setup_.directory->engines[*engine].rules, otherwise, now));
  };
  for (const auto id : asleep_of(m.player))
    if (const auto game = look_at(id)) add(*game);
  for (const auto& each : shared)
    if (running_.find(each.log.header.id) == nullptr)
      add({each.log, setup_.instant_of(game::due_after(each.pauses, each.due)), each.to_move});
  const auto kept = std::make_shared<runtime::seats_wanted>(std::move(m));
  wake_seats(kept->player, unclear, [this, kept, found](bool) {
    send(kept->session, runtime::seats_found{{}, std::move(kept->what), false, found});
  });
}

void lobby::wake_seats(player_id player, const std::vector<game_id>& games,
                       std::function<void(bool)> then) {
  struct open_wakes {
    std::size_t left;
    bool all;
    std::function<void(bool)> then;
  };
  // One more, so that none of the games is the last one before all are asked for.
  const auto open = std::make_shared<open_wakes>(open_wakes{1, true, std::move(then)});
  const auto on_awake = [open](bool awake) {
    open->all = open->all && awake;
    if (--open->left == 0) open->then(open->all);
  };
  for (const auto id : games) {
    auto* const runs = running_.find(id);
    if (runs ? !runs->sleep().has_here(player) : !recall_for(id, of_player(player))) continue;
    if (runs != nullptr && runs->awake()) seat_those_here(*runs, id);
    ++open->left;
    wake_game(id, metrics::wake_cause::player, on_awake);
  }
  on_awake(true);
}

void lobby::note_unreadable(game_id id) {
  owning_loop().cells().loop.wakes_failed.add();
  if (setup_.log->is_damaged(id)) {
    const std::string why = "its log does not agree with its sum";
    setup_.log->quarantine(id, why);
    if (setup_.on_quarantined) setup_.on_quarantined(id, why);
    return;
  }
  if (unreadable_.size() >= unreadable_kept_max) unreadable_.clear();
  if (unreadable_.insert(id).second && setup_.on_unreadable) setup_.on_unreadable(id);
}

bool lobby::is_full_of_asleep(const runtime::seek_request& m) const {
  const auto& of = m.address;
  if (!of) return false;
  const auto most = of->limit(address_limit::seats);
  if (most == std::numeric_limits<std::uint32_t>::max()) return false;
  auto asleep = m.asleep_of_address.value_or(0);
  if (setup_.find_asleep && setup_.log->asleep() != 0)
    asleep = setup_.log->count_asleep(key_of_address(of->address()), most);
  if (asleep < most) return false;
  of->refuse(address_limit::seats);
  return true;
}

bool lobby::count_asleep(runtime::seek_request& m, const std::vector<queue_key>& keys) {
  const auto lasts = [this](const queue_key& k) {
    return setup_.clocks->away_time(k.clock).has_value();
  };
  if (!shares_sleepers() || m.asleep_of_address || !m.address ||
      std::none_of(keys.begin(), keys.end(), lasts))
    return false;
  const auto most = m.address->limit(address_limit::seats);
  if (most == std::numeric_limits<std::uint32_t>::max()) return false;
  const auto kept = std::make_shared<runtime::seek_request>(std::move(m));
  pending_queries_.insert(kept->player);
  if (read_later(
          [this, kept, most, log = setup_.log, key = key_of_address(kept->address->address())] {
            const auto found = log->count_asleep(key, most);
            return [this, kept, found] {
              kept->asleep_of_address = found;
              on_seek(*kept);
            };
          }))
    return true;
  pending_queries_.erase(pending_queries_.find(kept->player));
  refuse_seek(*kept, refusal::hub_full);
  return true;
}

void lobby::expel_banned() {
  if (shares_sleepers() && setup_.rules != nullptr) {
    journal::sleeper_query of_banned;
    for (const auto& key : setup_.rules->banned_keys()) of_banned.keys.push_back("n" + key);
    of_banned.most = wakes_by_clock_max;
    if (!of_banned.keys.empty())
      return take(std::move(of_banned), metrics::wake_cause::operator_, [this](const taken& t) {
        expel_known();
        if (t.certain && t.more && !t.games.empty()) expel_banned();
      });
  }
  expel_known();
}

void lobby::expel_known() {
  std::vector<player_id> here, asleep;
  if (setup_.find_asleep && setup_.rules != nullptr && setup_.log->asleep() != 0)
    for (const auto& key : setup_.rules->banned_keys())
      for (const auto game : setup_.log->asleep_with("n" + key, wakes_of_player_max)) recall(game);
  for (const auto& [player, who] : players_) {
    const auto* entered = names_.find(player);
    if (entered == nullptr || !bans(*entered)) continue;
    (who.session ? here : asleep).push_back(player);
  }
  for (const auto player : here) expel(player);
  for (const auto player : asleep) wake_player(player, metrics::wake_cause::operator_);
}

void lobby::expel(player_id player) {
  wake_seats(player, asleep_of(player), [this, player](bool) {
    if (const auto at = players_.find(player); at != players_.end() && at->second.session)
      send(at->second.session, runtime::ban_session{});
  });
}

void lobby::wake_player(player_id player, metrics::wake_cause why) {
  const auto at = sleepers_.find(player);
  if (at == sleepers_.end() || at->second.at != sleeping_player::stage::asleep) return;
  std::vector<game_id> needed;
  for (const auto& r : at->second.resumes) {
    const auto more = needed_by(player, r);
    needed.insert(needed.end(), more.begin(), more.end());
  }
  if (at->second.resumes.empty()) needed = asleep_of(player);
  for (const auto id : needed) recall_for(id, of_player(player));
  leave_asleep(player, needed);
  auto& s = sleepers_.at(player);
  players_.at(player).partly = true;
  s.at = sleeping_player::stage::waking;
  // One more, so that none of the games is the last one before all are asked for.
  s.pending = static_cast<std::uint32_t>(s.seats.size()) + 1;
  const auto seats = s.seats;
  for (const auto& seat : seats)
    wake_game(seat.game, why, [this, player](bool) { on_game_ready(player); });
  on_game_ready(player);
}

void lobby::leave_asleep(player_id player, const std::vector<game_id>& needed) {
  auto& s = sleepers_.at(player);
  std::erase_if(s.seats, [&](const runtime::player_sleeps::seat& seat) {
    auto& runs = *running_.find(seat.game);
    const bool is_needed =
        s.resumes.empty() || std::find(needed.begin(), needed.end(), seat.game) != needed.end();
    if (is_needed || runs.awake()) return false;
    std::erase(runs.sleep().slept, player);
    runs.sleep().here.push_back({player, seat.number, s.held.account()});
    players_.at(player).released.push_back(seat.game);
    return true;
  });
}

void lobby::on_game_ready(player_id player) {
  const auto at = sleepers_.find(player);
  if (at == sleepers_.end() || at->second.at != sleeping_player::stage::waking) return;
  if (--at->second.pending == 0) seat_player(player);
}

void lobby::seat_player(player_id player) {
  auto& s = sleepers_.at(player);
  const auto is_unread = [this](const runtime::player_sleeps::seat& seat) {
    return !running_.find(seat.game)->awake();
  };
  if (std::any_of(s.seats.begin(), s.seats.end(), is_unread)) {
    s.at = sleeping_player::stage::asleep;
    const bool failed = std::any_of(s.seats.begin(), s.seats.end(), [&](const auto& seat) {
      return is_unread(seat) && running_.find(seat.game)->sleep().unread;
    });
    // One may have fallen asleep again, or have been restored meanwhile.
    if (!failed && !draining_) return wake_player(player, metrics::wake_cause::player);
    // The client comes again: a session without one of its games would lose that seat.
    for (const auto& r : std::exchange(s.resumes, {})) {
      resuming_as_.erase(r.player);
      send(r.asking, runtime::name_assigned{{}, refusal::hub_full, r.what.answers});
    }
    return;
  }
  // All its games have ended, or its client has gone.
  const auto& who = *names_.find(player);
  const auto has_others = [&] {
    return s.others_asleep || !players_.at(player).released.empty() ||
           (setup_.find_asleep && !who.digest.empty() && setup_.log->asleep() != 0 &&
            setup_.log->count_asleep(session::player_registry::key_of_digest(who.digest), 1) != 0);
  };
  if (s.seats.empty() && (s.resumes.empty() || !has_others())) return remove(player);
  auto was = std::move(sleepers_.extract(player).mapped());
  runtime::restored_game::seat p{0, player, who.name, who.digest};
  for (const auto& each : who.former) p.former_names.push_back(each.name);
  p.wire = was.wire;
  p.home = was.home;
  p.address = was.held.account();
  auto& session = players_.at(player).session;
  session = setup_.restore_session(p);
  for (const auto& seat : was.seats)
    seat_here(player, seat.number, seat.game, *running_.find(seat.game));
  count_sleepers();
  if (bans(who)) expel(player);
  for (auto& r : was.resumes) {
    r.games_awake = true;
    on_resume(r);
  }
}

void lobby::forget_released(const running_games::entry& e, game_id id) {
  for (const auto& each : e.sleep().here)
    if (const auto who = players_.find(each.player); who != players_.end())
      std::erase(who->second.released, id);
}

bool lobby::has_session(player_id player) const {
  const auto at = players_.find(player);
  return at != players_.end() && at->second.session && !sleepers_.contains(player);
}

// Only games of days are without the session of a player. It reserves the seat itself, before it
// asks for the position.
void lobby::seat_here(player_id player, seat_index seat, game_id id,
                      const running_games::entry& runs) {
  send(players_.at(player).session,
       runtime::seated{runs.game, id, runs.engine, seat, true, std::chrono::seconds::max()});
}

void lobby::seat_those_here(running_games::entry& e, game_id id) {
  auto& sleep = e.sleep();
  sleep.asks_without = 0;
  for (const auto& each : std::exchange(sleep.here, {})) {
    const auto at = players_.find(each.player);
    if (at != players_.end()) {
      std::erase(at->second.released, id);
      // Until it is asleep, its session may send to the game.
      sleep.slept.push_back(each.player);
    }
    if (const auto asleep = sleepers_.find(each.player); asleep != sleepers_.end())
      // It fell asleep meanwhile, or is about to.
      asleep->second.seats.push_back({id, each.seat});
    else if (has_session(each.player))
      seat_here(each.player, each.seat, id, e);
    else
      send(e.game, runtime::seat_presence{each.seat, base::instant::max()});
  }
}

void lobby::forget_sleeper(player_id player) {
  auto gone = sleepers_.extract(player);
  if (!gone) return;
  count_sleepers();
  for (auto& r : gone.mapped().resumes) {
    resuming_as_.erase(r.player);
    // Another hub may have taken its games.
    r.asked_hubs = r.looked_asleep = false;
    on_resume(r);
  }
}

void lobby::on_game_may_sleep(const runtime::game_may_sleep& m) {
  auto* const at = running_.find(m.id);
  if (draining_ || !setup_.wake_game || at == nullptr || !at->awake() || at->game != m.game) return;
  // A session that was made again, or is about to end, may send to the game.
  auto& sleep = at->sleep();
  const bool asleep =
      std::none_of(sleep.slept.begin(), sleep.slept.end(), [this](player_id player) {
        const auto s = sleepers_.find(player);
        return s == sleepers_.end() ? has_session(player)
                                    : s->second.at == sleeping_player::stage::falling;
      });
  if (!asleep) return;
  if ((m.released & ~sleep.seats_here()) != 0) {
    sleep.asks_without = m.released;
    return;
  }
  at->at = running_games::entry::stage::falling;
  send(m.game, runtime::sleep_granted{});
}

void lobby::on_game_sleeps(const runtime::game_sleeps& m) {
  auto* const at = running_.find(m.id);
  using stage = running_games::entry::stage;
  if (at == nullptr) return;
  if (m.stays && (at->at == stage::falling || at->awake())) {
    at->at = stage::awake;
    at->sleep().wants_back = m.released & ~at->sleep().seats_here();
    seat_those_here(*at, m.id);
    return finish_wake(m.id, true);
  }
  if (at->at != stage::falling) return;
  at->proven = true;
  at->sleep().to_move = m.to_move;
  running_.set_asleep(m.id, m.due);
  count_sleepers();
  if (const auto waits = waking_.find(m.id); waits != waking_.end())
    return begin_wake(m.id, waits->second);
  arm_due_timer();
  file_game(m.id);
}

void lobby::wake_game(game_id id, metrics::wake_cause why, std::function<void(bool)> then) {
  recall(id);
  const auto* at = running_.find(id);
  if (at == nullptr || at->awake()) return then(at != nullptr);
  if (draining_) return then(false);
  auto& waits = waking_[id];
  waits.then.push_back(std::move(then));
  if (waits.then.size() == 1) {
    waits.since = owning_loop().clock();
    waits.why = why;
  }
  if (at->at != running_games::entry::stage::asleep) return;
  // It leaves this hub just now: on_game_filed() takes it back.
  if (shares_sleepers() && at->sleep().filing != 0 && !setup_.log->bring_back(id))
    return running_.set_due(id, owning_loop().now() + wake_retry);
  begin_wake(id, waits);
}

void lobby::begin_wake(game_id id, waking_game& waits) {
  const auto& e = *running_.find(id);
  owning_loop().cells().loop.wakes[static_cast<std::size_t>(waits.why)].add();
  running_.set_waking(id);
  setup_.wake_game({id, e.engine, e.sleep().due, e.proven});
}

void lobby::on_game_woken(const runtime::game_woken& m) {
  using how = runtime::game_woken::how;
  auto& e = *running_.find(m.id);
  auto& counted = owning_loop().cells().loop;
  if (m.result == how::quarantined) {
    counted.wakes_failed.add();
    const auto gone = running_.remove(m.id);
    count_lasting();
    drop_seats(m.id, gone.sleep().slept);
    finish_wake(m.id, false);
  } else if (m.result == how::unreadable) {
    note_unreadable(m.id);
    e.sleep().unread = true;
    running_.set_asleep(m.id, std::max(e.sleep().due, owning_loop().now() + wake_retry));
    finish_wake(m.id, false);
    arm_due_timer();
  } else {
    counted.wake_duration.observe(owning_loop().clock() - waking_.at(m.id).since);
    monitor(*runtime::actor_of(m.game));
    running_.set_awake(m.id, m.game);
    seat_set here = 0;
    for (const auto& each : e.sleep().here)
      if (has_session(each.player)) here |= only(each.seat);
    send(m.game, runtime::begin_game{here});
    if (draining_) send(m.game, runtime::suspend_game{true, hands_over_});
    seat_those_here(e, m.id);
    finish_wake(m.id, true);
  }
  count_sleepers();
}

void lobby::finish_wake(game_id id, bool awake) {
  if (auto waits = waking_.extract(id))
    for (const auto& each : waits.mapped().then) each(awake);
}

void lobby::drop_seats(game_id game, const std::vector<player_id>& players) {
  for (const auto player : players) {
    const auto at = sleepers_.find(player);
    if (at == sleepers_.end()) {
      // The game may have ended before the session that was made again was known to it.
      if (const auto who = players_.find(player); who != players_.end() && who->second.session)
        send(who->second.session, runtime::game_suspended{.game = game, .is_over = true});
      continue;
    }
    auto& s = at->second;
    std::erase_if(s.seats, [game](const auto& seat) { return seat.game == game; });
    s.held.set(static_cast<std::uint32_t>(s.seats.size()));
    if (!s.seats.empty() || s.at != sleeping_player::stage::asleep) continue;
    // The log has all that its games have to say of it. When this hub drains they may go on at
    // another one, which has its keys then.
    if (keys_) draining_ ? keys_->claims.leave_behind(player) : keys_->claims.drop_asleep(player);
    remove(player);
  }
}

void lobby::on_due() {
  due_timer_ = {};
  if (draining_) return;
  const auto now = owning_loop().now();
  for (int n = 0; n < wakes_by_clock_max; ++n) {
    const auto first = running_.first_due();
    if (!first || first->first > now) break;
    wake_game(first->second, metrics::wake_cause::clock, [](bool) {});
  }
  wake_due_on_file(now);
  arm_due_timer();
}

void lobby::wake_due_on_file(base::instant now) {
  if (!due_on_file_ || *due_on_file_ > now) return;
  if (due_again_) due_cursor_ = *std::exchange(due_again_, std::nullopt);
  due_on_file_ = std::nullopt;
  int woken = 0;
  for (const auto& each : setup_.log->due_after(due_cursor_, wakes_by_clock_max + 1)) {
    const auto due = setup_.instant_of(each.first);
    if (due > now || ++woken > wakes_by_clock_max) {
      due_on_file_ = due;
      break;
    }
    if (recall(each.second)) {
      wake_game(each.second, metrics::wake_cause::clock, [](bool) {});
    } else {
      note_unreadable(each.second);
      if (!due_again_) due_again_ = due_cursor_;
    }
    due_cursor_ = each;
  }
  if (due_again_)
    due_on_file_ = std::min(due_on_file_.value_or(base::instant::max()), now + wake_retry);
}

void lobby::arm_due_timer() {
  const auto first = running_.first_due();
  const auto when = std::min(first ? first->first : base::instant::max(),
                             due_on_file_.value_or(base::instant::max()));
  if (when == base::instant::max() || (due_timer_ && due_timer_at_ <= when)) return;
  owning_loop().timers().cancel(std::exchange(due_timer_, {}));
  due_timer_at_ = when;
  due_timer_ = arm_timer(due_timer_at_, due_timer);
}

void lobby::count_sleepers() {
  auto& counted = owning_loop().cells().loop;
  counted.games_asleep.set(static_cast<std::int64_t>(running_.asleep() + setup_.log->asleep()));
}

}  // namespace gamehub::actors::lobby
