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
    : find_(db.prepare("SELECT due, keys FROM asleep WHERE id = ?")),
      add_(db.prepare("INSERT INTO asleep (id, due, since, listed, keys, records, sum, log)"
                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")),
      drop_(db.prepare("DELETE FROM asleep WHERE id = ?")),
      add_key_(db.prepare("INSERT OR IGNORE INTO asleep_keys (hash, due, game) VALUES (?, ?, ?)")),
      drop_key_(db.prepare("DELETE FROM asleep_keys WHERE hash = ? AND due = ? AND game = ?")) {}

void sleeper_rows::add(const log_batch::sleeping& s) {
  for_each_key(add_game(s), ms_of(s.entry->due), s.id, [this](const key& k) { add_key(k); });
}

std::string sleeper_rows::add_game(const log_batch::sleeping& s) {
  auto hashes = hashes_of(s.entry->keys);
  add_.bind(1, s.id.value);
  add_.bind(2, ms_of(s.entry->due));
  add_.bind(3, ms_of(s.entry->since));
  s.entry->listed.empty() ? add_.bind_null(4) : add_.bind_text(4, s.entry->listed);
  add_.bind_blob(5, hashes);
  add_.bind(6, s.records);
  add_.bind(7, checksum_of_retained(s.id, s.records, s.log));
  add_.bind_blob(8, s.log);
  add_.run();
  return hashes;
}

void sleeper_rows::add_key(const key& k) {
  add_key_.bind(1, k.hash);
  add_key_.bind(2, k.due);
  add_key_.bind(3, k.game);
  add_key_.run();
}

void sleeper_rows::remove(game_id id) {
  std::int64_t due = 0;
  std::string hashes;
  find_.bind(1, id.value);
  {
    sqlite::rows one{find_};
    if (!one.next()) return;
    due = find_.number(0);
    hashes = find_.blob(1);
  }
  for_each_key(hashes, due, id, [this](const key& k) {
    drop_key_.bind(1, k.hash);
    drop_key_.bind(2, k.due);
    drop_key_.bind(3, k.game);
    drop_key_.run();
  });
  drop_.bind(1, id.value);
  drop_.run();
}

std::int64_t sleeper_rows::hash_at(const std::string& hashes, std::size_t at) {
  std::int64_t hash = 0;
  std::memcpy(&hash, hashes.data() + at, sizeof hash);
  return hash;
}

}  // namespace gamehub::journal
