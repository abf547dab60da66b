#include "hub/arena/file_tables.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::arena {
namespace {

namespace sqlite = journal::sqlite;

// How SQLite knows whose file it is: "gmha".
constexpr std::int64_t application = 0x676d6861;

// What leads from each version of the tables to the next.
constexpr std::array steps{
    "CREATE TABLE tokens (digest TEXT PRIMARY KEY, owner TEXT NOT NULL, made INTEGER NOT NULL,"
    " revoked INTEGER) WITHOUT ROWID;"
    "CREATE TABLE bots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,"
    " registration INTEGER NOT NULL, registered INTEGER NOT NULL, state INTEGER NOT NULL,"
    " version TEXT NOT NULL, engine TEXT NOT NULL, endpoint TEXT NOT NULL, language TEXT NOT NULL,"
    " website TEXT NOT NULL, description TEXT NOT NULL, secret TEXT NOT NULL);"
    "CREATE TABLE failures (id INTEGER PRIMARY KEY, bot INTEGER NOT NULL, at INTEGER NOT NULL,"
    " code INTEGER NOT NULL, text TEXT NOT NULL, game INTEGER NOT NULL);"
    "CREATE INDEX failures_by_bot ON failures (bot);"
    // Seats are x and o; winner is -1 for a draw, and null where there is no result.
    "CREATE TABLE fixtures (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, engine TEXT NOT NULL,"
    " x INTEGER NOT NULL, o INTEGER NOT NULL, x_version TEXT NOT NULL, o_version TEXT NOT NULL,"
    " state INTEGER NOT NULL, game INTEGER NOT NULL, openings INTEGER NOT NULL,"
    " at INTEGER NOT NULL, winner INTEGER, how INTEGER);"
    "CREATE INDEX fixtures_by_state ON fixtures (state, at);"
    "CREATE INDEX fixtures_by_run ON fixtures (run) WHERE run <> 0;"
    "CREATE TABLE ratings (engine TEXT NOT NULL, bot INTEGER NOT NULL, rating REAL NOT NULL,"
    " deviation REAL NOT NULL, volatility REAL NOT NULL, games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL, at INTEGER NOT NULL,"
    " PRIMARY KEY (engine, bot)) WITHOUT ROWID;"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, engine TEXT NOT NULL, format INTEGER NOT NULL,"
    " games INTEGER NOT NULL, bots TEXT NOT NULL, patience INTEGER NOT NULL,"
    " state INTEGER NOT NULL, made INTEGER NOT NULL);"};
constexpr auto newest = static_cast<std::int64_t>(steps.size());

}  // namespace

void make_tables(sqlite::database& db, const std::filesystem::path& path, bool may_change) {
  const auto name = "The arena " + path.string();
  const auto version = db.number("PRAGMA user_version");
  const auto owner = db.number("PRAGMA application_id");
  if (owner != application && (owner != 0 || db.number("SELECT count(*) FROM sqlite_schema") != 0))
    throw journal::unusable_file{name + " is the database of another program: name another file."};
  if (version > newest)
    throw journal::unusable_file{
        name + " was written by a newer gamehub: use that one, or name another file."};
  if (version == newest) return;
  if (!may_change)
    throw journal::unusable_file{
        name + " is empty or was written by an older gamehub: let a hub open it first."};
  db.run("BEGIN IMMEDIATE");
  // Another program may have been faster.
  for (auto at = db.number("PRAGMA user_version"); at < newest; ++at)
    db.run(steps.at(static_cast<std::size_t>(at)));
  db.run(("PRAGMA user_version=" + std::to_string(newest)).c_str());
  db.run(("PRAGMA application_id=" + std::to_string(application)).c_str());
  db.run("COMMIT");
}

}  // namespace gamehub::arena
