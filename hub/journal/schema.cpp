#include "hub/journal/schema.hpp"

#include <array>
#include <string>

#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::journal {

namespace {

// How SQLite knows whose file it is: "gmhb".
constexpr std::int64_t application = 0x676d6862;

// What leads from each version to the next.
constexpr std::array<const char*, schema_newest> steps{
    // Ended games lie in the order of their ends, so that the oldest are at one end of the table
    // and the newest fill its pages one after another.
    "CREATE TABLE games (seq INTEGER PRIMARY KEY, id INTEGER NOT NULL, ended INTEGER NOT NULL,"
    " records INTEGER NOT NULL, sum INTEGER NOT NULL, log BLOB NOT NULL);"
    "CREATE UNIQUE INDEX games_by_id ON games (id);"
    // Whole logs, so far, of games that have not ended.
    "CREATE TABLE kept (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, sum INTEGER NOT NULL,"
    " log BLOB NOT NULL);"
    // What else open games did. The latest row is never deleted: it has the greatest numbers.
    "CREATE TABLE batches (id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " last_game INTEGER NOT NULL, last_player INTEGER NOT NULL, sum INTEGER NOT NULL,"
    " bytes BLOB NOT NULL);",

    // Quarantine.
    "ALTER TABLE kept ADD COLUMN why TEXT;"
    "CREATE TABLE suspicions (game INTEGER PRIMARY KEY, count INTEGER NOT NULL,"
    " announced INTEGER NOT NULL);",

    // Records of what was said and of leaving, which hubs before it can't read.
    "",
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
      // Another thread moves pages to the file, so that no commit waits for that.
      "PRAGMA wal_autocheckpoint=0;"
      // After a long reader the write-ahead log shrinks to what it usually is: writing over a file
      // disturbs commits less than making it longer.
      "PRAGMA journal_size_limit=268435456;"
      // Pages to write stay in memory until the commit; the index of games must find room, too.
      "PRAGMA cache_size=-16384;"
      "PRAGMA temp_store=MEMORY;"
      // Debian's SQLite fills what it frees with zeros, which costs a write for every page.
      "PRAGMA secure_delete=FAST;");
  db.run(fsync_each_commit ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  if (db.text("PRAGMA journal_mode") != "wal")
    throw unusable_file{
        "The journal's folder can't hold SQLite's write-ahead log (a network file system?): name a "
        "file on a local one."};
}

}  // namespace gamehub::journal
