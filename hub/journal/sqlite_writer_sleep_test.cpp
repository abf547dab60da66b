// Open games that are in the file and not in memory.
#include "hub/journal/archive.hpp"
#include "hub/journal/sqlite_writer.hpp"
#include "tests/journal/scene.hpp"
#include "tests/journal/sleepers_in_bulk.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

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

std::int64_t number_in(const std::filesystem::path& file, const char* question) {
  sqlite::database db{file, sqlite::mode::read, patience};
  return db.number(question);
}

void change(const std::filesystem::path& file, const char* statement) {
  sqlite::database db{file, sqlite::mode::write, patience};
  db.run(statement);
}

base::wall_time at_ms(std::int64_t ms) { return base::wall_time{std::chrono::milliseconds{ms}}; }

sleep_entry entry_of(std::uint64_t id) {
  return {game_id{id},
          at_ms(5'000),
          at_ms(10'000 - static_cast<std::int64_t>(id)),
          id % 2 == 0 ? "tictactoe" : "",
          {"nann", "nbob " + std::to_string(id)}};
}

// Puts them to sleep, and waits until all are asleep.
std::vector<std::uint64_t> all_asleep(journal::journal& log, std::uint64_t games = games_here) {
  std::mutex mutex;
  std::vector<std::uint64_t> slept;
  for (std::uint64_t id = 1; id <= games; ++id)
    CHECK(log.put_to_sleep(entry_of(id), [&](game_id g) {
      const std::lock_guard lock{mutex};
      slept.push_back(g.value);
    }));
  for (std::uint64_t n = 0; n < games; ++n) sync(log);
  const std::lock_guard lock{mutex};
  std::sort(slept.begin(), slept.end());
  return slept;
}

std::vector<std::uint64_t> ids_of(const std::vector<game_id>& games) {
  std::vector<std::uint64_t> out;
  for (const auto g : games) out.push_back(g.value);
  return out;
}

}  // namespace

using numbers = std::vector<std::uint64_t>;

TEST_CASE("sqlite_writer: a game that falls asleep is in the file alone, and wakes") {
  const folder here;
  ears heard;
  auto log = with_games(here / "j.db", heard);
  CHECK(all_asleep(*log) == numbers{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(log->asleep() == games_here);
  CHECK(log->report().games_away == games_here);
  CHECK(log->report().games_open == games_here);
  CHECK(log->open_games().empty());
  CHECK_FALSE(log->is_open(game_id{1}));
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM kept") == 0);
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    CHECK(log->read(game_id{id}, 1).size() == 3);
    const auto found = log->find(game_id{id});
    REQUIRE(found);
    CHECK(found->header.engine == "tictactoe");
    CHECK(in_order(id, found->records));
    const auto asleep = log->find_asleep(game_id{id});
    REQUIRE(asleep);
    CHECK(asleep->log.records.size() == 4);
    CHECK(asleep->due == entry_of(id).due);
    CHECK(asleep->pauses.empty());
  }
  CHECK_THROWS_AS(append(*log, 1, 5, 5, heard), std::logic_error);
  CHECK(log->bring_back(game_id{1}));
  CHECK(log->bring_back(game_id{1}));
  CHECK(log->asleep() == games_here - 1);
  CHECK_FALSE(log->find_asleep(game_id{1}));
  append(*log, 1, 5, 6, heard);
  CHECK(log->bring_back(game_id{2}));
  end(*log, 2, 5, heard);
  sync(*log);
  // The row of one that goes on stays.
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep") == games_here - 1);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep_keys") == 2 * (games_here - 1));
  CHECK(log->read(game_id{1}, 0).size() == 6);
  log.reset();
  log = opened(here / "j.db");
  CHECK(open_ids(*log) == numbers{1});
  CHECK(log->asleep() == games_here - 2);
  CHECK(in_order(1, log->read(game_id{1}, 0)));
  CHECK(log->read(game_id{3}, 0).size() == 4);
  CHECK(log->find(game_id{2})->records.back().what == record::kind::ended);
}

