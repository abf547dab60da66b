#include "hub/arena/schedule.hpp"

namespace gamehub::arena {

void schedule::add_run(run_id run, const std::string& engine, const std::vector<seats>& games,
                       wall_time now, changes& out) {
  for (const auto& bots : games) add(run, engine, bots, now, out);
}

bool schedule::is_away(bot_id who, const std::string& engine, std::chrono::seconds patience,
                       wall_time now) const {
  const auto found = players_.find(who);
  if (found == players_.end()) return true;
  const auto& p = found->second;
  const auto here = p.state == bot_state::online && p.engine == engine;
  return !here && p.since + patience <= now;
}

std::vector<fixture> schedule::forfeit(run_id run, const std::vector<bot_id>& bots,
                                       std::chrono::seconds patience, wall_time now, changes& out) {
  std::vector<fixture> over;
  for (const auto who : bots) {
    const auto waiting = players_[who].waiting;
    for (const auto id : waiting) {
      auto& e = fixtures_.at(id);
      if (e.what.run != run || !is_away(who, e.what.engine, patience, now)) continue;
      const auto seat = e.what.bots[0] == who ? 0 : 1;
      const auto other = e.what.bots.at(seat == 0 ? 1 : 0);
      std::optional<result> got;
      if (!is_away(other, e.what.engine, patience, now))
        got = result{seat == 0 ? 1 : 0, loss_reason::absent};
      take_out(e);
      --histories_[e.what.bots].waiting;
      over.push_back(*finish(e, got, now, out));
    }
  }
  return over;
}

std::size_t schedule::withdraw(run_id run, changes& out) {
  cancelled_.insert(run);
  std::vector<fixture_id> all;
  for (const auto& [id, e] : fixtures_)
    if (e.what.run == run && e.what.state == fixture_state::waiting && !e.handed_out)
      all.push_back(id);
  for (const auto id : all) {
    const auto& e = fixtures_.at(id);
    take_out(e);
    --histories_[e.what.bots].waiting;
    fixtures_.erase(id);
    out.withdrawn.push_back(id);
  }
  return all.size();
}

}  // namespace gamehub::arena
