// Any call of SQLite's may fail, at any time, in any way: nothing that was told may be lost,
// nothing may be there twice, and nothing may hang.
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <atomic>
#include <random>
#include <stdexcept>
#include <string_view>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

// Fails the calls from the `first` on: one, or until mended. Counts calls from 1.
struct {
  std::atomic<int> calls{0}, first{0}, code{0}, fired{0};
  std::atomic<bool> lasting{false};
} plan;

int fault(const char*) {
  const auto call = ++plan.calls;
  const auto first = plan.first.load();
  if (first == 0 || (plan.lasting ? call < first : call != first)) return 0;
  ++plan.fired;
  return plan.code;
}

class faults {
 public:
  faults(int first, int code, bool lasting) {
    plan.calls = plan.fired = 0;
    plan.code = code;
    plan.lasting = lasting;
    plan.first = first;
    inject_faults();
  }
  faults(const faults&) = delete;
  faults& operator=(const faults&) = delete;
  ~faults() { sqlite::inject_faults(nullptr); }

  static void mend() { plan.first = 0; }
  static bool fired() { return plan.fired != 0; }

 private:
  static void inject_faults() { sqlite::inject_faults(fault); }
};

sqlite_tuning busy_tuning() {
  auto t = quick();
  t.unflushed_max = t.deletion_pause = t.idle_pause = std::chrono::milliseconds{1};
  t.redo_bytes_max = 600;
  t.freed_per_transaction_max = 300;
  t.log_pages_soft = 10;
  t.log_pages_hard = 30;
  t.deleted_at_once = 2;
  t.now = [] { return base::wall_time{std::chrono::days{100}}; };
  return t;
}

sqlite_settings old_go(const std::filesystem::path& file) {
  auto s = settings(file);
  s.keep = std::chrono::days{10};
  return s;
}

constexpr base::wall_time yesterday{std::chrono::days{99}};

// An evening with all that a journal does. Opening it may fail; then there is no evening. With a
// fault that lasts, no test can wait for output before it is mended.
void evening(const std::filesystem::path& file, ears& heard, bool lasting) {
  constexpr std::uint64_t open_games = 6, moves = 10;
  sqlite_writer log{old_go(file), busy_tuning(), {}};
  for (std::uint64_t id = 1; id <= open_games; ++id) log.open(header(id));
  const std::array announced{game_id{1}, game_id{2}};
  log.announce_replay(announced);
  for (std::uint64_t n = 1; n <= moves; ++n) {
    for (std::uint64_t id = 1; id <= open_games; ++id) append(log, id, n, n, heard);
    play(log, 100 + n, heard, n % 2 == 0 ? yesterday : base::wall_time{});
    if (n == 5) end(log, 3, n + 1, heard, yesterday);
    log.flush();
    if (!lasting && !heard.wait(game_id{1}, n)) throw std::logic_error{"not told"};
    static_cast<void>(log.read(game_id{102}, 0));
    if (n == 5) log.quarantine(game_id{2}, "a test");
    if (n == 5) break;
  }
  log.replayed(announced);
  if (lasting) faults::mend();
  // What can be written again is written, without anybody's doing.
  if (!heard.wait(game_id{1}, 5) || !heard.wait(game_id{105}, 5))
    throw std::logic_error{"not told after mending"};
}

// What the file says afterwards, against what was told.
void check(const std::filesystem::path& file, ears& heard) {
  CHECK(heard.doubles() == 0);
  const auto log = opened(file);
  for (const auto& [game, told] : heard.all()) {
    const auto records = log->read(game, 0);
    INFO("game " << game.value << ", told " << told << ", there " << records.size());
    CHECK(in_order(game.value, records));
    // Old games may have gone.
    const auto old = game.value > 100 && game.value % 2 != 0;
    CHECK((records.size() >= told || (old && records.empty())));
  }
  sqlite::database db{file, sqlite::mode::read, patience};
  CHECK(db.text("PRAGMA integrity_check") == "ok");
  CHECK(db.number("SELECT count(*) - count(DISTINCT id) FROM games") == 0);
  CHECK(log->last_numbers().game >=
        (heard.all().empty() ? game_id{} : heard.all().rbegin()->first));
}

bool survives(int first, int code, bool lasting) {
  INFO("call " << first << (lasting ? " and all after it fail" : " fails") << " with code "
               << code);
  const folder here;
  ears heard;
  bool fired = false;
  {
    const faults active{first, code, lasting};
    try {
      evening(here / "j.db", heard, lasting);
    } catch (const sqlite::error&) {
      // It did not open: the hub ends with that sentence.
    } catch (const unusable_file&) {
    }
    fired = faults::fired();
  }
  check(here / "j.db", heard);
  return fired;
}

const int kinds[] = {sqlite::codes::full,    sqlite::codes::io,
                     sqlite::codes::busy,    sqlite::codes::read_only,
                     sqlite::codes::corrupt, sqlite::codes::io | sqlite::made};

// Each call fails in one way; in which differs from call to call and from run to run.
int kind_of(int call) {
  static const auto shift = std::random_device{}() % std::size(kinds);
  return kinds[(static_cast<std::size_t>(call) + shift) % std::size(kinds)];
}

// A disk that is full until the file could not be opened again a few times.
std::atomic<int> opens_refused{0};

int full_disk(const char* call) {
  const std::string_view name{call};
  if (name == "open" && opens_refused < 3) return ++opens_refused, sqlite::codes::full;
  return name == "step" && opens_refused < 3 ? sqlite::codes::full : 0;
}

}  // namespace

TEST_CASE("sqlite_writer: survives a disk that is full when it opens its file again") {
  const folder here;
  ears heard;
  {
    sqlite_writer log{settings(here / "j.db"), quick(), {}};
    log.open(header(1));
    append(log, 1, 1, 1, heard);
    REQUIRE(heard.wait(game_id{1}, 1));
    opens_refused = 0;
    sqlite::inject_faults(full_disk);
    append(log, 1, 2, 2, heard);
    CHECK(heard.wait(game_id{1}, 2));
    sqlite::inject_faults(nullptr);
  }
  CHECK(opens_refused == 3);
  check(here / "j.db", heard);
}

// The number of calls is not the same each time, as threads gather differently: well beyond the
// last one that fired no other counts.
TEST_CASE("sqlite_writer: survives the failure of any single SQLite call") {
  int silent = 0;
  for (int n = 1; silent < 20; n += 1 + n / 100)
    silent = survives(n, kind_of(n), false) ? 0 : silent + 1;
}

TEST_CASE("sqlite_writer: survives the failure of all calls from any point until the repair") {
  int silent = 0;
  for (int n = 1; silent < 20; n += 1 + n / 100)
    silent = survives(n, kind_of(n), true) ? 0 : silent + 1;
}

TEST_CASE("sqlite_writer: survives every kind of failure of every call", "[.][long]") {
  for (const auto code : kinds)
    for (const auto lasting : {false, true}) {
      int silent = 0;
      for (int n = 1; silent < 20; ++n) silent = survives(n, code, lasting) ? 0 : silent + 1;
    }
}
