#include "hub/journal/sqlite_writer.hpp"

#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

template <class Check>
bool soon(Check&& check) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (check()) return true;
    std::this_thread::yield();
  }
  return false;
}

std::int64_t count_of(const std::filesystem::path& file, const char* question) {
  sqlite::database db{file, sqlite::mode::read, patience};
  return db.number(question);
}

// The calls of SQLite that move the write-ahead log, and wait for the device, by thread.
struct moving_calls {
  static int note(const char* call) {
    const std::string_view what{call};
    if (what != "checkpoint" && what != "sync") return 0;
    const std::lock_guard lock{mutex};
    all.emplace_back(what == "sync", std::this_thread::get_id());
    return 0;
  }
  moving_calls() { all.clear(), sqlite::inject_faults(note); }
  moving_calls(const moving_calls&) = delete;
  moving_calls& operator=(const moving_calls&) = delete;
  ~moving_calls() { sqlite::inject_faults(nullptr); }

  static inline std::mutex mutex;
  static inline std::vector<std::pair<bool, std::thread::id>> all;
};

}  // namespace

TEST_CASE("sqlite_writer: commits are there after the next start, in order") {
  const folder here;
  ears heard;
  {
    const auto log = opened(here / "j.db");
    log->open(header(7));
    append(*log, 7, 1, 6, heard);
    play(*log, 8, heard);
    log->flush();
    CHECK(heard.wait(game_id{7}, 6));
    CHECK(heard.wait(game_id{8}, 5));
    CHECK(log->read(game_id{7}, 4).size() == 2);
    CHECK(in_order(8, log->read(game_id{8}, 0)));
    CHECK(log->read(game_id{9}, 0).empty());
  }
  const auto log = opened(here / "j.db");
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{7});
  CHECK(in_order(7, log->read(game_id{7}, 0)));
  CHECK(log->read(game_id{7}, 0).size() == 6);
  CHECK(in_order(8, log->read(game_id{8}, 0)));
  CHECK(log->read(game_id{8}, 0).size() == 5);
  CHECK(log->last_numbers().game == game_id{8});
  CHECK(log->last_numbers().player == player_id{17});
  CHECK(log->last_written() == base::wall_time{std::chrono::milliseconds{2'000}});
  append(*log, 7, 7, 7, heard);
  end(*log, 7, 8, heard);
  log->flush();
  CHECK(heard.wait(game_id{7}, 8));
  CHECK(log->read(game_id{7}, 0).size() == 8);
  CHECK(heard.doubles() == 0);
}

TEST_CASE("sqlite_writer: records without a flush are written after a limited time") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(1));
  append(*log, 1, 1, 1, heard);
  CHECK(heard.wait(game_id{1}, 1));
}

TEST_CASE("sqlite_writer: append returns the committed number, and the listener gets the rest") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(1));
  const std::array first{record_of(1, 1)}, second{record_of(1, 2)};
  CHECK(log->append(game_id{1}, first, heard) == 0);
  log->flush();
  REQUIRE(heard.wait(game_id{1}, 1));
  CHECK(log->append(game_id{1}, second, heard) == 1);
}

TEST_CASE(
    "sqlite_writer: all games of an iteration are one transaction, with one call per listener") {
  const folder here;
  ears a, b;
  const auto log = opened(here / "j.db");
  for (std::uint64_t id = 1; id <= 50; ++id) {
    log->open(header(id));
    append(*log, id, 1, 3, id % 2 == 0 ? a : b);
  }
  const auto before = log->report().transactions;
  log->flush();
  CHECK(a.wait(game_id{50}, 3));
  CHECK(b.wait(game_id{49}, 3));
  // A machine that sleeps meanwhile may make two of it, by the bound on what is not flushed.
  CHECK(log->report().transactions - before <= 2);
  CHECK(a.calls() <= 2);
  CHECK(a.all().size() == 25);
  CHECK(b.all().size() == 25);
}

