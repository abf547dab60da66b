#include "hub/journal/schema.hpp"

#include "hub/journal/sqlite_journal.hpp"

#include <array>
#include <string>

namespace gamehub::journal {

namespace {

// The application id in the file's header: "gmhb".
constexpr std::int64_t application = 0x676d6862;

// The statements that migrate each version to the next.
constexpr std::array<const char*, schema_newest> steps{
    // Ended games are in the order of their ends: the oldest are at one end of the table for
    // deletion, and new ones fill its pages in sequence.
    "CREATE TABLE games (seq INTEGER PRIMARY KEY, id INTEGER NOT NULL, ended INTEGER NOT NULL,"
    " records INTEGER NOT NULL, sum INTEGER NOT NULL, log BLOB NOT NULL);"
    "CREATE UNIQUE INDEX games_by_id ON games (id);"
    // Complete logs of games that have not ended.
    "CREATE TABLE kept (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, sum INTEGER NOT NULL,"
    " log BLOB NOT NULL);"
    // Records of open games. The latest row is never deleted: it has the greatest ids.
    "CREATE TABLE batches (id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " last_game INTEGER NOT NULL, last_player INTEGER NOT NULL, sum INTEGER NOT NULL,"
    " bytes BLOB NOT NULL);",

    // Quarantine.
    "ALTER TABLE kept ADD COLUMN why TEXT;"
    "CREATE TABLE suspicions (game INTEGER PRIMARY KEY, count INTEGER NOT NULL,"
    " announced INTEGER NOT NULL);",

    // Record kinds `said` and `left`, which older hubs can't read.
    "",

    // Open games that are not in memory (journal::put_to_sleep). `due` and `since`, when the row
    // was
    // written, are times in ms; `keys` has the hashes of the rows of asleep_keys, 8 bytes each.
    "CREATE TABLE asleep (id INTEGER PRIMARY KEY, due INTEGER NOT NULL, since INTEGER NOT NULL,"
    " listed TEXT, keys BLOB NOT NULL, records INTEGER NOT NULL, sum INTEGER NOT NULL,"
    " log BLOB NOT NULL);"
    "CREATE INDEX asleep_by_due ON asleep (due, id);"
    "CREATE INDEX asleep_listed ON asleep (listed, id) WHERE listed IS NOT NULL;"
    "CREATE TABLE asleep_keys (hash INTEGER NOT NULL, due INTEGER NOT NULL, game INTEGER NOT NULL,"
    " PRIMARY KEY (hash, due, game)) WITHOUT ROWID;"
    // Times in which no hub had the file: games that were asleep then may be due later.
    "CREATE TABLE pauses (began INTEGER NOT NULL, ended INTEGER NOT NULL);",

    // The row of `asleep` stays while a game is awake: batches and `kept` have what is newer, which
    // older hubs can't read. Its keys do not have `due`, which changes with each move.
    "ALTER TABLE asleep_keys RENAME TO asleep_keys_before;"
    "CREATE TABLE asleep_keys (hash INTEGER NOT NULL, game INTEGER NOT NULL,"
    " PRIMARY KEY (hash, game)) WITHOUT ROWID;"
    "INSERT OR IGNORE INTO asleep_keys SELECT hash, game FROM asleep_keys_before;"
    "DROP TABLE asleep_keys_before;"
    // The seats that are to move, in bits; null: not known.
    "ALTER TABLE asleep ADD COLUMN to_move INTEGER;",
};

}  // namespace

int schema_of(sqlite::database& db, const std::filesystem::path& file) {
  const auto version = static_cast<int>(db.number("PRAGMA user_version"));
  const auto owner = db.number("PRAGMA application_id");
  if (owner != application && (owner != 0 || db.number("SELECT count(*) FROM sqlite_schema") != 0))
    throw unusable_file{"The journal " + file.string() +
                        " is the database of another program: name another file."};
  if (version > schema_newest)
    throw unusable_file{"The journal " + file.string() +
                        " was written by a newer gamehub (schema " + std::to_string(version) +
                        ", this one knows " + std::to_string(schema_newest) +
                        "): use that one, or name another file."};
  return owner == application ? version : 0;
}

void migrate(sqlite::database& db, int from, int to) {
  for (auto at = from; at < to; ++at) db.run(steps.at(static_cast<std::size_t>(at)));
  db.run(("PRAGMA user_version=" + std::to_string(to)).c_str());
  db.run(("PRAGMA application_id=" + std::to_string(application)).c_str());
}

void prepare_to_write(sqlite::database& db, bool fsync_each_commit) {
  db.run(
      "PRAGMA journal_mode=WAL;"
      // The checkpointer thread writes pages to the file, so that no commit waits for it.
      "PRAGMA wal_autocheckpoint=0;"
      // After a long reader the write-ahead log shrinks to its usual size (256 MiB). Overwriting a
      // file delays commits less than extending it.
      "PRAGMA journal_size_limit=268435456;"
      // 16 MiB: dirty pages stay in memory until the commit, together with the index of games.
      "PRAGMA cache_size=-16384;"
      "PRAGMA temp_store=MEMORY;"
      // Debian's SQLite overwrites freed pages with zeros by default, one write per page.
      "PRAGMA secure_delete=FAST;");
  db.run(fsync_each_commit ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  if (db.text("PRAGMA journal_mode") != "wal")
    throw unusable_file{
        "The journal's folder can't hold SQLite's write-ahead log (a network file system?): name a "
        "file on a local one."};
}

}  // namespace gamehub::journal
