#include "hub/league/arena.hpp"

#include "hub/league/token.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gamehub::league {
arena::arena(store& to, std::unique_ptr<base::random_source> random, const arena_settings& settings,
             base::wall_time now)
    : store_(to),
      settings_(settings),
      random_(std::move(random)),
      registry_(settings.names_per_owner_max),
      schedule_(settings.schedule) {
  load(store_.load(now - settings_.schedule.repeat), now);
}

void arena::begin(base::wall_time now) {
  const auto from = store_.load(now - settings_.schedule.repeat);
  const std::lock_guard lock{mutex_};
  load(from, now);
}

void arena::load(const saved& from, base::wall_time now) {
  registry_.load(from.bots, from.failures, from.last_bot);
  schedule_.load(from);
  ratings_.load(from.ratings);
  runs_.load(from.runs, from.fixtures);
  registry_.for_each([this, now](const bot_record& b) { schedule_.update_bot(b, now); });
}

void arena::when_due(std::function<void()> due) { due_ = std::move(due); }

void arena::when_removed(std::function<void(const std::vector<bot_id>&)> removed) {
  const std::lock_guard lock{mutex_};
  removed_ = std::move(removed);
}

void arena::wake() const {
  if (due_) due_();
}

void arena::find_owner(const std::string& token,
                       std::function<void(const std::optional<bot_owner>&)> answer) {
  store_.find_owner(token, [open = settings_.open_registration, token,
                            answer = std::move(answer)](const std::optional<std::string>& owner) {
    if (owner) return answer(bot_owner{*owner, *owner});
    answer(open ? std::optional{bot_owner{owner_of_unknown(token)}} : std::nullopt);
  });
}

void arena::register_bot(const bot_profile& what, const bot_owner& owner, base::wall_time now,
                         std::function<void(const registered&)> answer) {
  registered result;
  change([&](changes& out) {
    remove(registry_.unanswered(now), now, out);
    const auto* before = registry_.find(what.name);
    const auto changes_engine = before != nullptr && before->engine != what.engine;
    result = registry_.add(what, owner, now, *random_);
    const auto* no = std::get_if<registration_refusal>(&result);
    if (no != nullptr && no->why == registration_refusal::reason::hub_full) {
      if (const auto id = registry_.replaceable()) {
        remove({*id}, now, out);
        result = registry_.add(what, owner, now, *random_);
      }
    }
    const auto* b = std::get_if<bot_record>(&result);
    if (b == nullptr) return;
    schedule_.update_bot(*b, now);
    if (changes_engine) schedule_.withdraw(b->id, out);
    out.bots.push_back(*b);
  });
  store_.when_safe([answer = std::move(answer), result] { answer(result); });
}

void arena::remove(const bot_choice& what, base::wall_time now,
                   std::function<void(const std::vector<std::string>&)> answer) {
  std::vector<std::string> names;
  change([&](changes& out) {
    std::set<bot_id> all;
    registry_.for_each([&](const bot_record& b) {
      const bool chosen = what.owner.empty() ? b.name == what.name
                                             : b.owner == what.owner || b.account == what.owner;
      if (!chosen) return;
      all.insert(b.id);
      names.push_back(b.name);
    });
    remove(all, now, out);
  });
  wake();
  store_.when_safe([answer = std::move(answer), names = std::move(names)] { answer(names); });
}

void arena::remove(const std::set<bot_id>& all, base::wall_time now, changes& out) {
  if (all.empty()) return;
  for (const auto& f : schedule_.remove(all, now, out)) count_result(f, now, out);
  for (const auto id : all) ratings_.remove(id);
  registry_.remove(all);
  out.removed.insert(out.removed.end(), all.begin(), all.end());
}

void arena::on_online(const bot_ref& ref, base::wall_time now, bool for_two) {
  change([&](changes& out) {
    const auto* known = registry_.find(ref.id);
    const auto is_new = known != nullptr && known->state == bot_state::registered;
    const auto* b = registry_.set_online(ref);
    if (b == nullptr) return;
    schedule_.update_bot(*b, now);
    out.bots.push_back(*b);
    if (for_two)
      big_engines_.erase(b->engine);
    else
      big_engines_.insert(b->engine);
    if (is_new && for_two) schedule_.pair(*b, opponents_of(*b), now, out);
  });
  release_when_durable();
}

// A match that is not durable must not be played: after a crash it would be played again.
void arena::release_when_durable() {
  match_id last;
  {
    const std::lock_guard lock{mutex_};
    last = schedule_.last();
  }
  store_.when_safe([this, last] {
    {
      const std::lock_guard lock{mutex_};
      schedule_.set_durable(last);
    }
    wake();
  });
}

// Bots that were online when the hub stopped count as online.
std::vector<bot_record> arena::opponents_of(const bot_record& b) const {
  std::vector<bot_record> all;
  registry_.for_each([&](const bot_record& other) {
    const auto here = other.state == bot_state::online || other.state == bot_state::resuming;
    if (here && other.id != b.id && other.engine == b.engine) all.push_back(other);
  });
  return all;
}

