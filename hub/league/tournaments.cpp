#include "hub/league/tournaments.hpp"

#include <algorithm>

namespace gamehub::league {

std::string_view to_string(run_format f) {
  switch (f) {
    case run_format::round_robin: return "round-robin";
    case run_format::gauntlet: return "gauntlet";
  }
  return "";
}

std::optional<run_format> run_format_of(std::string_view text) {
  for (const auto each : {run_format::round_robin, run_format::gauntlet})
    if (text == to_string(each)) return each;
  return std::nullopt;
}

std::string_view to_string(run_state s) {
  switch (s) {
    case run_state::active: return "active";
    case run_state::done: return "done";
    case run_state::cancelled: return "cancelled";
  }
  return "";
}

namespace {

using seats = std::array<bot_id, 2>;

// The circle method: one position is fixed, the others rotate. An odd number of bots gets an empty
// one.
std::vector<seats> one_of_each(const std::vector<bot_id>& bots) {
  auto circle = bots;
  if (circle.size() % 2 != 0) circle.emplace_back();
  std::vector<seats> all;
  for (std::size_t round = 1; round < circle.size(); ++round) {
    for (std::size_t i = 0; i < circle.size() / 2; ++i) {
      const auto a = circle[i], b = circle[circle.size() - 1 - i];
      // Seats alternate, so that no bot has the same seat in all its first games.
      if (a && b) all.push_back((round + i) % 2 == 0 ? seats{a, b} : seats{b, a});
    }
    std::rotate(circle.begin() + 1, circle.end() - 1, circle.end());
  }
  return all;
}

std::vector<seats> first_against_each(const std::vector<bot_id>& bots) {
  std::vector<seats> all;
  for (std::size_t i = 1; i < bots.size(); ++i)
    all.push_back(i % 2 == 0 ? seats{bots[i], bots[0]} : seats{bots[0], bots[i]});
  return all;
}

}  // namespace

std::vector<seats> plan(const tournament& r) {
  auto each = r.format == run_format::gauntlet ? first_against_each(r.bots) : one_of_each(r.bots);
  std::vector<seats> all;
  for (std::uint32_t n = 0; n < r.games; ++n) {
    all.insert(all.end(), each.begin(), each.end());
    for (auto& bots : each) std::swap(bots[0], bots[1]);
  }
  return all;
}

void tournament_table::load(std::vector<tournament> all,
                            const std::vector<scheduled_match>& fixtures) {
  for (auto& each : all) {
    last_ = std::max(last_, each.id.value);
    runs_[each.id].run = std::move(each);
  }
  for (const auto& f : fixtures) {
    const auto found = runs_.find(f.run);
    if (found == runs_.end()) continue;
    ++found->second.games;
    if (f.state == match_state::ended) add_result(found->second, f);
  }
}

std::vector<run_id> tournament_table::add(tournament& r, std::uint64_t games) {
  std::vector<run_id> dropped;
  for (auto at = runs_.begin(); at != runs_.end() && runs_.size() >= runs_kept;) {
    if (at->second.run.state == run_state::active) {
      ++at;
      continue;
    }
    dropped.push_back(at->first);
    at = runs_.erase(at);
  }
  r.id = run_id{++last_};
  auto& e = runs_[r.id];
  e.run = r;
  e.games = games;
  return dropped;
}

void tournament_table::add_result(entry& e, const scheduled_match& f) {
  ++e.ended;
  if (!f.got) {
    ++e.without_result;
    return;
  }
  auto& t = e.by_seats[f.bots];
  const auto winner = f.got->winner;
  ++(!winner ? t.draws : *winner == 0 ? t.wins : t.losses);
  if (winner) ++e.lost_by[f.bots.at(*winner == 0 ? 1 : 0)].at(static_cast<std::size_t>(f.got->how));
}

const tournament* tournament_table::count(const scheduled_match& f) {
  const auto found = runs_.find(f.run);
  if (found == runs_.end()) return nullptr;
  auto& e = found->second;
  add_result(e, f);
  if (e.ended < e.games || e.run.state != run_state::active) return nullptr;
  e.run.state = run_state::done;
  return &e.run;
}

const tournament* tournament_table::cancel(run_id id, std::uint64_t withdrawn) {
  const auto found = runs_.find(id);
  if (found == runs_.end() || found->second.run.state != run_state::active) return nullptr;
  found->second.games -= withdrawn;
  found->second.run.state = run_state::cancelled;
  return &found->second.run;
}

std::size_t tournament_table::active_count() const {
  return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [](const auto& each) {
    return each.second.run.state == run_state::active;
  }));
}

std::vector<tournament> tournament_table::all() const {
  std::vector<tournament> out;
  for (const auto& [id, e] : runs_) out.push_back(e.run);
  return out;
}

const tournament* tournament_table::find(run_id id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : &found->second.run;
}

std::optional<standings> tournament_table::standings_of(run_id id) const {
  const auto found = runs_.find(id);
  if (found == runs_.end()) return std::nullopt;
  const auto& e = found->second;
  standings out{e.run, e.games, e.ended, e.without_result, {}, {}};
  std::map<bot_id, std::size_t> place;
  for (const auto who : e.run.bots) {
    place[who] = out.table.size();
    auto& s = out.table.emplace_back();
    s.who = who;
    if (const auto lost = e.lost_by.find(who); lost != e.lost_by.end()) s.lost_by = lost->second;
  }
  std::map<seats, head_to_head> met;
  for (const auto& [bots, t] : e.by_seats) {
    auto& x = out.table.at(place.at(bots[0]));
    auto& o = out.table.at(place.at(bots[1]));
    const auto games = t.wins + t.draws + t.losses;
    for (auto* each : {&x, &o}) {
      each->games += games;
      each->draws += t.draws;
    }
    x.wins += t.wins;
    x.losses += t.losses;
    o.wins += t.losses;
    o.losses += t.wins;
    const auto in_order = place.at(bots[0]) < place.at(bots[1]);
    auto& h = met[in_order ? bots : seats{bots[1], bots[0]}];
    h.bots = in_order ? bots : seats{bots[1], bots[0]};
    h.wins += in_order ? t.wins : t.losses;
    h.losses += in_order ? t.losses : t.wins;
    h.draws += t.draws;
  }
  std::vector<pair_score> scores;
  for (const auto& [bots, h] : met) {
    out.met.push_back(h);
    scores.push_back({place.at(bots[0]), place.at(bots[1]),
                      static_cast<double>(h.wins + h.draws + h.losses),
                      static_cast<double>(h.wins) + static_cast<double>(h.draws) / 2});
  }
  const auto strengths = estimate(out.table.size(), scores);
  for (std::size_t i = 0; i < strengths.size(); ++i) out.table[i].elo = strengths[i];
  std::stable_sort(out.table.begin(), out.table.end(),
                   [](const standing& a, const standing& b) { return a.elo.value > b.elo.value; });
  return out;
}

}  // namespace gamehub::league
