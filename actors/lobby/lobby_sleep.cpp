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
  if (draining_ || keys_ || !setup_.wake_game || at == players_.end() ||
      at->second.session != m.session)
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
      std::erase(runs->slept, m.player);
      if (runs->awake())
        seat_here(m.player, seat.number, seat.game, *runs);
      else
        runs->here.emplace_back(m.player, seat.number);
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
    if (std::find(runs->slept.begin(), runs->slept.end(), m.player) == runs->slept.end())
      runs->slept.push_back(m.player);
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

void lobby::add_sleeper(runtime::restored_game::seat& p, game_id game) {
  const auto [at, is_new] = sleepers_.try_emplace(p.player);
  auto& s = at->second;
  if (is_new) {
    s.at = sleeping_player::stage::asleep;
    s.wire = p.wire;
    s.home = static_cast<std::uint32_t>(p.home);
    players_[p.player] = {};
    names_.restore(p.player, p.name, std::move(p.secret_digest), std::move(p.former_names));
  }
  s.seats.push_back({game, p.number});
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
  track_game(std::move(m.game), m.id,
             {.engine = m.engine,
              .host = m.host,
              .closed = m.closed,
              .lasts = m.away_time.has_value(),
              .slept = asleep});
  count_sleepers();
  if (!sleeps)
    for (const auto player : asleep) wake_player(player, metrics::wake_cause::player);
  change_keys();
}

void lobby::file_game(game_id id) {
  auto& e = *running_.find(id);
  journal::sleep_entry what{id, owning_loop().wall_now(), setup_.wall_of(e.due), {}};
  if (!e.closed) what.listed = setup_.directory->engines[e.engine].traits.id;
  for (const auto player : e.slept) {
    const auto keys = names_.keys_of(player, owning_loop().now());
    what.keys.insert(what.keys.end(), keys.begin(), keys.end());
    const auto at = sleepers_.find(player);
    if (at != sleepers_.end() && at->second.held.account())
      what.keys.push_back(key_of_address(at->second.held.account()->address()));
  }
  what.to_move = e.to_move;
  e.filing = ++filings_;
  setup_.log->put_to_sleep(std::move(what), [to = caf::actor_cast<caf::weak_actor_ptr>(self()),
                                             n = e.filing](game_id g) {
    if (auto here = caf::actor_cast<runtime::lobby_actor>(to))
      caf::anon_send(here, runtime::game_filed{g, n});
  });
}

void lobby::on_game_filed(const runtime::game_filed& m) {
  const auto* at = running_.find(m.id);
  if (at == nullptr || at->at != running_games::entry::stage::asleep || at->filing != m.filing)
    return;
  due_on_file_ = std::min(due_on_file_.value_or(base::instant::max()), at->due);
  drop_seats(m.id, running_.remove(m.id).slept);
  count_sleepers();
  count_lasting();
  arm_due_timer();
}

std::optional<runtime::restored_game> lobby::find_on_file(game_id id) const {
  if (!setup_.find_asleep || setup_.log->asleep() == 0) return std::nullopt;
  return setup_.find_asleep(id);
}

void lobby::add_from_file(runtime::restored_game& found) {
  running_games::entry e{.engine = found.engine,
                         .closed = found.closed,
                         .lasts = true,
                         .due = setup_.instant_of(found.due_at)};
  for (auto& p : found.seats) {
    if (players_.contains(p.player) && !sleepers_.contains(p.player)) {
      e.here.emplace_back(p.player, p.number);
    } else {
      e.slept.push_back(p.player);
      add_sleeper(p, found.id);
    }
  }
  track_game({}, found.id, std::move(e));
}