void arena::on_failure(const bot_ref& ref, const bot_error& what, base::wall_time now) {
  change([&](changes& out) {
    // A bot that plays several games can fail in each of them.
    const failure f{ref.id, what, now};
    if (registry_.add_failure(ref, f)) out.failures.push_back(f);
    const auto* b = registry_.set_faulty(ref);
    if (b == nullptr) return;
    schedule_.update_bot(*b, now);
    schedule_.withdraw(b->id, out);
    out.bots.push_back(*b);
  });
}

std::vector<bot_record> arena::expected() const {
  const std::lock_guard lock{mutex_};
  std::vector<bot_record> all;
  registry_.for_each([&](const bot_record& b) {
    if (b.state == bot_state::registered || b.state == bot_state::resuming) all.push_back(b);
  });
  return all;
}

std::optional<bot_record> arena::find(bot_id id) const {
  const std::lock_guard lock{mutex_};
  const auto* found = registry_.find(id);
  return found == nullptr ? std::nullopt : std::optional{*found};
}

std::optional<bot_record> arena::find(std::string_view name) const {
  const std::lock_guard lock{mutex_};
  const auto* found = registry_.find(name);
  return found == nullptr ? std::nullopt : std::optional{*found};
}

std::vector<bot_record> arena::bots() const {
  const std::lock_guard lock{mutex_};
  std::vector<bot_record> all;
  registry_.for_each([&](const bot_record& b) { all.push_back(b); });
  return all;
}

std::vector<failure> arena::failures_of(bot_id id) const {
  const std::lock_guard lock{mutex_};
  return registry_.failures_of(id);
}

void arena::record_result(const std::function<match_outcome(game_id)>& outcome_of,
                          std::vector<journal_game> lately, base::wall_time now) {
  change([&](changes& out) {
    std::set<game_id> written;
    for (const auto id : schedule_.running()) {
      const auto f = *schedule_.find(id);
      written.insert(f.game);
      const auto outcome = outcome_of(f.game);
      // A running game of two faulty bots counts as lost: no bot would report its end.
      if (outcome.runs && !are_faulty(f.bots)) continue;
      // A match that waits again may have been opened a second time before the hub stopped.
      const auto since = outcome.ended && has_result(outcome.ended->why) ? now : f.at;
      if (outcome.ended)
        end(id, *outcome.ended, since, out);
      else
        schedule_.lost(id, since, out);
    }
    std::sort(lately.begin(), lately.end(),
              [](const auto& a, const auto& b) { return a.id.value < b.id.value; });
    for (const auto& each : lately) {
      // A game without a result belongs to no match: its match waits again.
      if (each.outcome.ended && !has_result(each.outcome.ended->why)) continue;
      const auto* x = registry_.find(each.names[0]);
      const auto* o = registry_.find(each.names[1]);
      if (x == nullptr || o == nullptr) continue;
      if (schedule_.is_known(each.id) || written.count(each.id) > 0) continue;
      const auto id = schedule_.adopt({x->id, o->id}, each.id, each.opened, out);
      if (id && each.outcome.ended) end(id, *each.outcome.ended, now, out);
    }
  });
  wake();
}

bool arena::are_faulty(const std::array<bot_id, 2>& bots) const {
  return std::all_of(bots.begin(), bots.end(), [this](bot_id who) {
    const auto* b = registry_.find(who);
    return b == nullptr || b->state == bot_state::faulty;
  });
}

std::vector<scheduled_match> arena::next_matches(base::wall_time now, std::size_t most) {
  std::vector<scheduled_match> all;
  change([&](changes& out) {
    for (const auto& r : runs_.all())
      if (r.state == run_state::active)
        for (const auto& f : schedule_.forfeit(r.id, r.bots, r.patience, now, out))
          count_result(f, now, out);
    all = schedule_.next(now, most);
  });
  return all;
}

void arena::game_opened(match_id id, game_id game, base::wall_time now) {
  change([&](changes& out) { schedule_.opened(id, game, now, out); });
}

void arena::game_not_opened(match_id id, base::wall_time now) {
  change([&](changes& out) { schedule_.not_opened(id, now, out); });
  // Both bots can play another game.
  wake();
}

void arena::game_ended(game_id game, const match_end& how, base::wall_time now) {
  change([&](changes& out) {
    if (const auto id = schedule_.fixture_of(game)) end(id, how, now, out);
  });
  wake();
}

void arena::end(match_id id, const match_end& how, base::wall_time now, changes& out) {
  const auto* f = schedule_.find(id);
  if (f == nullptr) return;
  std::optional<match_result> got;
  if (has_result(how.why)) got = match_result{how.winner, reason_of(*f, how)};
  if (const auto* over = schedule_.ended(id, got, how.why == end_reason::drained, now, out))
    count_result(*over, now, out);
}

