#include "hub/arena/arena.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "hub/arena/token.hpp"

namespace gamehub::arena {
namespace {

constexpr std::string_view unknown_token =
    "The token is not known: the operator of the hub makes one (gamehub token add OWNER)";

}  // namespace

arena::arena(store& keeps, std::unique_ptr<random_source> chance, const arena_settings& settings,
             wall_time now)
    : store_(keeps),
      settings_(settings),
      random_(std::move(chance)),
      schedule_(settings.schedule) {
  const auto from = store_.load(now - settings_.schedule.repeat);
  registry_.load(from.bots, from.failures);
  schedule_.load(from);
  ratings_.load(from.ratings);
  runs_.load(from.runs, from.fixtures);
  registry_.for_each([this, now](const bot& b) { schedule_.take(b, now); });
}

void arena::when_due(std::function<void()> due) { due_ = std::move(due); }

void arena::wake() const {
  if (due_) due_();
}

void arena::register_bot(const registration& r, wall_time now,
                         std::function<void(registered)> answer) {
  store_.find_owner(r.token, [this, r, now, answer = std::move(answer)](const auto& owner) {
    take(r, owner, now, answer);
  });
}

void arena::take(const registration& r, const std::optional<std::string>& owner, wall_time now,
                 const std::function<void(registered)>& answer) {
  if (!owner && !settings_.open_registration) return answer(std::string{unknown_token});
  registered said;
  change([&](changes& out) {
    const auto* before = registry_.find(r.name);
    const auto goes_over = before != nullptr && before->engine != r.engine;
    said = registry_.add(r, owner ? *owner : owner_of_unknown(r.token), now, *random_);
    const auto* b = std::get_if<bot>(&said);
    if (b == nullptr) return;
    schedule_.take(*b, now);
    if (goes_over) schedule_.withdraw(b->id, out);
    out.bots.push_back(*b);
  });
  store_.when_safe([answer, said] { answer(said); });
}

void arena::came_online(const bot_ref& ref, wall_time now) {
  change([&](changes& out) {
    const auto* known = registry_.find(ref.id);
    const auto anew = known != nullptr && known->state == bot_state::registered;
    const auto* b = registry_.came_online(ref);
    if (b == nullptr) return;
    schedule_.take(*b, now);
    out.bots.push_back(*b);
    if (anew) schedule_.pair(*b, opponents_of(*b), now, out);
  });
  release_when_durable();
}

// What is not written yet must not be played: it would be forgotten, and played again.
void arena::release_when_durable() {
  fixture_id last;
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

// Those who were online before the hub went down are as good as here.
std::vector<bot> arena::opponents_of(const bot& b) const {
  std::vector<bot> all;
  registry_.for_each([&](const bot& other) {
    const auto here = other.state == bot_state::online || other.state == bot_state::resuming;
    if (here && other.id != b.id && other.engine == b.engine) all.push_back(other);
  });
  return all;
}

void arena::went_wrong(const bot_ref& ref, const fault& what, wall_time now) {
  change([&](changes& out) {
    // A bot that plays several games can fail in each of them.
    const failure f{ref.id, what, now};
    if (registry_.note(ref, f)) out.failures.push_back(f);
    const auto* b = registry_.went_wrong(ref);
    if (b == nullptr) return;
    schedule_.take(*b, now);
    schedule_.withdraw(b->id, out);
    out.bots.push_back(*b);
  });
}

std::vector<bot> arena::expected() const {
  const std::lock_guard lock{mutex_};
  std::vector<bot> all;
  registry_.for_each([&](const bot& b) {
    if (b.state == bot_state::registered || b.state == bot_state::resuming) all.push_back(b);
  });
  return all;
}

std::optional<bot> arena::find(bot_id id) const {
  const std::lock_guard lock{mutex_};
  const auto* found = registry_.find(id);
  return found == nullptr ? std::nullopt : std::optional{*found};
}

std::optional<bot> arena::find(std::string_view name) const {
  const std::lock_guard lock{mutex_};
  const auto* found = registry_.find(name);
  return found == nullptr ? std::nullopt : std::optional{*found};
}

std::vector<bot> arena::bots() const {
  const std::lock_guard lock{mutex_};
  std::vector<bot> all;
  registry_.for_each([&](const bot& b) { all.push_back(b); });
  return all;
}

std::vector<failure> arena::failures_of(bot_id id) const {
  const std::lock_guard lock{mutex_};
  return registry_.failures_of(id);
}

void arena::settle(const std::function<match_outcome(game_id)>& outcome_of,
                   std::vector<journal_game> lately, wall_time now) {
  change([&](changes& out) {
    std::set<game_id> asked;
    for (const auto id : schedule_.running()) {
      const auto f = *schedule_.find(id);
      asked.insert(f.game);
      const auto outcome = outcome_of(f.game);
      // Of a game that nobody will come back to, nobody would tell the end.
      if (outcome.runs && !are_faulty(f.bots)) continue;
      // What waits again from now on may have been opened anew before the hub went down.
      const auto since = outcome.ended && has_result(outcome.ended->why) ? now : f.at;
      if (outcome.ended)
        end(id, *outcome.ended, since, out);
      else
        schedule_.lost(id, since, out);
    }
    std::sort(lately.begin(), lately.end(),
              [](const auto& a, const auto& b) { return a.id.value < b.id.value; });
    for (const auto& each : lately) {
      // A game that came to nothing is nobody's: its fixture waits again, or waited again before.
      if (each.outcome.ended && !has_result(each.outcome.ended->why)) continue;
      const auto* x = registry_.find(each.names[0]);
      const auto* o = registry_.find(each.names[1]);
      if (x == nullptr || o == nullptr) continue;
      if (schedule_.is_known(each.id) || asked.count(each.id) > 0) continue;
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

std::vector<pairing> arena::next_pairings(wall_time now, std::size_t most) {
  std::vector<pairing> all;
  change([&](changes& out) {
    for (const auto& r : runs_.all())
      if (r.state == run_state::active)
        for (const auto& f : schedule_.forfeit(r.id, r.bots, r.patience, now, out))
          count_result(f, now, out);
    all = schedule_.next(now, most);
  });
  return all;
}

void arena::game_opened(fixture_id id, game_id game, wall_time now) {
  change([&](changes& out) { schedule_.opened(id, game, now, out); });
}

void arena::game_not_opened(fixture_id id, wall_time now) {
  change([&](changes& out) { schedule_.not_opened(id, now, out); });
  // Both bots have room again.
  wake();
}

void arena::game_ended(game_id game, const ending& how, wall_time now) {
  change([&](changes& out) {
    if (const auto id = schedule_.fixture_of(game)) end(id, how, now, out);
  });
  wake();
}

void arena::end(fixture_id id, const ending& how, wall_time now, changes& out) {
  const auto* f = schedule_.find(id);
  if (f == nullptr) return;
  std::optional<result> got;
  if (has_result(how.why)) got = result{how.winner, reason_of(*f, how)};
  if (const auto* over = schedule_.ended(id, got, how.why == end_reason::drained, now, out))
    count_result(*over, now, out);
}

void arena::count_result(const fixture& f, wall_time now, changes& out) {
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

loss_reason arena::reason_of(const fixture& f, const ending& how) const {
  if (how.why == end_reason::rules || !how.winner) return loss_reason::rules;
  if (how.why == end_reason::clock) return loss_reason::timeout;
  const auto loser = f.bots.at(*how.winner == 0 ? 1 : 0);
  return registry_.failed_in(loser, f.game) == timeout_code ? loss_reason::timeout
                                                            : loss_reason::forfeit;
}

arena::counts arena::count() const {
  const std::lock_guard lock{mutex_};
  return {registry_.count(), schedule_.waiting_count(), schedule_.running_count(),
          runs_.active_count(), ended_};
}

}  // namespace gamehub::arena
