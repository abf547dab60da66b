#include "hub/cluster/member_watch.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace gamehub::cluster {

bool has_engines_for(const member_row& self, const member_row& other) {
  return self.engines.empty() || std::includes(self.engines.begin(), self.engines.end(),
                                               other.engines.begin(), other.engines.end());
}

bool has_an_engine_for(const member_row& self, const member_row& other) {
  return self.engines.empty() || other.engines.empty() || other.games == 0 ||
         std::any_of(other.engines.begin(), other.engines.end(),
                     [&](const auto& e) { return self.engines.contains(e); });
}

bool waits_for_engine(const member_row& left, std::span<const member_row> all) {
  return std::none_of(all.begin(), all.end(), [&](const member_row& r) {
    return is_here(r) && has_an_engine_for(r, left);
  });
}

member_watch::member_watch(member_id self, const watch_tuning& t) : self_(self), tuning_(t) {}

void member_watch::on_failure() { failed_ = true; }

void member_watch::on_link_broken(member_id other) {
  if (const auto at = members_.find(other); at != members_.end())
    at->second.its_link = link::broken;
}

void member_watch::on_link_up(member_id other) {
  const auto at = members_.find(other);
  if (at == members_.end()) return;
  at->second.its_link = link::unknown;
  // The next read says it again of a member that has left.
  if (!is_silent(at->second)) at->second.dead_since.reset();
}

bool member_watch::is_silent(const seen& s) const {
  return s.silent >=
         (s.its_link == link::unknown ? tuning_.silent_reads : tuning_.silent_reads_without_link);
}

void member_watch::restart_counts() {
  for (auto& [id, s] : members_) {
    s.silent = 0;
    s.dead_since.reset();
  }
  last_counted_.reset();
}

member_watch::decision member_watch::on_rows(base::instant sent, base::instant answered,
                                             std::span<const member_row> rows, bool may_adopt) {
  // If its row is missing, it was adopted long ago.
  const auto self =
      std::find_if(rows.begin(), rows.end(), [this](const auto& r) { return r.id == self_; });
  if (self == rows.end() || self->adopted_by) return {true, std::nullopt};
  // A read that is late says as little as one that failed: this member or the database paused, and
  // so may the others have.
  const auto late = 2 * tuning_.interval;
  if (failed_ || answered - sent > late || (last_answer_ && answered - *last_answer_ > late))
    restart_counts();
  if (failed_) quiet_until_ = answered + tuning_.outage_pause;
  failed_ = false;
  last_answer_ = answered;

  // A timer may be early by a little.
  const auto counts = !last_counted_ || answered - *last_counted_ >= tuning_.interval * 3 / 4;
  if (counts) last_counted_ = answered;
  std::set<member_id> present;
  for (const auto& r : rows) {
    present.insert(r.id);
    if (r.id != self_ && !r.taken) note(r, answered, counts);
  }
  std::erase_if(members_, [&](const auto& m) { return !present.contains(m.first); });
  if (!may_adopt || answered < quiet_until_) return {};
  return {false, choose(answered, rows)};
}

void member_watch::note(const member_row& r, base::instant now, bool counts) {
  const auto [at, is_new] = members_.try_emplace(r.id);
  auto& s = at->second;
  if (is_new || r.beats != s.beats) {
    // The first read after a break may show a beat from before it. A later one shows that the
    // member lives.
    s = {r.beats, 0, std::nullopt, s.its_link == link::broken ? link::missing : link::unknown};
  } else {
    if (counts) ++s.silent;
    if (s.its_link == link::broken) s.its_link = link::missing;
  }
  const auto dead = r.left || is_silent(s);
  if (dead && !s.dead_since) s.dead_since = now;
}

std::optional<member_id> member_watch::choose(base::instant now,
                                              std::span<const member_row> rows) const {
  const auto self =
      std::find_if(rows.begin(), rows.end(), [this](const auto& r) { return r.id == self_; });
  for (const auto& r : rows) {
    if (r.taken) continue;
    // A takeover of this member that did not end, or whose answer was lost: no other one can do it.
    if (r.adopted_by == self_) return r.id;
    if (r.id == self_ || r.adopted_by || !has_an_engine_for(*self, r)) continue;
    const auto& s = members_.at(r.id);
    if (s.dead_since && now - *s.dead_since >= rank(*self, r, rows) * tuning_.rank_delay)
      return r.id;
  }
  return std::nullopt;
}

// Returns how many members that live come before this one: those with all engines of the dead one,
// then those with fewer games.
int member_watch::rank(const member_row& self, const member_row& dead,
                       std::span<const member_row> rows) const {
  const auto order = [&](const member_row& r) {
    return std::tuple{!has_engines_for(r, dead), r.games, r.id};
  };
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), [&](const member_row& r) {
    return r.id != self_ && is_here(r) && !members_.at(r.id).dead_since &&
           has_an_engine_for(r, dead) && order(r) < order(self);
  }));
}

}  // namespace gamehub::cluster
