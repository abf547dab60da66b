#include "hub/journal/sleeper_rows.hpp"

#include "hub/journal/recovery.hpp"
#include "hub/journal/sqlite_reader.hpp"

#include <cstring>

namespace gamehub::journal {

namespace {

std::int64_t ms_of(base::wall_time at) { return at.time_since_epoch().count(); }

std::string hashes_of(const std::vector<std::string>& keys) {
  std::string all;
  for (const auto& key : keys) {
    const auto hash = log_reader::hash_of(key);
    all.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  return all;
}

}  // namespace

sleeper_rows::sleeper_rows(sqlite::database& db)
    : find_(db.prepare("SELECT keys FROM asleep WHERE id = ?")),
      add_(db.prepare("INSERT INTO asleep (id, due, since, listed, keys, records, sum, log,"
                      " to_move) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      // What is listed does not change; an index that is not named is not written.
      change_(
          db.prepare("UPDATE asleep SET due = ?2, since = ?3, keys = ?5, records = ?6, sum = ?7,"
                     " log = ?8, to_move = ?9 WHERE id = ?1")),
      drop_(db.prepare("DELETE FROM asleep WHERE id = ?")),
      add_key_(db.prepare("INSERT OR IGNORE INTO asleep_keys (hash, game) VALUES (?, ?)")),
      drop_key_(db.prepare("DELETE FROM asleep_keys WHERE hash = ? AND game = ?")) {}

void sleeper_rows::add(const log_batch::sleeping& s) {
  if (s.was_filed) return change(s);
  for_each_key(add_game(s), s.id, [this](const key& k) { add_key(k); });
}

namespace {

void bind_row(sqlite::statement& to, const log_batch::sleeping& s, std::string_view hashes) {
  to.bind(1, s.id.value);
  to.bind(2, ms_of(s.entry->due));
  to.bind(3, ms_of(s.entry->since));
  to.bind_blob(5, hashes);
  to.bind(6, s.records);
  to.bind(7, checksum_of_retained(s.id, s.records, s.log));
  to.bind_blob(8, s.log);
  to.bind(9, static_cast<std::uint64_t>(s.entry->to_move));
}

}  // namespace

std::string sleeper_rows::add_game(const log_batch::sleeping& s) {
  auto hashes = hashes_of(s.entry->keys);
  bind_row(add_, s, hashes);
  s.entry->listed.empty() ? add_.bind_null(4) : add_.bind_text(4, s.entry->listed);
  add_.run();
  return hashes;
}

void sleeper_rows::change(const log_batch::sleeping& s) {
  const auto hashes = hashes_of(s.entry->keys);
  if (const auto were = keys_of(s.id); were && *were != hashes) {
    for_each_key(*were, s.id, [this](const key& k) { drop_key(k); });
    for_each_key(hashes, s.id, [this](const key& k) { add_key(k); });
  }
  bind_row(change_, s, hashes);
  change_.run();
}

std::optional<std::string> sleeper_rows::keys_of(game_id id) {
  find_.bind(1, id.value);
  sqlite::rows one{find_};
  return one.next() ? std::optional<std::string>{find_.blob(0)} : std::nullopt;
}

void sleeper_rows::add_key(const key& k) {
  add_key_.bind(1, k.hash);
  add_key_.bind(2, k.game);
  add_key_.run();
}

void sleeper_rows::drop_key(const key& k) {
  drop_key_.bind(1, k.hash);
  drop_key_.bind(2, k.game);
  drop_key_.run();
}

void sleeper_rows::remove(game_id id) {
  const auto hashes = keys_of(id);
  if (!hashes) return;
  for_each_key(*hashes, id, [this](const key& k) { drop_key(k); });
  drop_.bind(1, id.value);
  drop_.run();
}

std::int64_t sleeper_rows::hash_at(const std::string& hashes, std::size_t at) {
  std::int64_t hash = 0;
  std::memcpy(&hash, hashes.data() + at, sizeof hash);
  return hash;
}

}  // namespace gamehub::journal