TEST_CASE("sqlite_writer: loops on several threads get all their commits") {
  const folder here;
  constexpr std::uint64_t games = 40, moves = 30;
  {
    std::array<ears, 2> heard;
    const auto log = opened(here / "j.db");
    std::vector<std::thread> loops;
    for (std::uint64_t t = 0; t < heard.size(); ++t)
      loops.emplace_back([&, t] {
        for (std::uint64_t n = 1; n <= moves; ++n) {
          for (auto id = t * games + 1; id <= (t + 1) * games; ++id) {
            if (n == 1) log->open(header(id));
            n == moves ? end(*log, id, n, heard[t]) : append(*log, id, n, n, heard[t]);
            static_cast<void>(log->read(game_id{id}, 0));
          }
          log->flush();
        }
        for (auto id = t * games + 1; id <= (t + 1) * games; ++id)
          if (!heard[t].wait(game_id{id}, moves)) throw std::runtime_error{"not told"};
      });
    for (auto& l : loops) l.join();
    CHECK(heard[0].doubles() + heard[1].doubles() == 0);
    CHECK(log->report().games_open == 0);
    CHECK(log->report().games_ended == 2 * games);
  }
  const auto log = opened(here / "j.db");
  CHECK(log->open_games().empty());
  for (std::uint64_t id = 1; id <= 2 * games; ++id) {
    const auto records = log->read(game_id{id}, 0);
    CHECK(records.size() == moves);
    CHECK(in_order(id, records));
  }
}

TEST_CASE("sqlite_writer: batches that no game needs are deleted many at a time") {
  const folder here;
  auto tuning = quick();
  tuning.freed_per_transaction_min = 1'000;
  ears heard;
  const auto log = opened(here / "j.db", tuning);
  const auto batches = [&] { return count_of(here / "j.db", "SELECT count(*) FROM batches"); };
  const auto next_game = [&](std::uint64_t id) {
    log->open(header(id));
    append(*log, id, 1, 4, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 4));
    end(*log, id, 5, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 5));
  };
  std::uint64_t id = 1;
  std::int64_t most = 0;
  for (auto before = batches(); batches() >= before; ++id) {
    before = most = batches();
    next_game(id);
  }
  CHECK(most > 10);
  CHECK(batches() <= 4);
  for (std::uint64_t other = 1; other < id; ++other)
    CHECK(log->read(game_id{other}, 0).size() == 5);
}

TEST_CASE("sqlite_writer: refuses records out of order, after the end and of no game") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(1));
  CHECK_THROWS_AS(log->open(header(1)), std::logic_error);
  CHECK_THROWS_AS(append(*log, 1, 2, 2, heard), std::logic_error);
  CHECK_THROWS_AS(append(*log, 2, 1, 1, heard), std::logic_error);
  append(*log, 1, 1, 1, heard);
  end(*log, 1, 2, heard);
  CHECK_THROWS_AS(append(*log, 1, 3, 3, heard), std::logic_error);
}

