#include <algorithm>
#include <utility>

#include "hub/arena/arena.hpp"

namespace gamehub::arena {

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

// The bots of a run; or what is wrong with them.
std::optional<std::string> arena::choose(const run_request& asked, run& to) const {
  if (asked.names.empty()) {
    registry_.for_each([&](const bot& b) {
      if (b.state == bot_state::online && b.engine == asked.engine) to.bots.push_back(b.id);
    });
  }
  for (const auto& name : asked.names) {
    const auto* b = registry_.find(name);
    if (b == nullptr) return "there is no bot \"" + name + '"';
    if (b->engine != asked.engine) return '"' + name + "\" plays " + b->engine;
    if (std::find(to.bots.begin(), to.bots.end(), b->id) != to.bots.end())
      return '"' + name + "\" is named twice";
    to.bots.push_back(b->id);
  }
  if (to.bots.size() < 2) return "it takes two bots of " + asked.engine + " at least";
  if (to.bots.size() > run_bots_max)
    return "it may have " + std::to_string(run_bots_max) + " bots at most: name some";
  return std::nullopt;
}

std::variant<run_id, std::string> arena::begin_run(const run_request& asked, wall_time now) {
  std::variant<run_id, std::string> said;
  change([&](changes& out) {
    run r;
    r.engine = asked.engine;
    r.format = asked.format;
    r.games = asked.games;
    r.patience = asked.patience;
    r.made_at = now;
    if (auto wrong = choose(asked, r)) {
      said = std::move(*wrong);
      return;
    }
    const auto pairs = r.format == run_format::gauntlet ? r.bots.size() - 1
                                                        : r.bots.size() * (r.bots.size() - 1) / 2;
    if (r.games == 0 || r.games > run_games_max / pairs) {
      said = "it may have " + std::to_string(run_games_max) + " games at most, and one at least";
      return;
    }
    if (runs_.active_count() >= runs_active_max) {
      said = "there are " + std::to_string(runs_active_max) +
             " runs already: wait for one to end, or cancel it";
      return;
    }
    const auto games = plan(r);
    out.dropped = runs_.add(r, games.size());
    schedule_.add_run(r.id, r.engine, games, now, out);
    out.runs.push_back(r);
    said = r.id;
  });
  if (std::holds_alternative<run_id>(said)) hand_out_once_safe();
  return said;
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

std::vector<run> arena::runs() const {
  const std::lock_guard lock{mutex_};
  return runs_.all();
}

std::optional<standings> arena::standings_of(run_id id) const {
  const std::lock_guard lock{mutex_};
  return runs_.standings_of(id);
}

}  // namespace gamehub::arena
