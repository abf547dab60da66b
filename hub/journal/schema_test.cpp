#include "hub/journal/schema.hpp"

#include "hub/journal/archive.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

// A file as a hub of that schema left it: with ended games, logs that were kept, and batches.
void write_version(int version, const std::filesystem::path& file) {
  ears heard;
  auto tuning = quick();
  tuning.redo_bytes_max = 1;
  {
    const auto log = opened(file, tuning);
    for (std::uint64_t id = 1; id <= 3; ++id) log->open(header(id));
    for (record_number n = 1; n <= 4; ++n) {
      for (std::uint64_t id = 1; id <= 3; ++id) append(*log, id, n, n, heard);
      log->flush();
      REQUIRE(heard.wait(game_id{3}, n));
    }
    end(*log, 2, 5, heard);
  }
  sqlite::database db{file, sqlite::mode::write, patience};
  REQUIRE(db.number("SELECT count(*) FROM kept") > 0);
  if (version == 4)
    db.run(
        "ALTER TABLE asleep DROP COLUMN to_move; DROP TABLE asleep_keys;"
        "CREATE TABLE asleep_keys (hash INTEGER NOT NULL,"
        " due INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (hash, due, game)) WITHOUT"
        " ROWID; INSERT INTO asleep_keys VALUES (1, 2, 3), (1, 3, 4)");
  if (version < 4) db.run("DROP TABLE asleep; DROP TABLE asleep_keys; DROP TABLE pauses");
  if (version == 1) db.run("ALTER TABLE kept DROP COLUMN why; DROP TABLE suspicions");
  db.run(("PRAGMA user_version=" + std::to_string(version)).c_str());
}

}  // namespace

TEST_CASE("schema: an older file is migrated without loss") {
  const auto version = GENERATE(range(1, schema_newest));
  const folder here;
  write_version(version, here / "j.db");
  {
    const auto old = open_archive(here / "j.db", access::read);
    CHECK(old->totals().schema == version);
    std::size_t games = 0;
    old->for_each({}, [&](archived_game& g) {
      ++games;
      return in_order(g.header.id.value, g.records);
    });
    CHECK(games == 3);
  }
  {
    const auto log = opened(here / "j.db");
    CHECK(open_ids(*log) == std::vector<std::uint64_t>{1, 3});
    CHECK(in_order(1, log->read(game_id{1}, 0)));
    CHECK(log->read(game_id{1}, 0).size() == 4);
    CHECK(log->read(game_id{2}, 0).size() == 5);
    log->quarantine(game_id{1}, "a test");
  }
  CHECK(open_archive(here / "j.db", access::read)->totals().schema == schema_newest);
}

TEST_CASE("schema: step by step leads to the same tables as a new file has") {
  const folder here;
  const auto tables = [](sqlite::database& db) {
    return db.text(
        "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)");
  };
  sqlite::database at_once{here / "a.db", sqlite::mode::create, patience};
  sqlite::database by_steps{here / "b.db", sqlite::mode::create, patience};
  migrate(at_once, 0);
  for (int version = 0; version < schema_newest; ++version) migrate(by_steps, version, version + 1);
  CHECK(tables(at_once) == tables(by_steps));
  CHECK(schema_of(by_steps, here / "b.db") == schema_newest);
}

TEST_CASE("schema: a newer file and another program's are refused with the remedy") {
  const folder here;
  {
    sqlite::database newer{here / "newer.db", sqlite::mode::create, patience};
    migrate(newer, 0);
    newer.run("PRAGMA user_version=7");
    sqlite::database other{here / "other.db", sqlite::mode::create, patience};
    other.run("CREATE TABLE recipes (id INTEGER)");
  }
  const auto why_refused = [&](const char* name) -> std::string {
    try {
      open_sqlite_journal(settings(here / name), {});
    } catch (const unusable_file& e) {
      return e.what();
    }
    return "";
  };
  CHECK_THAT(why_refused("newer.db"), Catch::Matchers::Contains("schema 7, this one knows 5"));
  CHECK_THAT(why_refused("other.db"), Catch::Matchers::Contains("another program"));
  CHECK_THROWS_AS(open_archive(here / "newer.db", access::read), unusable_file);
}