TEST_CASE("sqlite_writer: a game that goes on and sleeps again changes its row") {
  const auto redo_bytes_max = GENERATE(std::uint64_t{1}, std::uint64_t{64 << 20});
  const folder here;
  ears heard;
  auto tuning = quick();
  tuning.redo_bytes_max = redo_bytes_max;
  all_asleep(*with_games(here / "j.db", heard));
  auto log = opened(here / "j.db", tuning);
  for (std::uint64_t id = 1; id <= 4; ++id) {
    REQUIRE(log->bring_back(game_id{id}));
    append(*log, id, 5, 5, heard);
    sync(*log);
  }
  CHECK((number_in(here / "j.db", "SELECT count(*) FROM kept") > 0) == (redo_bytes_max == 1));
  // Its keys do not find it while it is awake, and lists by id do.
  CHECK(log->asleep_with("nbob 2", 1).empty());
  CHECK(ids_of(log->asleep_before("", game_id{100}, 100)) == numbers{8, 6, 4, 2});
  log.reset();
  log = opened(here / "j.db", tuning);
  CHECK(open_ids(*log) == numbers{1, 2, 3, 4});
  CHECK(log->asleep() == games_here - 4);
  append(*log, 1, 6, 6, heard);
  end(*log, 2, 6, heard);
  log->quarantine(game_id{3}, "a test");
  auto entry = entry_of(1);
  entry.due = at_ms(70'000);
  entry.keys = {"nann", "ncarl"};
  sync(*log);
  CHECK(log->put_to_sleep(entry, [](game_id) {}));
  CHECK(log->put_to_sleep(entry_of(4), [](game_id) {}));
  sync(*log);
  sync(*log);
  CHECK(log->asleep() == games_here - 2);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep") == games_here - 2);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep_keys") == 2 * (games_here - 2));
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM kept WHERE why IS NULL") == 0);
  CHECK(log->asleep_with("nbob 1", 1).empty());
  CHECK(ids_of(log->asleep_with("ncarl", 1)) == numbers{1});
  log.reset();
  log = opened(here / "j.db", tuning);
  CHECK(open_ids(*log).empty());
  CHECK(log->asleep() == games_here - 2);
  CHECK(in_order(1, log->read(game_id{1}, 0)));
  CHECK(log->read(game_id{1}, 0).size() == 6);
  CHECK(log->find_asleep(game_id{1})->due == at_ms(70'000));
  CHECK(log->read(game_id{4}, 0).size() == 5);
  CHECK(log->find(game_id{2})->records.back().what == record::kind::ended);
}

TEST_CASE("sqlite_writer: a game whose replay ended the program is open at the next start") {
  const folder here;
  ears heard;
  all_asleep(*with_games(here / "j.db", heard));
  {
    const auto log = opened(here / "j.db");
    CHECK(log->bring_back(game_id{2}));
    const auto written = log->report().transactions;
    using announced = journal::journal::announced;
    CHECK(log->announce_move(game_id{2}, heard) == announced::done);
    CHECK(log->bring_back(game_id{3}));
    CHECK(log->announce_move(game_id{3}, heard) == announced::done);
    log->move_survived(game_id{3});
    CHECK(log->announce_move(game_id{4}, heard) == announced::no);
    CHECK(log->report().transactions == written);
  }
  auto log = opened(here / "j.db");
  CHECK(open_ids(*log) == numbers{2});
  CHECK(log->suspicions(game_id{2}) == 1);
  CHECK(log->asleep() == games_here - 1);
  log->replayed(std::array{game_id{2}});
  int slept = 0;
  CHECK(log->put_to_sleep(entry_of(2), [&](game_id) { ++slept; }));
  CHECK(slept == 1);
  log.reset();
  log = opened(here / "j.db");
  CHECK(open_ids(*log).empty());
  CHECK(log->suspicions(game_id{2}) == 0);
}

TEST_CASE(
    "sqlite_writer: a game that goes on is in quarantine if its row is damaged at the start") {
  const folder here;
  ears heard;
  {
    const auto log = with_games(here / "j.db", heard);
    all_asleep(*log);
    CHECK(log->bring_back(game_id{1}));
    append(*log, 1, 5, 5, heard);
  }
  change(here / "j.db", "UPDATE asleep SET sum = sum + 1 WHERE id = 1");
  const auto log = opened(here / "j.db");
  CHECK(open_ids(*log).empty());
  CHECK(log->asleep() == games_here - 1);
  CHECK(log->report().games_quarantined == 1);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep") == games_here - 1);
}

TEST_CASE("sqlite_writer: games that are asleep are found by keys, engine and time") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  all_asleep(*log);
  CHECK(ids_of(log->asleep_with("nbob 3", 10)) == numbers{3});
  // Those that are due first.
  CHECK(ids_of(log->asleep_with("nann", 3)) == numbers{8, 7, 6});
  CHECK(log->asleep_with("ncarl", 3).empty());
  CHECK(log->count_asleep("nann", 3) == 3);
  CHECK(log->count_asleep("nann", 100) == games_here);
  CHECK(log->count_asleep("ncarl", 3) == 0);
  CHECK(ids_of(log->asleep_before("tictactoe", game_id{8}, 2)) == numbers{6, 4});
  CHECK(ids_of(log->asleep_before("", game_id{100}, 100)) == numbers{8, 6, 4, 2});
  CHECK(log->asleep_before("nim", game_id{100}, 100).empty());
  const auto first = log->due_after({base::wall_time::min(), {}}, 2);
  REQUIRE(first.size() == 2);
  CHECK(first[0] == journal::journal::due_game{at_ms(9'992), game_id{8}});
  const auto next = log->due_after(first[1], 100);
  REQUIRE(next.size() == games_here - 2);
  CHECK(next.front().second == game_id{6});
}

TEST_CASE("sqlite_writer: games of a key are counted without those that were brought back") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  all_asleep(*log);
  // The latest rows are those of games that are in memory.
  for (auto id = games_here; id > 1; --id) CHECK(log->bring_back(game_id{id}));
  CHECK(log->count_asleep("nann", 1) == 1);
  CHECK(log->count_asleep("nann", 2) == 1);
  CHECK(log->bring_back(game_id{1}));
  CHECK(log->count_asleep("nann", 1) == 0);
}

TEST_CASE("sqlite_writer: a game without a clock is never due") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  auto entry = entry_of(1);
  entry.due = base::wall_time::max();
  CHECK(log->put_to_sleep(entry, [](game_id) {}));
  sync(*log);
  CHECK(log->due_after({base::wall_time::min(), {}}, 100).empty());
  CHECK(log->find_asleep(game_id{1})->due == base::wall_time::max());
}

TEST_CASE("sqlite_writer: batches are not kept for games that are asleep") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  CHECK(number_in(here / "j.db", "SELECT min(id) FROM batches") <= 2);
  all_asleep(*log);
  for (std::uint64_t n = 0; n < 3 * games_here; ++n) sync(*log);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM batches") <= 2);
}

