#include "tests/simulation/durable_log.hpp"

#include "hub/core/limits.hpp"
#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"
#include "hub/journal/recovery.hpp"

#include <algorithm>

namespace gamehub::tests {

using journal::batch_entry;
using journal::record;

namespace {

[[noreturn]] void fail(const std::string& what, game_id id) {
  throw violation{what + " (game " + std::to_string(id.value) + ")"};
}

}  // namespace

void durable_log::read_new() {
  db_.look_at_standby([this](const fake_database::state& s) {
    for (const auto& [id, m] : s.members) {
      auto& last = read_[id];
      for (auto at = m.batches.upper_bound(last); at != m.batches.end(); ++at) {
        if (adopted_.contains(id))
          throw violation{"member " + std::to_string(id.value) + " appends after its adoption"};
        if (at->first != last + 1) throw violation{"a batch is missing"};
        last = at->first;
        read_batch(at->second.entries);
      }
      for (const auto& [game, k] : m.kept) {
        auto& seen = kept_[{id, game}];
        if (seen != k.records) read_whole(game, k.log, k.records);
        seen = k.records;
        if (k.quarantined && quarantined_.insert(game).second) check_quarantine(game);
      }
      note_announcements(id, m.announced);
    }
    for (; ended_ < s.games.size(); ++ended_) {
      const auto& [id, g] = s.games[ended_];
      if (games_[id].ended) fail("a game ends twice", id);
      read_whole(id, g.log, g.records);
      games_[id].ended = true;
    }
    note_adoptions(s);
  });
}

std::vector<game_id> durable_log::open_games() const {
  std::vector<game_id> found;
  for (const auto& [id, g] : games_)
    if (!g.ended && !is_quarantined(id)) found.push_back(id);
  return found;
}

void durable_log::read_batch(std::string_view entries) {
  while (!entries.empty()) {
    const auto e = journal::take_entry(entries);
    if (!e) throw violation{"a batch can't be read"};
    if (e->what == batch_entry::kind::header) begin(e->game, e->bytes);
    if (e->what == batch_entry::kind::records) add(e->game, e->bytes, e->first, e->count);
  }
}

void durable_log::begin(game_id id, std::string_view header) {
  auto& g = games_[id];
  if (!g.log.empty()) fail("a game is opened twice, or its id was given twice", id);
  g.log = header;
  auto rest = header;
  const auto h = journal::take_header(rest);
  if (!h || h->id != id) fail("a header is damaged", id);
  log_.open(*h);
}

void durable_log::add(game_id id, std::string_view bytes, journal::record_number first,
                      journal::record_number count) {
  auto& g = games_[id];
  if (g.ended || is_quarantined(id)) fail("a record after the end of the log", id);
  if (first != g.records + 1)
    fail("record " + std::to_string(first) + " is appended after record " +
             std::to_string(g.records),
         id);
  g.log.append(bytes);
  const auto added = journal::records_of(g.log, g.records + count, g.records);
  if (added.size() != count) fail("records are damaged", id);
  g.records += count;
  for (const auto& r : added) {
    if (r.what != record::kind::joined || r.action == 0 || r.secret.empty()) continue;
    const player_id who{static_cast<std::uint64_t>(r.action)};
    if (secrets_.emplace(who, r.secret).first->second != r.secret)
      fail("the id of a player was given twice", id);
  }
  log_.append(id, added, nobody_);
}

// A complete log must continue what is known.
void durable_log::read_whole(game_id id, std::string_view log, journal::record_number records) {
  auto& g = games_[id];
  const auto same = std::min(g.log.size(), log.size());
  if (log.substr(0, same) != std::string_view{g.log}.substr(0, same))
    fail("a record has two values", id);
  if (records <= g.records) return;
  if (g.log.empty()) {
    auto rest = log;
    if (!journal::take_header(rest)) fail("a header is damaged", id);
    begin(id, log.substr(0, log.size() - rest.size()));
  }
  add(id, log.substr(g.log.size()), g.records + 1, records - g.records);
}

void durable_log::note_announcements(journal::member_id by, const std::set<game_id>& games) {
  std::erase_if(announced_, [&](const auto& each) {
    return each.first.first == by && !games.contains(each.first.second);
  });
  for (const auto game : games) announced_.try_emplace({by, game}, games_[game].records);
}

// Once it has moved, the announcement is withdrawn.
bool durable_log::was_moving(journal::member_id who, game_id id) const {
  const auto at = announced_.find({who, id});
  if (at == announced_.end()) return false;
  const auto since = log_.read(id, at->second);
  return std::none_of(since.begin(), since.end(),
                      [](const record& r) { return r.what == record::kind::moved; });
}

void durable_log::note_adoptions(const fake_database::state& s) {
  for (const auto& [id, m] : s.members) {
    if (!m.adopted_by || !adopted_.insert(id).second) continue;
    if (!m.needs.empty()) continue;  // no hub has died
    const auto replays =
        std::any_of(s.members.begin(), s.members.end(), [&, of = id](const auto& each) {
          return each.second.adopted_by == of && !each.second.released;
        });
    for (const auto& [game, g] : games_)
      if (!g.ended && (replays || was_moving(id, game))) ++deaths_[game];
  }
}

// No engine of a simulation crashes: only hubs that died twice explain it.
void durable_log::check_quarantine(game_id id) const {
  const auto at = deaths_.find(id);
  if (at == deaths_.end() || at->second < limits::replay_suspicions_max)
    fail("an innocent game is in quarantine", id);
}

}  // namespace gamehub::tests
