#include "hub/journal/archive_forget.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hub/journal/encoding.hpp"
#include "hub/journal/sqlite_bytes.hpp"
#include "hub/journal/sqlite_gathering.hpp"
#include "hub/journal/sqlite_redo.hpp"

namespace gamehub::journal {

namespace {

// Games that are looked at between two chances for others.
constexpr std::int64_t piece = 500;

using whose_record = std::function<bool(const record&)>;

// Seat of somebody, and not of the house, whose name says what it is.
bool can_forget(const record& r) {
  return r.what == record::kind::joined && r.action != 0 && !(r.text.empty() && r.secret.empty());
}

// Takes out what is to be forgotten of one record: the name and the secret, and all that is said
// afterwards at such a seat. Whether there was any.
bool strip(record& r, const whose_record& whose, seat_set& seats) {
  if (can_forget(r) && whose(r))
    seats |= only(r.seat);
  else if (r.what != record::kind::said || !holds(seats, r.seat) || r.text.empty())
    return false;
  r.text.clear();
  r.secret.clear();
  return true;
}

bool holds_any(std::string_view log, record_number records, const whose_record& whose) {
  for (const auto& r : records_of(log, records, 0))
    if (can_forget(r) && whose(r)) return true;
  return false;
}

// Takes `count` records from the front of `bytes` and appends them without what is forgotten.
// Whether there was any; `out` is of no use if there was none or if bytes are damaged.
bool without(std::string_view bytes, record_number first, record_number count,
             const whose_record& whose, seat_set& seats, std::string& out) {
  bool changed = false;
  for (record_number n = first; n < first + count; ++n) {
    auto r = take_record(bytes, n);
    if (!r) return false;
    changed |= strip(*r, whose, seats);
    append_encoded(*r, out);
  }
  return changed;
}

bool without(std::string_view log, record_number records, const whose_record& whose,
             std::string& out) {
  const auto whole = log;
  if (!take_header(log)) return false;
  out.assign(whole.substr(0, whole.size() - log.size()));
  seat_set seats = 0;
  return without(log, 1, records, whose, seats, out);
}

struct changed_row {
  std::int64_t key = 0, old_sum = 0, sum = 0;
  std::string log;
};

void write(sqlite::database& db, const char* text, const std::vector<changed_row>& rows) {
  if (rows.empty()) return;
  db.run("BEGIN IMMEDIATE");
  try {
    auto update = db.prepare(text);
    for (const auto& row : rows) {
      update.bind_blob(1, row.log);
      update.bind(2, row.sum);
      update.bind(3, row.key);
      update.bind(4, row.old_sum);
      update.run();
    }
    db.run("COMMIT");
  } catch (...) {
    db.roll_back();
    throw;
  }
}

std::uint64_t in_ended(sqlite::database& db, const whose_record& whose) {
  std::uint64_t games = 0;
  auto select = db.prepare(
      "SELECT seq, id, ended, records, sum, log FROM games WHERE seq > ? ORDER BY seq LIMIT ?");
  for (std::int64_t last = 0;;) {
    const auto before = last;
    std::vector<changed_row> rows;
    select.bind(1, last);
    select.bind(2, piece);
    {
      for (sqlite::rows found{select}; found.next();) {
        last = select.number(0);
        const game_id id{select.natural(1)};
        const wall_time ended{std::chrono::milliseconds{select.number(2)}};
        const auto records = select.natural(3);
        changed_row row{last, select.number(4), 0, {}};
        // Damaged rows stay as they are: a new sum would hide it.
        if (sum_of_ended(id, ended, records, select.blob(5)) != row.old_sum ||
            !without(select.blob(5), records, whose, row.log))
          continue;
        row.sum = sum_of_ended(id, ended, records, row.log);
        rows.push_back(std::move(row));
      }
    }
    if (last == before) return games;
    games += rows.size();
    write(db, "UPDATE games SET log = ?, sum = ? WHERE seq = ? AND sum = ?", rows);
  }
}

std::uint64_t in_quarantined(sqlite::database& db, const redo& logs, const whose_record& whose) {
  std::vector<changed_row> rows;
  for (const auto& [id, log] : logs.games) {
    changed_row row{
        static_cast<std::int64_t>(id.value), sum_of_kept(id, log.records, log.bytes), 0, {}};
    if (!log.quarantined || log.damage || !without(log.bytes, log.records, whose, row.log))
      continue;
    row.sum = sum_of_kept(id, log.records, row.log);
    rows.push_back(std::move(row));
  }
  write(db, "UPDATE kept SET log = ?, sum = ? WHERE id = ? AND sum = ?", rows);
  return rows.size();
}

// Entries of games that are open are what they are rebuilt from; all others wait for deletion.
bool row_without(std::string_view bytes, const redo& logs, const whose_record& whose,
                 std::unordered_map<game_id, seat_set>& seats, std::string& out) {
  bool changed = false;
  while (!bytes.empty()) {
    auto e = take_entry(bytes);
    if (!e) return false;
    std::string records;
    const auto at = logs.games.find(e->game);
    const auto open = at != logs.games.end() && !at->second.quarantined;
    if (!open && e->what == batch_entry::kind::records &&
        without(e->bytes, e->first, e->count, whose, seats[e->game], records)) {
      e->bytes = records;
      changed = true;
    }
    append_entry(*e, out);
  }
  return changed;
}

void in_batches(sqlite::database& db, const redo& logs, const whose_record& whose) {
  // What a game did lies in several batches.
  std::unordered_map<game_id, seat_set> seats;
  auto select =
      db.prepare("SELECT id, at, last_game, last_player, sum, bytes FROM batches WHERE id = ?");
  for (const auto& b : logs.batches) {
    std::vector<changed_row> rows;
    select.bind(1, b.number);
    {
      sqlite::rows found{select};
      if (!found.next()) continue;
      const wall_time at{std::chrono::milliseconds{select.number(1)}};
      const journal::numbers last{game_id{select.natural(2)}, player_id{select.natural(3)}};
      changed_row row{select.number(0), select.number(4), 0, {}};
      if (sum_of_batch(b.number, at, last, select.blob(5)) != row.old_sum ||
          !row_without(select.blob(5), logs, whose, seats, row.log))
        continue;
      row.sum = sum_of_batch(b.number, at, last, row.log);
      rows.push_back(std::move(row));
    }
    write(db, "UPDATE batches SET bytes = ?, sum = ? WHERE id = ? AND sum = ?", rows);
  }
}

}  // namespace

archive::forgotten forget(sqlite::database& db, int schema, const whose_record& whose) {
  // What is replaced is overwritten, not only freed.
  db.run("PRAGMA secure_delete=ON");
  // First which games are open: those that end meanwhile are found among the ended ones, too.
  db.run("BEGIN");
  redo logs;
  try {
    logs = read_redo(db, schema);
  } catch (...) {
    db.roll_back();
    throw;
  }
  db.run("COMMIT");
  archive::forgotten result;
  result.games = in_ended(db, whose) + in_quarantined(db, logs, whose);
  in_batches(db, logs, whose);
  for (const auto& [id, log] : logs.games)
    if (!log.quarantined && holds_any(log.bytes, log.records, whose)) ++result.open;
  db.checkpoint();
  return result;
}

}  // namespace gamehub::journal
