#include "hub/league/schedule.hpp"

#include <algorithm>
#include <iterator>

namespace gamehub::league {
namespace {

// Recent version pairs that are stored for two bots. More of them within an hour mean a bot that
// changes its version to play more.
constexpr std::size_t meetings_max = 8;

base::wall_time::duration pause_after(std::uint32_t attempts) {
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
    if (each.state == match_state::ended) {
      if (!each.game) continue;
      histories_[each.bots].played.push_back({each.versions, each.at});
      over_.insert(each.game);
      continue;
    }
    const auto& e = fixtures_.emplace(each.id, entry{each}).first->second;
    if (each.state == match_state::running)
      begin_running(each);
    else
      enqueue(e);
    if (each.state == match_state::waiting) ++histories_[each.bots].waiting;
  }
  durable_ = last();
}

void schedule::update_bot(const bot_record& b, base::wall_time now) {
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

bool schedule::played_lately(const seats& bots, base::wall_time now) {
  auto& of = histories_[bots];
  std::erase_if(of.played, [&](const meeting& m) { return m.at + rules_.repeat <= now; });
  if (of.waiting > 0) return true;
  const std::array versions{players_[bots[0]].version, players_[bots[1]].version};
  return std::find(of.running.begin(), of.running.end(), versions) != of.running.end() ||
         std::any_of(of.played.begin(), of.played.end(),
                     [&](const meeting& m) { return m.versions == versions; });
}

void schedule::add(run_id run, const std::string& engine, const seats& bots, base::wall_time now,
                   changes& out) {
  scheduled_match f;
  f.id = match_id{++last_};
  f.run = run;
  f.engine = engine;
  f.bots = bots;
  f.at = now;
  out.fixtures.push_back(f);
  ++histories_[bots].waiting;
  enqueue(fixtures_.emplace(f.id, entry{f}).first->second);
}

void schedule::pair(const bot_record& who, const std::vector<bot_record>& others,
                    base::wall_time now, changes& out) {
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

// Includes running matches and those that are being opened, which are in no queue.
std::set<match_id> schedule::matches_of(const std::set<bot_id>& bots) const {
  std::set<match_id> all;
  bool busy = false;
  for (const auto who : bots) {
    const auto found = players_.find(who);
    if (found == players_.end()) continue;
    all.insert(found->second.waiting.begin(), found->second.waiting.end());
    busy = busy || found->second.busy > 0;
  }
  if (!busy) return all;
  for (const auto& [id, e] : fixtures_)
    if (bots.count(e.what.bots[0]) + bots.count(e.what.bots[1]) > 0) all.insert(id);
  return all;
}

// Takes a match out of all indexes.
void schedule::release(const entry& e) {
  if (e.what.state == match_state::running) return stop_running(e.what);
  --histories_[e.what.bots].waiting;
  if (!e.opening) return dequeue(e);
  for (const auto who : e.what.bots) --players_[who].busy;
}

std::vector<scheduled_match> schedule::remove(const std::set<bot_id>& bots, base::wall_time now,
                                              changes& out) {
  std::vector<scheduled_match> over;
  for (const auto id : matches_of(bots)) {
    auto& e = fixtures_.at(id);
    release(e);
    if (!e.what.run) {
      fixtures_.erase(id);
      out.withdrawn.push_back(id);
      continue;
    }
    const bool x_leaves = bots.count(e.what.bots[0]) > 0;
    std::optional<match_result> got;
    if (x_leaves != (bots.count(e.what.bots[1]) > 0))
      got = match_result{x_leaves ? 1 : 0, loss_reason::absent};
    over.push_back(*finish(e, got, now, out));
  }
  for (const auto who : bots) {
    players_.erase(who);
    const auto first = histories_.lower_bound({who, bot_id{}});
    auto last = first;
    for (; last != histories_.end() && last->first[0] == who; ++last)
      if (last->first[1] != who) histories_.erase({last->first[1], who});
    histories_.erase(first, last);
  }
  return over;
}

std::vector<scheduled_match> schedule::next(base::wall_time now, std::size_t most) {
  std::vector<scheduled_match> all;
  for (auto& [id, p] : players_) {
    while (all.size() < most) {
      auto* e = first_for(p, now);
      if (e == nullptr) break;
      all.push_back(begin_opening(*e));
    }
  }
  return all;
}

// A busy bot costs one comparison. A free bot finds a match soon, unless all others are busy.
schedule::entry* schedule::first_for(const player& p, base::wall_time now) {
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

scheduled_match schedule::begin_opening(entry& e) {
  dequeue(e);
  e.opening = true;
  for (const auto who : e.what.bots) ++players_[who].busy;
  return e.what;
}

void schedule::opened(match_id id, game_id game, base::wall_time now, changes& out) {
  auto* e = find_entry(id, match_state::waiting);
  if (e == nullptr || !e->opening) return;
  e->opening = false;
  // run() counts them again.
  for (const auto who : e->what.bots) --players_[who].busy;
  run(*e, game, now, out);
}

void schedule::run(entry& e, game_id game, base::wall_time opened, changes& out) {
  e.what.state = match_state::running;
  e.what.game = game;
  e.what.at = opened;
  ++e.what.openings;
  for (std::size_t seat = 0; seat < 2; ++seat)
    e.what.versions[seat] = players_[e.what.bots[seat]].version;
  --histories_[e.what.bots].waiting;
  begin_running(e.what);
  out.fixtures.push_back(e.what);
}

match_id schedule::adopt(const seats& bots, game_id game, base::wall_time opened, changes& out) {
  for (const auto id : players_[bots[0]].waiting) {
    auto& e = fixtures_.at(id);
    if (e.what.bots != bots || e.what.at > opened + opened_early_max) continue;
    dequeue(e);
    run(e, game, opened, out);
    return id;
  }
  return {};
}

void schedule::not_opened(match_id id, base::wall_time now, changes& out) {
  const auto found = fixtures_.find(id);
  if (found == fixtures_.end()) return;
  auto& e = found->second;
  if (e.what.state == match_state::running) {
    // The game had no players: it does not count as opened.
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

const scheduled_match* schedule::ended(match_id id, const std::optional<match_result>& got,
                                       bool again, base::wall_time now, changes& out) {
  auto* e = find_entry(id, match_state::running);
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

const scheduled_match* schedule::finish(entry& e, const std::optional<match_result>& got,
                                        base::wall_time now, changes& out) {
  e.what.state = match_state::ended;
  e.what.at = now;
  e.what.got = got;
  ended_ = std::move(e.what);
  fixtures_.erase(ended_.id);
  out.fixtures.push_back(ended_);
  return &ended_;
}

void schedule::lost(match_id id, base::wall_time now, changes& out) {
  auto* e = find_entry(id, match_state::running);
  if (e == nullptr) return;
  stop_running(e->what);
  wait_again(*e, now, out);
}

// Requires: the match is neither running nor counted as waiting.
void schedule::wait_again(entry& e, base::wall_time now, changes& out) {
  if (is_withdrawn(e)) {
    out.withdrawn.push_back(e.what.id);
    fixtures_.erase(match_id{e.what.id});
    return;
  }
  e.opening = false;
  e.what.state = match_state::waiting;
  e.what.at = now;
  e.what.game = {};
  e.what.versions = {};
  ++histories_[e.what.bots].waiting;
  enqueue(e);
  out.fixtures.push_back(e.what);
}

// Returns true if the match was withdrawn while a game was open for it.
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

void schedule::begin_running(const scheduled_match& f) {
  ++running_;
  games_[f.game] = f.id;
  for (const auto who : f.bots) ++players_[who].busy;
  histories_[f.bots].running.push_back(f.versions);
}

void schedule::stop_running(const scheduled_match& f) {
  --running_;
  games_.erase(f.game);
  for (const auto who : f.bots) --players_[who].busy;
  auto& of = histories_[f.bots].running;
  of.erase(std::find(of.begin(), of.end(), f.versions));
}

schedule::entry* schedule::find_entry(match_id id, match_state in) {
  const auto found = fixtures_.find(id);
  return found != fixtures_.end() && found->second.what.state == in ? &found->second : nullptr;
}

bool schedule::is_known(game_id game) const {
  return games_.count(game) > 0 || over_.count(game) > 0;
}

match_id schedule::fixture_of(game_id game) const {
  const auto found = games_.find(game);
  return found == games_.end() ? match_id{} : found->second;
}

const scheduled_match* schedule::find(match_id id) const {
  const auto found = fixtures_.find(id);
  return found == fixtures_.end() ? nullptr : &found->second.what;
}

std::vector<match_id> schedule::running() const {
  std::vector<match_id> all;
  for (const auto& [id, e] : fixtures_)
    if (e.what.state == match_state::running) all.push_back(id);
  return all;
}

void schedule::add_run(run_id run, const std::string& engine, const std::vector<seats>& games,
                       base::wall_time now, changes& out) {
  for (const auto& bots : games) add(run, engine, bots, now, out);
}

bool schedule::is_away(bot_id who, const std::string& engine, std::chrono::seconds patience,
                       base::wall_time now) const {
  const auto found = players_.find(who);
  if (found == players_.end()) return true;
  const auto& p = found->second;
  const auto here = p.state == bot_state::online && p.engine == engine;
  return !here && p.since + patience <= now;
}

std::vector<scheduled_match> schedule::forfeit(run_id run, const std::vector<bot_id>& bots,
                                               std::chrono::seconds patience, base::wall_time now,
                                               changes& out) {
  std::vector<scheduled_match> over;
  for (const auto who : bots) {
    const auto waiting = players_[who].waiting;
    for (const auto id : waiting) {
      auto& e = fixtures_.at(id);
      if (e.what.run != run || !is_away(who, e.what.engine, patience, now)) continue;
      const auto seat = e.what.bots[0] == who ? 0 : 1;
      const auto other = e.what.bots.at(seat == 0 ? 1 : 0);
      std::optional<match_result> got;
      if (!is_away(other, e.what.engine, patience, now))
        got = match_result{seat == 0 ? 1 : 0, loss_reason::absent};
      dequeue(e);
      --histories_[e.what.bots].waiting;
      over.push_back(*finish(e, got, now, out));
    }
  }
  return over;
}

std::size_t schedule::withdraw(run_id run, changes& out) {
  cancelled_.insert(run);
  std::vector<match_id> all;
  for (const auto& [id, e] : fixtures_)
    if (e.what.run == run && e.what.state == match_state::waiting && !e.opening) all.push_back(id);
  for (const auto id : all) {
    const auto& e = fixtures_.at(id);
    dequeue(e);
    --histories_[e.what.bots].waiting;
    fixtures_.erase(id);
    out.withdrawn.push_back(id);
  }
  return all.size();
}

}  // namespace gamehub::league
