#include "actors/lobby.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hub/core/limits.hpp"

namespace gamehub::actors {

namespace {

std::vector<int> players_needed(const catalog& offered) {
  std::vector<int> needed;
  for (const auto& e : offered.engines) needed.push_back(e.traits.players);
  return needed;
}

}  // namespace

lobby::lobby(caf::actor_config& config, lobby_setup& setup)
    : pinned(config), setup_(setup), matches_(players_needed(*setup.offered)) {}

bool lobby::receive(caf::message& what) {
  return dispatch(what, std::tuple{
                            [this](enter& m) { enter_player(m); },
                            [this](resume_request& m) { resume_player(m); },
                            [this](seek_request& m) { seek_game(m); },
                            [this](withdraw_request& m) { withdraw(m); },
                            [this](const place_free& m) {
                              std::vector<table_plan> tables;
                              if (!draining_) matches_.game_ended(m.player, home().now(), tables);
                              open_tables(tables);
                            },
                            [this](const presence& m) {
                              std::vector<table_plan> tables;
                              matches_.be_away(m.player, m.away, home().now(), tables);
                              open_tables(tables);
                            },
                            [this](const gone& m) {
                              forget(m.player);
                              if (m.session) tell(m.session, forgotten{});
                            },
                            [this](const drain&) { start_draining(); },
                            [this](const end_games& m) { end_all(m.why); },
                            [this](end_one& m) { end(m); },
                            [this](restored_game& m) { keep(std::move(m.game), m.id); },
                            [this](restored_player& m) {
                              names_.restore(m.player, m.name, std::move(m.secret_digest));
                              named_[m.player] = {std::move(m.session), {}};
                            },
                            [this](const timer_up&) {
                              clock_ = {};
                              std::vector<table_plan> tables;
                              matches_.advance(home().now(), tables);
                              open_tables(tables);
                            },
                        });
}

void lobby::enter_player(enter& m) {
  auto name = names_.enter(m.player, m.name, journal::digest_of(m.secret));
  named_[m.player] = {m.session, {}};
  tell(m.session, named{std::move(name), m.answers});
}

void lobby::resume_player(resume_request& m) {
  const auto player = names_.find_digest(journal::digest_of(m.secret));
  const auto at = player ? named_.find(*player) : named_.end();
  if (at == named_.end()) return tell(m.asking, not_resumed{std::move(m.name), m.what.answers});
  // First of all, so that the session that asks knows it when its attachment has moved.
  tell(m.asking, comes_back{at->second.session});
  tell(at->second.session, m.what);
  comes_back_as_[m.player] = *player;
  at->second.coming_back.push_back(std::move(m));
}

std::variant<std::vector<queue_key>, seek_answer> lobby::queues_for(const seek_request& m) const {
  std::vector<queue_key> queues;
  auto why = refusal::unknown_engine;
  std::string detail;
  for (const auto& id : m.what.engines) {
    const auto engine = setup_.offered->find_engine(id);
    if (!engine) continue;
    const auto& unfit = setup_.offered->wires[m.wire].unfit[*engine];
    if (unfit) {
      why = refusal::unfit_engine;
      detail = *unfit;
      continue;
    }
    const auto& rules = setup_.offered->engines[*engine].rules;
    if (!m.what.options.empty()) {
      auto match = rules.create(m.what.options);
      if (const auto* wrong = std::get_if<std::string>(&match)) {
        why = refusal::unfit_engine;
        detail = *wrong;
        continue;
      }
    }
    queue_key key{*engine, m.what.options};
    if (std::find(queues.begin(), queues.end(), key) == queues.end() &&
        queues.size() < limits::seeks_per_player_max)
      queues.push_back(std::move(key));
  }
  if (!queues.empty()) return queues;
  return seek_answer{{}, why, std::move(detail), m.answers};
}

void lobby::seek_game(seek_request& m) {
  if (draining_ || running_.size() >= setup_.games_max || setup_.log->trouble())
    return tell(m.session,
                seek_answer{{}, draining_ ? refusal::draining : refusal::hub_full, {}, m.answers});
  auto queues = queues_for(m);
  if (auto* no = std::get_if<seek_answer>(&queues)) return tell(m.session, std::move(*no));
  auto& keys = std::get<std::vector<queue_key>>(queues);
  const auto& first = setup_.offered->engines[keys.front().engine].traits;
  // A client that signs in and seeks in one breath has its name here before its session knows it.
  std::string digest;
  if (const auto* entered = names_.find(m.player)) {
    m.name = entered->name;
    digest = entered->digest;
  }
  seekers_[m.player] = {m.session, std::move(m.name), std::move(digest), m.wire, m.home};
  auto placed_at = matches_.place(
      {m.player, std::move(keys), m.what.games_max, m.what.again, m.what.seat_at_once, m.playing},
      home().now());
  if (const auto* why = std::get_if<refusal>(&placed_at))
    return tell(m.session, seek_answer{{}, *why, {}, m.answers});
  auto& found = std::get<placement>(placed_at);
  // The answer goes first, so that it comes before the game.
  tell(m.session, seek_answer{{first.id, first.marks, found.seat}, std::nullopt, {}, m.answers});
  open_tables(found.tables);
}

void lobby::withdraw(withdraw_request& m) {
  matches_.withdraw(m.player);
  seekers_.erase(m.player);
  count_waiting();
  tell(m.session, event{m.answers, {}, gamehub::done{}});
}

void lobby::forget(player_id player) {
  matches_.forget(player);
  names_.leave(player);
  if (const auto as = comes_back_as_.find(player); as != comes_back_as_.end()) {
    // It has come, or gave up.
    if (const auto at = named_.find(as->second); at != named_.end())
      std::erase_if(at->second.coming_back,
                    [player](const resume_request& r) { return r.player == player; });
    comes_back_as_.erase(as);
  }
  if (const auto at = named_.find(player); at != named_.end()) {
    // Those on their way to this player came too late. Who arrived has gone on long ago.
    for (auto& late : at->second.coming_back) {
      comes_back_as_.erase(late.player);
      tell(late.asking, not_resumed{std::move(late.name), late.what.answers});
    }
    named_.erase(at);
  }
  seekers_.erase(player);
  count_waiting();
}

void lobby::open_tables(std::vector<table_plan>& tables) {
  for (auto& t : tables) open_table(t);
  count_waiting();
  watch_clock();
}

void lobby::open_table(table_plan& plan) {
  const auto engine = plan.queue.engine;
  auto created = setup_.offered->engines[engine].rules.create(plan.queue.options);
  auto* match = std::get_if<engines::match>(&created);
  if (match == nullptr) return turn_away(plan, std::get<std::string>(created));
  std::vector<game_player> players;
  loop* where = nullptr;
  for (const auto player : plan.players) {
    const auto& s = seekers_.at(player);
    // Where the first player lives who waited for it: it opened the game.
    if (where == nullptr) where = s.home;
    const auto& by = setup_.offered->wires[s.wire];
    players.push_back(
        {s.session, {player, s.name, by.form, !s.digest.empty()}, {s.digest, by.name}});
    // Only a standing offer needs its seeker again.
    if (!matches_.stands(player)) seekers_.erase(player);
  }
  const auto id = setup_.game_ids->next();
  auto table = spawn_on<game>(*where, (*setup_.games)[static_cast<std::size_t>(where->index())], id,
                              engine, std::move(plan.queue.options), std::move(*match), players);
  for (std::size_t i = 0; i < players.size(); ++i)
    tell(players[i].session, seated{table, id, engine, static_cast<seat_index>(i)});
  tell(table, begin_game{});
  keep(std::move(table), id);
}

void lobby::keep(game_actor table, game_id id) {
  this->monitor(table);
  const auto key = table.id();
  running_.emplace(key, running{id, std::move(table)});
}

// The engine took these options when they were asked for, and now fails to begin.
void lobby::turn_away(const table_plan& plan, const std::string& why) {
  home().cells().loop.games_failed.add();
  for (const auto player : plan.players) {
    tell(seekers_.at(player).session, seek_answer{{}, refusal::unfit_engine, why, {}});
    matches_.withdraw(player);
    seekers_.erase(player);
  }
}

void lobby::on_down(const caf::down_msg& m) { running_.erase(m.source.id()); }

void lobby::start_draining() {
  draining_ = true;
  // Nobody will be seated any more; the sessions tell their clients.
  for (const auto& [player, s] : seekers_) matches_.forget(player);
  seekers_.clear();
  count_waiting();
  if (setup_.log->durable())
    for (const auto& [key, r] : running_) tell(r.game, park{});
}

void lobby::end_all(end_reason why) {
  for (const auto& [key, r] : running_) tell(r.game, end_request{why, {}});
}

void lobby::end(end_one& m) {
  const auto at = std::find_if(running_.begin(), running_.end(),
                               [&](const auto& r) { return r.second.id == m.game; });
  if (at != running_.end())
    tell(at->second.game, end_request{end_reason::operator_, std::move(m.note)});
  m.found(at != running_.end());
}

void lobby::watch_clock() {
  if (clock_) return;
  if (const auto when = matches_.next())
    clock_ = home().timers().arm(*when, [this] { tell(self(), timer_up{}); });
}

void lobby::count_waiting() {
  for (std::size_t i = 0; i < setup_.offered->engines.size(); ++i)
    home().cells().engines[i].players_waiting.set(
        static_cast<std::int64_t>(matches_.waiting(static_cast<std::uint16_t>(i))));
}

void lobby::on_exit() {
  home().timers().cancel(std::exchange(clock_, {}));
  named_.clear();
  seekers_.clear();
  running_.clear();
}

}  // namespace gamehub::actors
