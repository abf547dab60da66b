// Open games whose logs are in the file and not in memory.
#include "hub/journal/sqlite_writer.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <memory>
#include <stdexcept>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

constexpr std::uint64_t games_here = 8;

// Waits until all is written.
void sync(journal::journal& log) {
  const std::array none{game_id{1'000'000}};
  log.announce_replay(none);
}

// Games 1 to games_here, with four records each, are open.
std::unique_ptr<sqlite_writer> with_games(const std::filesystem::path& file, ears& heard) {
  auto tuning = quick();
  tuning.kept_per_transaction_max = 3;
  auto log = opened(file, tuning);
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    log->open(header(id));
    append(*log, id, 1, 4, heard);
  }
  sync(*log);
  return log;
}

void store_all(journal::journal& log) {
  for (std::uint64_t id = 1; id <= games_here; ++id) CHECK(log.store_away(game_id{id}));
  for (std::uint64_t n = 0; n < games_here; ++n) sync(log);
}

std::int64_t number_in(const std::filesystem::path& file, const char* question) {
  sqlite::database db{file, sqlite::mode::read, patience};
  return db.number(question);
}

void change(const std::filesystem::path& file, const char* statement) {
  sqlite::database db{file, sqlite::mode::write, patience};
  db.run(statement);
}

}  // namespace

TEST_CASE("sqlite_writer: a log that is stored away is read from the file, and comes back") {
  const folder here;
  ears heard;
  auto log = with_games(here / "j.db", heard);
  store_all(*log);
  CHECK(log->report().games_away == games_here);
  CHECK(log->report().games_open == games_here);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM kept") == games_here);
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    CHECK(log->read(game_id{id}, 1).size() == 3);
    const auto found = log->find(game_id{id});
    REQUIRE(found);
    CHECK(found->header.engine == "tictactoe");
    CHECK(found->records.size() == 4);
    CHECK(in_order(id, found->records));
  }
  CHECK_THROWS_AS(append(*log, 1, 5, 5, heard), std::logic_error);
  CHECK(log->bring_back(game_id{1}));
  CHECK(log->bring_back(game_id{1}));
  CHECK(log->report().games_away == games_here - 1);
  append(*log, 1, 5, 6, heard);
  CHECK(log->bring_back(game_id{2}));
  end(*log, 2, 5, heard);
  sync(*log);
  CHECK(log->read(game_id{1}, 0).size() == 6);
  log.reset();
  log = opened(here / "j.db");
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{1, 3, 4, 5, 6, 7, 8});
  CHECK(log->read(game_id{1}, 0).size() == 6);
  CHECK(log->read(game_id{3}, 0).size() == 4);
  CHECK(in_order(1, log->read(game_id{1}, 0)));
}

TEST_CASE("sqlite_writer: batches are not kept for games that are stored away") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  const auto first = number_in(here / "j.db", "SELECT min(id) FROM batches");
  store_all(*log);
  for (int n = 0; n < 3; ++n) sync(*log);
  CHECK(number_in(here / "j.db", "SELECT min(id) FROM batches") > first + 1);
}

TEST_CASE("sqlite_writer: a game comes back before its log was written, and is not lost") {
  const folder here;
  ears heard;
  auto log = with_games(here / "j.db", heard);
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    CHECK(log->store_away(game_id{id}));
    CHECK(log->bring_back(game_id{id}));
    append(*log, id, 5, 5, heard);
  }
  for (std::uint64_t n = 0; n < games_here; ++n) sync(*log);
  CHECK(log->report().games_away == 0);
  log.reset();
  log = opened(here / "j.db");
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    CHECK(log->read(game_id{id}, 0).size() == 5);
    CHECK_FALSE(log->is_stored(game_id{id}));
  }
}

TEST_CASE("sqlite_writer: after a start a log that was stored away leaves memory unwritten") {
  const folder here;
  ears heard;
  store_all(*with_games(here / "j.db", heard));
  const auto log = opened(here / "j.db");
  CHECK(log->open_games().size() == games_here);
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    REQUIRE(log->is_stored(game_id{id}));
    CHECK(log->store_away(game_id{id}));
    CHECK(in_order(id, log->read(game_id{id}, 0)));
  }
  CHECK(log->report().games_away == games_here);
  CHECK(log->report().transactions == 0);
}

TEST_CASE("sqlite_writer: a stored log that can't be read stays where it is") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  store_all(*log);
  change(here / "j.db", "UPDATE kept SET sum = sum + 1 WHERE id = 1");
  CHECK_FALSE(log->find(game_id{1}));
  CHECK(log->read(game_id{1}, 0).empty());
  CHECK_FALSE(log->bring_back(game_id{1}));
  CHECK(log->report().games_away == games_here);
  // Nothing may replace the row.
  log->quarantine(game_id{1}, "a test");
  sync(*log);
  change(here / "j.db", "UPDATE kept SET sum = sum - 1 WHERE id = 1");
  CHECK(log->bring_back(game_id{1}));
  CHECK(in_order(1, log->read(game_id{1}, 0)));
  append(*log, 1, 5, 5, heard);
}