TEST_CASE("sqlite_writer: a game that is woken before it was asleep is not lost") {
  const folder here;
  ears heard;
  auto log = with_games(here / "j.db", heard);
  int slept = 0;
  for (std::uint64_t id = 1; id <= games_here; ++id) {
    CHECK(log->put_to_sleep(entry_of(id), [&](game_id) { ++slept; }));
    CHECK_FALSE(log->put_to_sleep(entry_of(id), [&](game_id) { ++slept; }));
    CHECK(log->bring_back(game_id{id}));
    append(*log, id, 5, 5, heard);
  }
  for (std::uint64_t n = 0; n < games_here; ++n) sync(*log);
  CHECK(slept == 0);
  CHECK(log->asleep() == 0);
  log.reset();
  log = opened(here / "j.db");
  CHECK(log->asleep() == 0);
  for (std::uint64_t id = 1; id <= games_here; ++id) CHECK(in_order(id, log->read(game_id{id}, 0)));
  CHECK(log->read(game_id{1}, 0).size() == 5);
}

TEST_CASE(
    "sqlite_writer: a game that is woken and falls asleep again before a write is there once") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  int slept = 0;
  for (int times = 0; times < 3; ++times)
    for (std::uint64_t id = 1; id <= 2; ++id) {
      CHECK(log->bring_back(game_id{id}));
      CHECK(log->put_to_sleep(entry_of(id), [&](game_id) { ++slept; }));
    }
  sync(*log);
  sync(*log);
  CHECK_FALSE(log->trouble());
  CHECK(slept == 2);
  CHECK(log->asleep() == 2);
}