void arena::count_result(const scheduled_match& f, base::wall_time now, changes& out) {
  const auto was_played = f.got && f.got->how != loss_reason::absent;
  if (was_played)
    for (auto& each : ratings_.add(f.engine, f.bots, f.got->winner, now))
      out.ratings.push_back(std::move(each));
  const auto kind = !f.got           ? loss_reason_count + 1
                    : !f.got->winner ? loss_reason_count
                                     : static_cast<int>(f.got->how);
  ++ended_.at(static_cast<std::size_t>(kind));
  if (const auto* over = runs_.count(f)) out.runs.push_back(*over);
}

loss_reason arena::reason_of(const scheduled_match& f, const match_end& how) const {
  if (how.why == end_reason::rules || !how.winner) return loss_reason::rules;
  if (how.why == end_reason::clock) return loss_reason::timeout;
  const auto loser = f.bots.at(*how.winner == 0 ? 1 : 0);
  return registry_.failed_in(loser, f.game) == bot_error_code::timeout ? loss_reason::timeout
                                                                       : loss_reason::forfeit;
}

arena::counts arena::count() const {
  const std::lock_guard lock{mutex_};
  return {registry_.count(), schedule_.waiting_count(), schedule_.running_count(),
          runs_.active_count(), ended_};
}

std::vector<leaderboard_row> arena::leaderboard(std::string_view engine, std::size_t limit) const {
  const std::lock_guard lock{mutex_};
  std::vector<leaderboard_row> out;
  for (const auto& r : ratings_.best(engine)) {
    if (out.size() >= limit) break;
    const auto* b = registry_.find(r.who);
    if (b == nullptr) continue;
    out.push_back({b->name, r.now.rating, r.now.deviation, r.games, r.wins, r.draws, r.losses,
                   b->state == bot_state::online && b->engine == engine});
  }
  return out;
}

// Sets the bots of a tournament. Returns a sentence if the request is not possible.
std::optional<std::string> arena::choose_bots(const run_request& request, tournament& to) const {
  if (big_engines_.contains(request.engine))
    return "games of " + request.engine + " have more than two seats: the league has none of them";
  if (request.names.empty()) {
    registry_.for_each([&](const bot_record& b) {
      if (b.state == bot_state::online && b.engine == request.engine) to.bots.push_back(b.id);
    });
  }
  for (const auto& name : request.names) {
    const auto* b = registry_.find(name);
    if (b == nullptr) return "there is no bot \"" + name + '"';
    if (b->engine != request.engine) return '"' + name + "\" plays " + b->engine;
    if (std::find(to.bots.begin(), to.bots.end(), b->id) != to.bots.end())
      return '"' + name + "\" is named twice";
    to.bots.push_back(b->id);
  }
  if (to.bots.size() < 2) return "it takes two bots of " + request.engine + " at least";
  if (to.bots.size() > run_bots_max)
    return "it may have " + std::to_string(run_bots_max) + " bots at most: name some";
  return std::nullopt;
}

std::variant<run_id, std::string> arena::begin_run(const run_request& request,
                                                   base::wall_time now) {
  std::variant<run_id, std::string> result;
  change([&](changes& out) {
    tournament r;
    r.engine = request.engine;
    r.format = request.format;
    r.games = request.games;
    r.patience = request.patience;
    r.made_at = now;
    if (auto wrong = choose_bots(request, r)) {
      result = std::move(*wrong);
      return;
    }
    const auto pairs = r.format == run_format::gauntlet ? r.bots.size() - 1
                                                        : r.bots.size() * (r.bots.size() - 1) / 2;
    if (r.games == 0 || r.games > run_games_max / pairs) {
      result = "it may have " + std::to_string(run_games_max) + " games at most, and one at least";
      return;
    }
    if (runs_.active_count() >= runs_active_max) {
      result = "there are " + std::to_string(runs_active_max) +
               " runs already: wait for one to end, or cancel it";
      return;
    }
    const auto games = plan(r);
    out.dropped = runs_.add(r, games.size());
    schedule_.add_run(r.id, r.engine, games, now, out);
    out.runs.push_back(r);
    result = r.id;
  });
  if (std::holds_alternative<run_id>(result)) release_when_durable();
  return result;
}

bool arena::cancel_run(run_id id) {
  bool was_active = false;
  change([&](changes& out) {
    const auto* r = runs_.find(id);
    if (r == nullptr || r->state != run_state::active) return;
    const auto* over = runs_.cancel(id, schedule_.withdraw(id, out));
    out.runs.push_back(*over);
    was_active = true;
  });
  return was_active;
}

std::vector<tournament> arena::runs() const {
  const std::lock_guard lock{mutex_};
  return runs_.all();
}

std::optional<standings> arena::standings_of(run_id id) const {
  const std::lock_guard lock{mutex_};
  return runs_.standings_of(id);
}

}  // namespace gamehub::league
