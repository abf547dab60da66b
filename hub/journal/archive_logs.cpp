#include "hub/journal/archive_logs.hpp"

#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::journal {

namespace {

// Parses a log into `g`, and sets its damage unless that is set already.
void read_log(game_id id, std::string_view log, record_number count, archived_game& g) {
  g.records.clear();
  auto header = take_header(log);
  if (!header || header->id != id) {
    g.header = {};
    g.header.id = id;
    if (!g.damage) g.damage = "its beginning can't be read";
    return;
  }
  g.header = std::move(*header);
  while (g.records.size() < count) {
    auto r = take_record(log, g.records.size() + 1);
    if (!r) {
      if (!g.damage || g.records.size() + 1 < count)
        g.damage = "record " + std::to_string(g.records.size() + 1) + " can't be read";
      return;
    }
    g.records.push_back(std::move(*r));
  }
  if (!log.empty() && !g.damage) g.damage = "there is more in it than its records";
}

// Returns true for the seat of a player that still has a name. Names of engine opponents stay.
bool has_name(const record& r) {
  return r.what == record::kind::joined && r.action != 0 && !(r.text.empty() && r.secret.empty());
}

// Removes the name and the digest from one record, and the other names and the text of later chat
// at that seat. Returns true if the record changed.
bool strip(record& r, const record_predicate& matches, seat_set& seats) {
  if (has_name(r) && (holds(seats, r.seat) || matches(r)))
    seats |= only(r.seat);
  else if (r.what != record::kind::said || !holds(seats, r.seat) || r.text.empty())
    return false;
  r.text.clear();
  r.secret.clear();
  return true;
}

// Appends `count` records from the front of `bytes` to `out` without the removed texts. Returns
// true if a record changed; otherwise, and for damaged bytes, `out` must not be used.
bool without(std::string_view bytes, record_number first, record_number count,
             const record_predicate& matches, seat_set& seats, std::string& out) {
  bool changed = false;
  for (record_number n = first; n < first + count; ++n) {
    auto r = take_record(bytes, n);
    if (!r) return false;
    changed |= strip(*r, matches, seats);
    append_encoded(*r, out);
  }
  return changed;
}

}  // namespace

std::string_view to_string(game_state s) {
  switch (s) {
    case game_state::open: return "open";
    case game_state::ended: return "ended";
    case game_state::quarantined: return "quarantined";
  }
  return "";
}

archived_game open_game_of(game_id id, const open_log& log,
                           const std::optional<std::string>& damage_of_batches) {
  archived_game g;
  g.state = log.quarantined ? game_state::quarantined : game_state::open;
  g.note = log.quarantined.value_or("");
  g.damage = log.damage;
  if (!log.quarantined && !g.damage && damage_of_batches)
    g.damage = *damage_of_batches + ": records may be missing";
  read_log(id, log.bytes, log.records, g);
  return g;
}

void read_ended_game(const ended_row& row, archived_game& g) {
  g.state = game_state::ended;
  g.damage.reset();
  if (sum_of_ended(row.id, row.ended, row.records, row.log) != row.sum)
    g.damage = "its log does not agree with its sum";
  read_log(row.id, row.log, row.records, g);
}

archive_totals::by_engine& archive_counter::engine(std::string_view log) {
  const auto header = take_header(log).value_or(game_header{});
  return engines_[{header.engine, header.engine_version}];
}

void archive_counter::add_ended(base::wall_time ended, record_number records,
                                std::string_view log) {
  if (totals_.games++ == 0) totals_.oldest = totals_.newest = ended;
  totals_.oldest = std::min(totals_.oldest, ended);
  totals_.newest = std::max(totals_.newest, ended);
  totals_.records += records;
  ++engine(log).ended;
}

void archive_counter::add_open(const open_log& log) {
  ++totals_.games;
  totals_.records += log.records;
  auto& e = engine(log.bytes);
  ++(log.quarantined ? e.quarantined : e.open);
}

void archive_counter::finish() {
  for (auto& [name, counts] : engines_) {
    std::tie(counts.engine, counts.version) = name;
    totals_.engines.push_back(std::move(counts));
  }
}

bool holds_any(std::string_view log, record_number records, const record_predicate& matches) {
  for (const auto& r : records_of(log, records, 0))
    if (has_name(r) && matches(r)) return true;
  return false;
}

bool log_without(std::string_view log, record_number records, const record_predicate& matches,
                 std::string& out) {
  const auto whole = log;
  // The seat of a player who had that name later has earlier names of it, too.
  seat_set seats = 0;
  for (const auto& r : records_of(log, records, 0))
    if (has_name(r) && matches(r)) seats |= only(r.seat);
  if (!take_header(log)) return false;
  out.assign(whole.substr(0, whole.size() - log.size()));
  return without(log, 1, records, matches, seats, out);
}

bool batch_without(std::string_view bytes, const open_game_recovery& logs,
                   const record_predicate& matches, std::unordered_map<game_id, seat_set>& seats,
                   std::string& out) {
  bool changed = false;
  while (!bytes.empty()) {
    auto e = take_entry(bytes);
    if (!e) return false;
    std::string records;
    const auto at = logs.games.find(e->game);
    const auto open = at != logs.games.end() && !at->second.quarantined;
    if (!open && e->what == batch_entry::kind::records &&
        without(e->bytes, e->first, e->count, matches, seats[e->game], records)) {
      e->bytes = records;
      changed = true;
    }
    append_entry(*e, out);
  }
  return changed;
}

}  // namespace gamehub::journal