TEST_CASE("sqlite_writer: a game that was only looked at sleeps again without a write") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  all_asleep(*log);
  const auto written = log->report().transactions;
  int slept = 0;
  CHECK(log->bring_back(game_id{4}));
  CHECK(log->put_to_sleep(entry_of(4), [&](game_id) { ++slept; }));
  CHECK(slept == 1);
  CHECK(log->asleep() == games_here);
  CHECK(log->report().transactions == written);
  // With another time it is written again.
  CHECK(log->bring_back(game_id{4}));
  auto later = entry_of(4);
  later.due = at_ms(100'000);
  CHECK(log->put_to_sleep(later, [](game_id) {}));
  sync(*log);
  CHECK(log->find_asleep(game_id{4})->due == at_ms(100'000));
  CHECK(ids_of(log->asleep_with("nbob 4", 9)) == numbers{4});
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM asleep_keys") == 2 * games_here);
}

TEST_CASE("sqlite_writer: games that are asleep stay so over a start, and are due by its pauses") {
  const folder here;
  ears heard;
  all_asleep(*with_games(here / "j.db", heard));
  const auto log = opened(here / "j.db");
  CHECK(log->open_games().empty());
  CHECK(log->asleep() == games_here);
  const auto found = log->find_asleep(game_id{1});
  REQUIRE(found);
  REQUIRE(found->pauses.size() == 1);
  // From the latest record.
  CHECK(found->pauses.front().began == at_ms(1'004));
  CHECK(found->pauses.front().ended > at_ms(5'000));
}

TEST_CASE("sqlite_writer: a damaged log of a game that is asleep goes into quarantine") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  all_asleep(*log);
  change(here / "j.db", "UPDATE asleep SET sum = sum + 1 WHERE id = 1");
  CHECK_FALSE(log->find(game_id{1}));
  CHECK_FALSE(log->find_asleep(game_id{1}));
  CHECK(log->read(game_id{1}, 0).empty());
  CHECK_FALSE(log->bring_back(game_id{1}));
  CHECK(log->asleep() == games_here);
  CHECK(log->is_damaged(game_id{1}));
  CHECK_FALSE(log->is_damaged(game_id{2}));
  log->quarantine(game_id{1}, "a test");
  sync(*log);
  CHECK(log->asleep() == games_here - 1);
  CHECK(log->report().games_quarantined == 1);
  CHECK(number_in(here / "j.db", "SELECT count(*) FROM kept WHERE why = 'a test'") == 1);
  CHECK(log->asleep_with("nbob 1", 1).empty());
  CHECK_FALSE(log->is_damaged(game_id{1}));
}

TEST_CASE("sqlite_writer: the archive has games that are asleep among the open ones") {
  const folder here;
  ears heard;
  const auto log = with_games(here / "j.db", heard);
  end(*log, 5, 5, heard);
  all_asleep(*log, 3);
  // Its row is older than its log.
  CHECK(log->bring_back(game_id{3}));
  append(*log, 3, 5, 5, heard);
  sync(*log);
  const auto archive = open_archive(here / "j.db", access::change);
  const auto taken = [&](const std::vector<game_id>& wanted) {
    std::vector<std::string> all;
    archive->for_each(wanted, [&](archived_game& g) {
      CHECK_FALSE(g.damage);
      CHECK(in_order(g.header.id.value, g.records));
      all.push_back(std::to_string(g.header.id.value) + " " + std::string{to_string(g.state)});
      return true;
    });
    return all;
  };
  CHECK(taken({}) == std::vector<std::string>{"1 open", "2 open", "3 open", "4 open", "5 ended",
                                              "6 open", "7 open", "8 open"});
  CHECK(taken({game_id{5}, game_id{2}, game_id{6}}) ==
        std::vector<std::string>{"2 open", "5 ended", "6 open"});
  const auto totals = archive->totals();
  REQUIRE(totals.engines.size() == 1);
  CHECK(totals.engines.front().open == games_here - 1);
  CHECK(totals.records == 4 * (games_here - 1) + 1 + 5);
  // Those stay until they end.
  CHECK(archive->forget_name("player 2").open == 1);
  change(here / "j.db", "UPDATE asleep SET sum = sum + 1 WHERE id = 2");
  std::vector<std::uint64_t> damaged;
  archive->for_each({}, [&](archived_game& g) {
    if (g.damage) damaged.push_back(g.header.id.value);
    return true;
  });
  CHECK(damaged == std::vector<std::uint64_t>{2});
}

TEST_CASE("sqlite_writer: games that are written in bulk have the rows of games that fell asleep") {
  const folder here;
  ears heard;
  auto log = with_games(here / "slept.db", heard);
  std::vector<game_log> logs;
  for (std::uint64_t id = 1; id <= games_here; ++id) logs.push_back(log->find(game_id{id}).value());
  all_asleep(*log);
  log.reset();
  opened(here / "bulk.db", quick()).reset();
  {
    sleepers_in_bulk bulk{here / "bulk.db"};
    for (const auto& each : logs)
      bulk.add(each.header, each.records, entry_of(each.header.id.value));
    bulk.finish();
  }
  sqlite::database db{here / "slept.db", sqlite::mode::write, patience};
  db.run(("ATTACH '" + (here / "bulk.db").string() + "' AS bulk").c_str());
  CHECK(db.number("SELECT count(*) FROM asleep") == games_here);
  CHECK(db.number("SELECT count(*) FROM asleep_keys") == 2 * games_here);
  for (const std::string table : {"asleep", "asleep_keys"})
    for (const auto& [one, other] : {std::pair{"main.", "bulk."}, {"bulk.", "main."}})
      CHECK(db.number(("SELECT count(*) FROM (SELECT * FROM " + (one + table) +
                       " EXCEPT SELECT * FROM " + (other + table) + ")")
                          .c_str()) == 0);
}