TEST_CASE("sqlite_writer: logs of long games are retained, so that batches stay bounded") {
  const folder here;
  auto tuning = quick();
  tuning.redo_bytes_max = 4'000;
  tuning.kept_per_transaction_max = 3;
  tuning.freed_per_transaction_max = 1'000;
  constexpr std::uint64_t games = 20, moves = 100;
  ears heard;
  {
    const auto log = opened(here / "j.db", tuning);
    for (std::uint64_t id = 1; id <= games; ++id) log->open(header(id));
    for (std::uint64_t n = 1; n <= moves; ++n) {
      for (std::uint64_t id = 1; id <= games; ++id) append(*log, id, n, n, heard);
      // One that ends while it is kept, and one that lives in one transaction.
      if (n == moves / 2) {
        end(*log, 1, n + 1, heard);
        log->flush();
        REQUIRE(heard.wait(game_id{1}, n + 1));
        log->open(header(1'000));
        append(*log, 1'000, 1, n, heard);
      }
      if (n > moves / 2) append(*log, 1'000, n, n, heard);
      log->flush();
      REQUIRE(heard.wait(game_id{games}, n));
      if (n == moves / 2) break;
    }
    CHECK(count_of(here / "j.db", "SELECT count(*) FROM kept") > 0);
    CHECK(count_of(here / "j.db", "SELECT sum(length(bytes)) FROM batches") < 3 * 4'000);
    CHECK(count_of(here / "j.db", "SELECT min(id) FROM batches") > 10);
  }
  const auto log = opened(here / "j.db", tuning);
  CHECK(log->open_games().size() == games);
  CHECK(in_order(1, log->read(game_id{1}, 0)));
  for (std::uint64_t id = 2; id <= games; ++id) {
    CHECK(log->read(game_id{id}, 0).size() == moves / 2);
    CHECK(in_order(id, log->read(game_id{id}, 0)));
    end(*log, id, moves / 2 + 1, heard);
  }
  end(*log, 1'000, moves / 2 + 1, heard);
  log->flush();
  CHECK(heard.wait(game_id{1'000}, moves / 2 + 1));
  CHECK(count_of(here / "j.db", "SELECT count(*) FROM kept") == 0);
  CHECK(count_of(here / "j.db", "SELECT count(*) FROM games") == games + 1);
}

TEST_CASE("sqlite_writer: batches of ended games are deleted, except the latest") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(1));
  for (std::uint64_t id = 1; id <= 30; ++id) {
    append(*log, id, 1, 4, heard);
    log->open(header(id + 1));
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 4));
    end(*log, id, 5, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 5));
  }
  CHECK(count_of(here / "j.db", "SELECT count(*) FROM batches") < 5);
  CHECK(count_of(here / "j.db", "SELECT count(*) FROM games") == 30);
}

TEST_CASE("sqlite_writer: a game that ends after its log was retained is not open again") {
  const folder here;
  auto tuning = quick();
  tuning.redo_bytes_max = 1;
  ears heard;
  {
    const auto log = opened(here / "j.db", tuning);
    log->open(header(1));
    log->open(header(2));
    for (record_number n = 1; n <= 9; ++n) {
      append(*log, 2, n, n, heard);
      if (n == 1) append(*log, 1, 1, 4, heard);
      if (n == 8) end(*log, 1, 5, heard);
      log->flush();
      REQUIRE(heard.wait(game_id{2}, n));
    }
  }
  const auto log = opened(here / "j.db", tuning);
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{2});
  CHECK(log->read(game_id{1}, 0).size() == 5);
}

TEST_CASE("sqlite_writer: old games are deleted in steps, and ids are not used again") {
  const folder here;
  std::atomic<std::int64_t> today{0};
  auto tuning = quick();
  tuning.deleted_at_once = 7;
  tuning.deletion_pause = tuning.idle_pause = std::chrono::milliseconds{1};
  tuning.unflushed_max = std::chrono::milliseconds{1};
  tuning.now = [&] { return base::wall_time{std::chrono::days{today.load()}}; };
  tuning.steady_now = [&] { return base::instant{std::chrono::days{today.load()}}; };
  auto s = settings(here / "j.db");
  s.keep = std::chrono::days{10};
  ears heard;
  {
    sqlite_writer log{s, tuning, {}};
    log.open(header(1'000));
    append(log, 1'000, 1, 1, heard);
    for (std::uint64_t id = 1; id <= 50; ++id)
      play(log, id, heard, base::wall_time{std::chrono::days{id <= 30 ? 1 : 5}});
    log.flush();
    REQUIRE(heard.wait(game_id{50}, 5));
    CHECK(log.report().games_deleted == 0);
    today = 12;
    CHECK(soon([&] { return log.report().games_deleted == 30; }));
    CHECK(log.report().games_ended == 20);
    CHECK(log.read(game_id{30}, 0).empty());
    CHECK(log.read(game_id{31}, 0).size() == 5);
    today = 100;
    CHECK(soon([&] { return log.report().games_deleted == 50; }));
  }
  sqlite_writer log{s, tuning, {}};
  CHECK(open_ids(log) == std::vector<std::uint64_t>{1'000});
  CHECK(log.report().games_ended == 0);
  CHECK(log.last_numbers().game == game_id{1'000});
  CHECK(log.last_numbers().player == player_id{101});
}

TEST_CASE("sqlite_writer: a jump of the wall clock deletes nothing, and is reported") {
  const folder here;
  std::atomic<std::int64_t> today{100}, passed{0};
  std::atomic<std::int64_t> jumped{0}, told{0};
  auto tuning = quick();
  tuning.deletion_pause = tuning.idle_pause = std::chrono::milliseconds{1};
  tuning.unflushed_max = std::chrono::milliseconds{1};
  tuning.now = [&] { return base::wall_time{std::chrono::days{today.load()}}; };
  tuning.steady_now = [&] { return base::instant{std::chrono::days{passed.load()}}; };
  auto s = settings(here / "j.db");
  s.keep = std::chrono::days{30};
  s.on_clock_jump = [&](std::chrono::milliseconds by) {
    jumped = std::chrono::duration_cast<std::chrono::days>(by).count();
  };
  s.on_deleted = [&](std::uint64_t games, bool by_size) {
    if (!by_size) told += static_cast<std::int64_t>(games);
  };
  ears heard;
  {
    sqlite_writer log{s, tuning, {}};
    for (std::uint64_t id = 1; id <= 5; ++id)
      play(log, id, heard, base::wall_time{std::chrono::days{100}});
    log.flush();
    REQUIRE(heard.wait(game_id{5}, 5));
    today = 140;
    CHECK(soon([&] { return jumped == 40; }));
    // Each of these transactions is followed by a look at old games.
    for (std::uint64_t id = 6; id <= 10; ++id) {
      play(log, id, heard, base::wall_time{std::chrono::days{140}});
      log.flush();
      REQUIRE(heard.wait(game_id{id}, 5));
    }
    for (std::uint64_t id = 1; id <= 5; ++id) CHECK(log.read(game_id{id}, 0).size() == 5);
    CHECK(log.report().games_deleted == 0);
    today = 100;
    CHECK(soon([&] { return jumped == -40; }));
    CHECK(log.report().games_deleted == 0);
    // Both clocks agree again for long enough.
    passed = 2, today = 102;
    CHECK(log.report().games_deleted == 0);
    passed = 40, today = 140;
    CHECK(soon([&] { return log.report().games_deleted == 5; }));
  }
  CHECK(told == 5);
}

TEST_CASE("sqlite_writer: by age, games are deleted slowly") {
  const folder here;
  std::atomic<std::int64_t> today{1};
  auto tuning = quick();
  tuning.deleted_at_once = 5;
  tuning.deletion_pause = std::chrono::milliseconds{1};
  tuning.idle_pause = std::chrono::hours{1};
  tuning.now = [&] { return base::wall_time{std::chrono::days{today.load()}}; };
  tuning.steady_now = [&] { return base::instant{std::chrono::days{today.load()}}; };
  auto s = settings(here / "j.db");
  s.keep = std::chrono::days{10};
  ears heard;
  sqlite_writer log{s, tuning, {}};
  for (std::uint64_t id = 1; id <= 50; ++id)
    play(log, id, heard, base::wall_time{std::chrono::days{1}});
  log.flush();
  REQUIRE(heard.wait(game_id{50}, 5));
  // No step within the pause, however many transactions there are.
  today = 12;
  for (std::uint64_t id = 51; id <= 60; ++id) {
    play(log, id, heard, base::wall_time{std::chrono::days{12}});
    log.flush();
    REQUIRE(heard.wait(game_id{id}, 5));
  }
  CHECK(log.report().games_deleted <= 5);
}

TEST_CASE(
    "sqlite_writer: numbers that were claimed are not used again, though no record has them") {
  const folder here;
  {
    ears heard;
    const auto log = opened(here / "j.db");
    play(*log, 3, heard);
    log->claim_games(game_id{500});
    log->claim_games(game_id{400});
    log->flush();
    CHECK(log->last_numbers().game == game_id{500});
  }
  {
    ears heard;
    const auto log = opened(here / "j.db");
    CHECK(log->last_numbers().game == game_id{500});
    CHECK(log->last_numbers().player == player_id{7});
    play(*log, 501, heard);
    log->flush();
    CHECK(heard.wait(game_id{501}, 5));
  }
  CHECK(opened(here / "j.db")->last_numbers().game == game_id{501});
}

TEST_CASE("sqlite_writer: finds games whole, and those that ended by their ids") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(7));
  append(*log, 7, 1, 4, heard);
  for (const auto id : {3u, 9u, 1u, 8u}) play(*log, id, heard);
  log->flush();
  for (const auto id : {3u, 9u, 1u, 8u}) REQUIRE(heard.wait(game_id{id}, 5));
  REQUIRE(heard.wait(game_id{7}, 4));
  const auto ids = [&](std::uint64_t before, std::size_t most) {
    std::vector<std::uint64_t> found;
    for (const auto id : log->ended_before(game_id{before}, most)) found.push_back(id.value);
    return found;
  };
  using list = std::vector<std::uint64_t>;
  CHECK(soon([&] { return ids(~std::uint64_t{0}, 10) == list{9, 8, 3, 1}; }));
  CHECK(ids(9, 2) == list{8, 3});
  CHECK(ids(1, 2).empty());
  for (const auto id : {1u, 7u}) {
    const auto found = log->find(game_id{id});
    REQUIRE(found.has_value());
    CHECK(found->header.id == game_id{id});
    CHECK(found->header.engine == "tictactoe");
    CHECK(found->records.size() == (id == 7 ? 4u : 5u));
    CHECK(in_order(id, found->records));
  }
  CHECK_FALSE(log->find(game_id{2}).has_value());
  log->quarantine(game_id{7}, "a test");
  CHECK(soon([&] { return !log->find(game_id{7}).has_value(); }));
}

TEST_CASE("sqlite_writer: ended games are deleted when the file is over its limit") {
  const folder here;
  auto tuning = quick();
  tuning.deleted_at_once = 50;
  tuning.deletion_pause = tuning.idle_pause = std::chrono::milliseconds{1};
  auto s = settings(here / "j.db");
  s.bytes_max = 200'000;
  ears heard;
  sqlite_writer log{s, tuning, {}};
  for (std::uint64_t id = 1; id <= 3'000; ++id) play(log, id, heard);
  log.flush();
  REQUIRE(heard.wait(game_id{3'000}, 5));
  CHECK(soon([&] {
    const auto r = log.report();
    return r.games_deleted != 0 && r.file_bytes <= s.bytes_max;
  }));
  CHECK(log.report().games_deleted % 50 == 0);
  CHECK(log.report().games_ended > 500);
  CHECK(log.read(game_id{1}, 0).empty());
  CHECK(log.read(game_id{3'000}, 0).size() == 5);
}

TEST_CASE("sqlite_writer: a game without a record is not in the file") {
  const folder here;
  ears heard;
  {
    const auto log = opened(here / "j.db");
    log->open(header(1));
    log->open(header(2));
    append(*log, 2, 1, 1, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{2}, 1));
  }
  CHECK(open_ids(*opened(here / "j.db")) == std::vector<std::uint64_t>{2});
}

TEST_CASE("sqlite_writer: unfinished replays are counted at the next start") {
  const folder here;
  ears heard;
  const std::array both{game_id{1}, game_id{2}};
  const std::array one{game_id{1}};
  {
    const auto log = opened(here / "j.db");
    for (const auto id : both) log->open(header(id.value));
    append(*log, 1, 1, 1, heard);
    append(*log, 2, 1, 5, heard);
    log->announce_replay(both);
    CHECK(log->suspicions(game_id{2}) == 0);
    log->replayed(one);
  }
  for (int start = 1; start <= 2; ++start) {
    const auto log = opened(here / "j.db");
    CHECK(log->suspicions(game_id{1}) == 0);
    CHECK(log->suspicions(game_id{2}) == start);
    log->announce_replay(both);
    if (start == 2) {
      log->quarantine(game_id{2}, "it was there twice when the hub fell");
      CHECK(open_ids(*log) == std::vector<std::uint64_t>{1});
      CHECK(log->read(game_id{2}, 0).size() == 5);
      CHECK(log->report().games_quarantined == 1);
      CHECK_THROWS_AS(append(*log, 2, 6, 6, heard), std::logic_error);
    }
    log->replayed(one);
  }
  const auto log = opened(here / "j.db");
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{1});
  CHECK(log->suspicions(game_id{2}) == 0);
  CHECK(in_order(2, log->read(game_id{2}, 0)));
  CHECK(log->report().games_quarantined == 1);
}

TEST_CASE(
    "sqlite_writer: while another program holds the lock, records wait and trouble() has the "
    "reason") {
  const folder here;
  std::vector<std::string> logged;
  std::mutex mutex;
  auto tuning = quick();
  tuning.pending_max = 40;
  ears heard;
  const auto log = opened(here / "j.db", tuning, [&](std::string_view text) {
    const std::lock_guard lock{mutex};
    logged.emplace_back(text);
  });
  log->open(header(1));
  append(*log, 1, 1, 1, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{1}, 1));
  {
    sqlite::database other{here / "j.db", sqlite::mode::write, patience};
    other.run("BEGIN IMMEDIATE");
    append(*log, 1, 2, 10, heard);
    log->flush();
    CHECK(soon([&] { return log->trouble().has_value(); }));
    CHECK_THAT(*log->trouble(), Catch::Matchers::Contains("keeps it locked"));
    CHECK(soon([&] { return log->report().failures > 2; }));
    CHECK(heard.told(game_id{1}) == 1);
    CHECK(log->read(game_id{1}, 0).size() == 1);
    CHECK_FALSE(log->congested());
    append(*log, 1, 11, 60, heard);
    CHECK(log->congested());
    // A call of the start waits for no mending.
    const std::array game{game_id{1}};
    log->announce_replay(game);
    other.run("ROLLBACK");
  }
  CHECK(heard.wait(game_id{1}, 60));
  CHECK(soon([&] { return !log->congested(); }));
  CHECK_FALSE(log->trouble());
  CHECK(log->read(game_id{1}, 0).size() == 60);
  CHECK(heard.doubles() == 0);
  const std::lock_guard lock{mutex};
  REQUIRE(logged.size() == 2);
  CHECK_THAT(logged[0], Catch::Matchers::Contains("j.db"));
  CHECK(logged[1].empty());
}

TEST_CASE("sqlite_writer: writes pending records at its end, if it can") {
  const folder here;
  ears heard;
  {
    const auto log = opened(here / "j.db");
    log->open(header(1));
    append(*log, 1, 1, 5, heard);
  }
  CHECK(heard.told(game_id{1}) == 5);
  sqlite::database other{here / "j.db", sqlite::mode::write, patience};
  {
    const auto log = opened(here / "j.db");
    other.run("BEGIN IMMEDIATE");
    append(*log, 1, 6, 6, heard);
    log->flush();
  }
  CHECK(heard.told(game_id{1}) == 5);
  other.run("ROLLBACK");
  CHECK(opened(here / "j.db")->read(game_id{1}, 0).size() == 5);
}

TEST_CASE("sqlite_writer: the writer waits for the device only after the checkpointer has") {
  const folder here;
  auto tuning = quick();
  tuning.log_pages_soft = 20;
  tuning.log_pages_hard = 100;
  ears heard;
  const moving_calls calls;
  {
    const auto log = opened(here / "j.db", tuning);
    // A transaction that reads an old state keeps the log, however much of it the checkpointer has
    // copied when the writer comes.
    sqlite::database reader{here / "j.db", sqlite::mode::read, patience};
    reader.run("BEGIN");
    reader.number("SELECT count(*) FROM sqlite_schema");
    // By the writer, which is the thread that never syncs.
    const auto emptied = [&] {
      const std::lock_guard lock{calls.mutex};
      std::set<std::thread::id> syncing, all;
      for (const auto& [syncs, thread] : calls.all) {
        all.insert(thread);
        if (syncs) syncing.insert(thread);
      }
      return !syncing.empty() && all.size() > syncing.size();
    };
    std::uint64_t id = 0;
    CHECK(soon([&] {
      play(*log, ++id, heard);
      log->flush();
      return heard.wait(game_id{id}, 5) && emptied();
    }));
  }
  std::optional<std::thread::id> checkpointer;
  for (const auto& [syncs, thread] : calls.all)
    if (syncs) checkpointer = thread;
  int synced = 0, emptied = 0;
  for (const auto& [syncs, thread] : calls.all) {
    if (syncs) ++synced;
    if (thread == checkpointer) continue;
    ++emptied;
    CHECK(synced >= 2);
    synced = 0;
  }
  CHECK(emptied >= 1);
}

TEST_CASE("sqlite_writer: the write-ahead log is checkpointed while games run") {
  const folder here;
  auto tuning = quick();
  tuning.log_pages_soft = 20;
  tuning.log_pages_hard = 100;
  ears heard;
  const auto log = opened(here / "j.db", tuning);
  // SQLite counts in the log's header how often it was restarted.
  const auto restarts = [&] {
    std::ifstream in{here / "j.db-wal", std::ios::binary};
    std::array<char, 16> head{};
    in.read(head.data(), head.size());
    return static_cast<int>(head[15]);
  };
  const auto before = restarts();
  std::uint64_t id = 0;
  CHECK(soon([&] {
    play(*log, ++id, heard);
    log->flush();
    return heard.wait(game_id{id}, 5) && restarts() >= before + 2;
  }));
  CHECK(std::filesystem::file_size(here / "j.db") > 4 * 4'096);
  CHECK(log->report().failures == 0);
}
