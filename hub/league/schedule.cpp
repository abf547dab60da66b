#include "hub/arena/schedule.hpp"

#include <algorithm>
#include <iterator>

namespace gamehub::arena {
namespace {

// Pairs of versions of two bots that are remembered. More of them in an hour are a bot that changes
// its version to play more.
constexpr std::size_t meetings_max = 8;

wall_time::duration pause_after(std::uint32_t attempts) {
  auto pause = opening_pause_min;
  for (std::uint32_t n = 1; n < attempts && pause < opening_pause_max; ++n) pause *= 2;
  return std::min(pause, opening_pause_max);
}

}  // namespace

void schedule::load(const saved& from) {
  last_ = from.last_fixture.value;
  for (const auto& each : from.runs)
    if (each.state == run_state::cancelled) cancelled_.insert(each.id);
  for (const auto& each : from.fixtures) {
    last_ = std::max(last_, each.id.value);
    if (each.state == fixture_state::ended) {
      if (!each.game) continue;
      histories_[each.bots].played.push_back({each.versions, each.at});
      over_.insert(each.game);
      continue;
    }
    const auto& e = fixtures_.emplace(each.id, entry{each}).first->second;
    if (each.state == fixture_state::running)
      begin_running(each);
    else
      enqueue(e);
    if (each.state == fixture_state::waiting) ++histories_[each.bots].waiting;
  }
  durable_ = last();
}

void schedule::take(const bot& b, wall_time now) {
  auto& p = players_[b.id];
  const auto was_here = p.state == bot_state::online && p.engine == b.engine;
  if (was_here || p.engine != b.engine) p.since = now;
  p.state = b.state;
  p.engine = b.engine;
  p.version = b.version;
}

bool schedule::is_free(bot_id who, const std::string& engine) const {
  const auto found = players_.find(who);
  return found != players_.end() && found->second.state == bot_state::online &&
         found->second.busy < rules_.games_per_bot && found->second.engine == engine;
}

bool schedule::played_lately(const seats& bots, wall_time now) {
  auto& of = histories_[bots];
  std::erase_if(of.played, [&](const meeting& m) { return m.at + rules_.repeat <= now; });
  if (of.waiting > 0) return true;
  const std::array versions{players_[bots[0]].version, players_[bots[1]].version};
  return std::find(of.running.begin(), of.running.end(), versions) != of.running.end() ||
         std::any_of(of.played.begin(), of.played.end(),
                     [&](const meeting& m) { return m.versions == versions; });
}

void schedule::add(run_id run, const std::string& engine, const seats& bots, wall_time now,
                   changes& out) {
  fixture f;
  f.id = fixture_id{++last_};
  f.run = run;
  f.engine = engine;
  f.bots = bots;
  f.at = now;
  out.fixtures.push_back(f);
  ++histories_[bots].waiting;
  enqueue(fixtures_.emplace(f.id, entry{f}).first->second);
}

void schedule::pair(const bot& who, const std::vector<bot>& others, wall_time now, changes& out) {
  for (const auto& other : others) {
    if (other.id == who.id || other.engine != who.engine) continue;
    for (const auto& bots : {seats{who.id, other.id}, seats{other.id, who.id}})
      if (!played_lately(bots, now)) add({}, who.engine, bots, now, out);
  }
}

void schedule::withdraw(bot_id who, changes& out) {
  const auto waiting = players_[who].waiting;
  for (const auto id : waiting) {
    const auto& e = fixtures_.at(id);
    if (e.what.run) continue;
    dequeue(e);
    --histories_[e.what.bots].waiting;
    fixtures_.erase(id);
    out.withdrawn.push_back(id);
  }
}

std::vector<pairing> schedule::next(wall_time now, std::size_t most) {
  std::vector<pairing> all;
  for (auto& [id, p] : players_) {
    while (all.size() < most) {
      auto* e = first_for(p, now);
      if (e == nullptr) break;
      all.push_back(begin_opening(*e));
    }
  }
  return all;
}

// Bots that are busy cost nothing, and one that is free finds a game soon, unless all others are
// busy.
schedule::entry* schedule::first_for(const player& p, wall_time now) {
  if (p.state != bot_state::online || p.busy >= rules_.games_per_bot) return nullptr;
  for (const auto id : p.waiting) {
    if (id > durable_) break;
    auto& e = fixtures_.at(id);
    if (e.not_before <= now && is_free(e.what.bots[0], e.what.engine) &&
        is_free(e.what.bots[1], e.what.engine))
      return &e;
  }
  return nullptr;
}

pairing schedule::begin_opening(entry& e) {
  dequeue(e);
  e.opening = true;
  for (const auto who : e.what.bots) ++players_[who].busy;
  return {e.what.id, e.what.engine, e.what.bots};
}

void schedule::opened(fixture_id id, game_id game, wall_time now, changes& out) {
  auto* e = find_entry(id, fixture_state::waiting);
  if (e == nullptr || !e->opening) return;
  e->opening = false;
  // They are counted again below.
  for (const auto who : e->what.bots) --players_[who].busy;
  run(*e, game, now, out);
}

void schedule::run(entry& e, game_id game, wall_time opened, changes& out) {
  e.what.state = fixture_state::running;
  e.what.game = game;
  e.what.at = opened;
  ++e.what.openings;
  for (std::size_t seat = 0; seat < 2; ++seat)
    e.what.versions[seat] = players_[e.what.bots[seat]].version;
  --histories_[e.what.bots].waiting;
  begin_running(e.what);
  out.fixtures.push_back(e.what);
}

fixture_id schedule::adopt(const seats& bots, game_id game, wall_time opened, changes& out) {
  for (const auto id : players_[bots[0]].waiting) {
    auto& e = fixtures_.at(id);
    if (e.what.bots != bots || e.what.at > opened + opened_early_max) continue;
    dequeue(e);
    run(e, game, opened, out);
    return id;
  }
  return {};
}

void schedule::not_opened(fixture_id id, wall_time now, changes& out) {
  const auto found = fixtures_.find(id);
  if (found == fixtures_.end()) return;
  auto& e = found->second;
  if (e.what.state == fixture_state::running) {
    // Nobody played in it: it was not an opening.
    --e.what.openings;
    stop_running(e.what);
  } else if (e.opening) {
    for (const auto who : e.what.bots) --players_[who].busy;
    --histories_[e.what.bots].waiting;
  } else {
    return;
  }
  e.not_before = now + pause_after(++e.failed);
  wait_again(e, now, out);
}

const fixture* schedule::ended(fixture_id id, const std::optional<result>& got, bool again,
                               wall_time now, changes& out) {
  auto* e = find_entry(id, fixture_state::running);
  if (e == nullptr) return nullptr;
  stop_running(e->what);
  if (!got && (again || e->what.openings < openings_max)) {
    wait_again(*e, now, out);
    return nullptr;
  }
  auto& played = histories_[e->what.bots].played;
  if (played.size() >= meetings_max) played.erase(played.begin());
  played.push_back({e->what.versions, now});
  return finish(*e, got, now, out);
}

const fixture* schedule::finish(entry& e, const std::optional<result>& got, wall_time now,
                                changes& out) {
  e.what.state = fixture_state::ended;
  e.what.at = now;
  e.what.got = got;
  ended_ = std::move(e.what);
  fixtures_.erase(ended_.id);
  out.fixtures.push_back(ended_);
  return &ended_;
}

void schedule::lost(fixture_id id, wall_time now, changes& out) {
  auto* e = find_entry(id, fixture_state::running);
  if (e == nullptr) return;
  stop_running(e->what);
  wait_again(*e, now, out);
}

// Requires: neither running nor counted as waiting.
void schedule::wait_again(entry& e, wall_time now, changes& out) {
  if (is_withdrawn(e)) {
    out.withdrawn.push_back(e.what.id);
    fixtures_.erase(fixture_id{e.what.id});
    return;
  }
  e.opening = false;
  e.what.state = fixture_state::waiting;
  e.what.at = now;
  e.what.game = {};
  e.what.versions = {};
  ++histories_[e.what.bots].waiting;
  enqueue(e);
  out.fixtures.push_back(e.what);
}

// Was it, while the game was not there to be taken back?
bool schedule::is_withdrawn(const entry& e) const {
  if (e.what.run) return cancelled_.count(e.what.run) > 0;
  return std::any_of(e.what.bots.begin(), e.what.bots.end(), [&](bot_id who) {
    const auto found = players_.find(who);
    return found == players_.end() || found->second.state == bot_state::faulty ||
           found->second.engine != e.what.engine;
  });
}

void schedule::enqueue(const entry& e) {
  for (const auto who : e.what.bots) players_[who].waiting.insert(e.what.id);
}

void schedule::dequeue(const entry& e) {
  for (const auto who : e.what.bots) players_[who].waiting.erase(e.what.id);
}

void schedule::begin_running(const fixture& f) {
  ++running_;
  games_[f.game] = f.id;
  for (const auto who : f.bots) ++players_[who].busy;
  histories_[f.bots].running.push_back(f.versions);
}

void schedule::stop_running(const fixture& f) {
  --running_;
  games_.erase(f.game);
  for (const auto who : f.bots) --players_[who].busy;
  auto& of = histories_[f.bots].running;
  of.erase(std::find(of.begin(), of.end(), f.versions));
}

schedule::entry* schedule::find_entry(fixture_id id, fixture_state in) {
  const auto found = fixtures_.find(id);
  return found != fixtures_.end() && found->second.what.state == in ? &found->second : nullptr;
}

bool schedule::is_known(game_id game) const {
  return games_.count(game) > 0 || over_.count(game) > 0;
}

fixture_id schedule::fixture_of(game_id game) const {
  const auto found = games_.find(game);
  return found == games_.end() ? fixture_id{} : found->second;
}

const fixture* schedule::find(fixture_id id) const {
  const auto found = fixtures_.find(id);
  return found == fixtures_.end() ? nullptr : &found->second.what;
}

std::vector<fixture_id> schedule::running() const {
  std::vector<fixture_id> all;
  for (const auto& [id, e] : fixtures_)
    if (e.what.state == fixture_state::running) all.push_back(id);
  return all;
}

}  // namespace gamehub::arena