game_clock lobby::clock_of(const runtime::restored_game& asleep) const {
  using std::chrono::milliseconds;
  game_clock out;
  if (asleep.turn_time.count() == 0) return out;
  out.at = owning_loop().now();
  out.running = *asleep.to_move;
  out.left.assign(asleep.seats_all, asleep.turn_time);
  const auto left =
      std::chrono::duration_cast<milliseconds>(setup_.instant_of(asleep.due_at) - out.at);
  for (std::size_t i = 0; i < out.left.size(); ++i)
    if (holds(out.running, static_cast<seat_index>(i)))
      out.left[i] = std::clamp(left, milliseconds{0}, asleep.turn_time);
  return out;
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

std::vector<game_id> lobby::asleep_of(const std::string& digest, std::size_t most) const {
  if (!setup_.find_asleep || digest.empty() || setup_.log->asleep() == 0) return {};
  return setup_.log->asleep_with(session::player_registry::key_of_digest(digest), most);
}

void lobby::on_seats_wanted(runtime::seats_wanted& m) {
  const auto at = players_.find(m.player);
  if (at == players_.end() || at->second.session != m.session) return;
  if (const auto s = sleepers_.find(m.player); s != sleepers_.end())
    return s->second.wants.push_back(std::move(m));
  const auto* named = names_.find(m.player);
  const auto wanted = m.game             ? std::vector{m.game}
                      : named == nullptr ? std::vector<game_id>{}
                                         : asleep_of(named->digest, wakes_of_player_max);
  const auto kept = std::make_shared<runtime::seats_wanted>(std::move(m));
  wake_seats(kept->player, wanted, [this, kept](bool all) {
    if (const auto who = players_.find(kept->player); all && !kept->game && who != players_.end())
      who->second.partly = false;
    send(kept->session, runtime::seats_found{kept->game, std::move(kept->what), !all});
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
    const auto* runs = running_.find(id);
    if (runs ? !runs->has_here(player) : !recall_for(id, of_player(player))) continue;
    ++open->left;
    wake_game(id, metrics::wake_cause::player, on_awake);
  }
  on_awake(true);
}

lobby::recalled lobby::recall_games_of(const std::string& digest, std::size_t most) {
  auto result = recalled::none;
  for (const auto id : asleep_of(digest, most)) {
    if (recall(id)) {
      if (result == recalled::none) result = recalled::some;
    } else {
      note_unreadable(id);
      result = recalled::unreadable;
    }
  }
  return result;
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

bool lobby::is_full_of_asleep(const address_account_ref& of) const {
  if (!of || !setup_.find_asleep || setup_.log->asleep() == 0) return false;
  const auto most = of->limit(address_limit::seats);
  const bool full = most != std::numeric_limits<std::uint32_t>::max() &&
                    setup_.log->asleep_with(key_of_address(of->address()), most).size() >= most;
  if (full) of->refuse(address_limit::seats);
  return full;
}

void lobby::expel_banned() {
  std::vector<player_id> asleep;
  if (setup_.find_asleep && setup_.rules != nullptr && setup_.log->asleep() != 0)
    for (const auto& key : setup_.rules->banned_keys())
      for (const auto game : setup_.log->asleep_with("n" + key, wakes_of_player_max)) recall(game);
  for (const auto& [player, who] : players_) {
    const auto* entered = names_.find(player);
    if (entered == nullptr || !bans(*entered)) continue;
    who.session ? send(who.session, runtime::ban_session{}) : asleep.push_back(player);
  }
  for (const auto player : asleep) wake_player(player, metrics::wake_cause::operator_);
}

void lobby::wake_player(player_id player, metrics::wake_cause why) {
  const auto at = sleepers_.find(player);
  if (at == sleepers_.end() || at->second.at != sleeping_player::stage::asleep) return;
  const auto& resumes = at->second.resumes;
  const bool partly =
      !resumes.empty() && std::all_of(resumes.begin(), resumes.end(),
                                      [](const auto& r) { return static_cast<bool>(r.game); });
  if (partly)
    for (const auto& r : resumes) recall_for(r.game, of_player(player));
  else if (const auto* who = names_.find(player))
    recall_games_of(who->digest, wakes_of_player_max);
  auto& s = sleepers_.at(player);
  players_.at(player).partly = partly;
  s.at = sleeping_player::stage::waking;
  // One more, so that none of the games is the last one before all are asked for.
  s.pending = static_cast<std::uint32_t>(s.seats.size()) + 1;
  const auto seats = s.seats;
  for (const auto& seat : seats)
    wake_game(seat.game, why, [this, player](bool) { on_game_ready(player); });
  on_game_ready(player);
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
      return is_unread(seat) && running_.find(seat.game)->unread;
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
  if (s.seats.empty()) return remove(player);
  auto was = std::move(sleepers_.extract(player).mapped());
  const auto& who = *names_.find(player);
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
  if (bans(who)) send(session, runtime::ban_session{});
  for (auto& r : was.resumes) on_resume(r);
}

// Only games of days are without the session of a player. It reserves the seat itself, before it
// asks for the position.
void lobby::seat_here(player_id player, seat_index seat, game_id id,
                      const running_games::entry& runs) {
  send(players_.at(player).session,
       runtime::seated{runs.game, id, runs.engine, seat, true, std::chrono::seconds::max()});
}

void lobby::seat_those_here(running_games::entry& e, game_id id) {
  for (const auto& [player, seat] : std::exchange(e.here, {})) {
    const auto asleep = sleepers_.find(player);
    if (asleep != sleepers_.end()) {
      // It fell asleep meanwhile, or is about to.
      asleep->second.seats.push_back({id, seat});
      e.slept.push_back(player);
    } else if (const auto at = players_.find(player); at != players_.end() && at->second.session) {
      seat_here(player, seat, id, e);
    }
  }
}

void lobby::forget_sleeper(player_id player) {
  auto gone = sleepers_.extract(player);
  if (!gone) return;
  count_sleepers();
  for (auto& r : gone.mapped().resumes) {
    resuming_as_.erase(r.player);
    on_resume(r);
  }
}

void lobby::on_game_may_sleep(const runtime::game_may_sleep& m) {
  auto* const at = running_.find(m.id);
  if (draining_ || !setup_.wake_game || at == nullptr || !at->awake() || at->game != m.game) return;
  // A session that was made again may be about to send to the game.
  const bool asleep = std::all_of(at->slept.begin(), at->slept.end(), [this](player_id player) {
    const auto s = sleepers_.find(player);
    return s != sleepers_.end() && s->second.at != sleeping_player::stage::falling;
  });
  if (!asleep) return;
  at->at = running_games::entry::stage::falling;
  send(m.game, runtime::sleep_granted{});
}

void lobby::on_game_sleeps(const runtime::game_sleeps& m) {
  auto* const at = running_.find(m.id);
  if (at == nullptr || at->at != running_games::entry::stage::falling) return;
  if (m.stays) {
    at->at = running_games::entry::stage::awake;
    return finish_wake(m.id, true);
  }
  at->proven = true;
  at->to_move = m.to_move;
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
  if (waits.then.size() > 1) return;
  waits.since = owning_loop().clock();
  waits.why = why;
  if (at->at == running_games::entry::stage::asleep) begin_wake(id, waits);
}

void lobby::begin_wake(game_id id, waking_game& waits) {
  const auto& e = *running_.find(id);
  owning_loop().cells().loop.wakes[static_cast<std::size_t>(waits.why)].add();
  running_.set_waking(id);
  setup_.wake_game({id, e.engine, e.due, e.proven});
}

void lobby::on_game_woken(const runtime::game_woken& m) {
  using how = runtime::game_woken::how;
  auto& e = *running_.find(m.id);
  auto& counted = owning_loop().cells().loop;
  if (m.result == how::quarantined) {
    counted.wakes_failed.add();
    const auto gone = running_.remove(m.id);
    count_lasting();
    drop_seats(m.id, gone.slept);
    finish_wake(m.id, false);
  } else if (m.result == how::unreadable) {
    note_unreadable(m.id);
    e.unread = true;
    running_.set_asleep(m.id, std::max(e.due, owning_loop().now() + wake_retry));
    finish_wake(m.id, false);
    arm_due_timer();
  } else {
    counted.wake_duration.observe(owning_loop().clock() - waking_.at(m.id).since);
    monitor(*runtime::actor_of(m.game));
    running_.set_awake(m.id, m.game);
    send(m.game, runtime::begin_game{});
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
        send(who->second.session, runtime::game_suspended{game});
      continue;
    }
    auto& s = at->second;
    std::erase_if(s.seats, [game](const auto& seat) { return seat.game == game; });
    s.held.set(static_cast<std::uint32_t>(s.seats.size()));
    if (s.seats.empty() && s.at == sleeping_player::stage::asleep) remove(player);
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
