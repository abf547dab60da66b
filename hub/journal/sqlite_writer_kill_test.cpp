// A program that is killed says nothing more: what it was told before must be in the file.
#include "hub/journal/archive.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <random>
#include <set>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

// Tells the other program what it was told.
class teller final : public commit_listener {
 public:
  explicit teller(int to) : to_(to) {}
  void committed(std::span<const commit> list) override {
    const auto* bytes = reinterpret_cast<const char*>(list.data());
    for (auto left = list.size_bytes(); left != 0;) {
      const auto wrote = ::write(to_, bytes, left);
      if (wrote <= 0) return;
      bytes += wrote;
      left -= static_cast<std::size_t>(wrote);
    }
  }

 private:
  int to_;
};

void put_to_sleep(sqlite_writer& log, std::uint64_t id, record_number n, std::uint64_t later) {
  sleep_entry entry{game_id{id},
                    base::wall_time{std::chrono::milliseconds{5'000}},
                    base::wall_time{std::chrono::milliseconds{10'000 + 5'000 * later}},
                    "tictactoe",
                    {"nann", "nbob " + std::to_string(id + n % 2)}};
  if (!log.put_to_sleep(std::move(entry), [](game_id) {})) ::_exit(1);
}

void wake(sqlite_writer& log, std::uint64_t id, bool announces, commit_listener& tells) {
  if (!log.bring_back(game_id{id})) ::_exit(1);
  if (announces && log.announce_move(game_id{id}, tells) == journal::journal::announced::no)
    ::_exit(1);
}

// Plays until it is killed, on from what the file holds.
[[noreturn]] void play_for_ever(const std::filesystem::path& file, int to) {
  auto tuning = quick();
  tuning.redo_bytes_max = 20'000;
  tuning.log_pages_soft = 50;
  tuning.log_pages_hard = 200;
  teller tells{to};
  sqlite_writer log{settings(file), tuning, {}};
  std::map<std::uint64_t, record_number> games;
  std::set<std::uint64_t> asleep;
  for (const auto& [due, id] : log.due_after({base::wall_time::min(), {}}, 1'000))
    if (log.find_asleep(id)) asleep.insert(id.value);
  for (const auto id : open_ids(log)) games[id] = log.read(game_id{id}, 0).size();
  for (const auto id : asleep) games[id] = log.read(game_id{id}, 0).size();
  if (asleep.size() != log.asleep()) ::_exit(1);
  auto next = log.last_numbers().game.value;
  std::mt19937_64 random{next};
  for (;;) {
    while (games.size() < 100) {
      games[++next] = 0;
      log.open(header(next));
    }
    for (auto at = games.begin(); at != games.end();) {
      auto& [id, n] = *at;
      const bool sleeps = asleep.contains(id);
      if (sleeps && random() % 4 != 0) {
        ++at;
        continue;
      }
      if (sleeps) wake(log, id, random() % 2 == 0, tells);
      asleep.erase(id);
      if ((sleeps || n >= 3) && random() % 4 == 0) {
        put_to_sleep(log, id, n, random() % 2);
        asleep.insert(id);
        ++at;
        continue;
      }
      const auto is_last = n > 4 && random() % 20 == 0;
      ++n;
      is_last ? end(log, id, n, tells) : append(log, id, n, n, tells);
      at = is_last ? games.erase(at) : std::next(at);
    }
    log.flush();
    // Callbacks that are not called must not gather for ever.
    if (log.trouble()) ::_exit(1);
  }
}

// Starts a program that plays, kills it after this many commits, and adds its output.
void play_and_kill(const std::filesystem::path& file, std::size_t commits,
                   std::map<game_id, record_number>& told) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    play_for_ever(file, ends[1]);
  }
  ::close(ends[1]);
  commit one;
  std::size_t heard = 0;
  while (::read(ends[0], &one, sizeof one) == static_cast<ssize_t>(sizeof one)) {
    told[one.game] = one.number;
    if (++heard == commits) ::kill(child, SIGKILL);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(heard >= commits);
}

}  // namespace

TEST_CASE("sqlite_writer: commits of a killed program are in the file, in order, once") {
  const folder here;
  std::random_device seeds;
  const auto seed = seeds();
  INFO("seed " << seed);
  std::mt19937_64 random{seed};
  std::map<game_id, record_number> told;
  std::int64_t slept = 0;
  for (int round = 0; round < 8; ++round) {
    play_and_kill(here / "j.db", 1 + random() % 5'000, told);
    std::map<game_id, record_number> there;
    open_archive(here / "j.db", access::read)->for_each({}, [&](archived_game& g) {
      CHECK_FALSE(g.damage);
      CHECK(in_order(g.header.id.value, g.records));
      CHECK(there.emplace(g.header.id, g.records.size()).second);
      return true;
    });
    {
      sqlite::database db{here / "j.db", sqlite::mode::read, patience};
      CHECK(db.number("SELECT count(*) FROM asleep_keys") ==
            db.number("SELECT ifnull(sum(length(keys) / 8), 0) FROM asleep"));
      CHECK(db.number("SELECT count(*) FROM asleep WHERE id IN (SELECT id FROM games)") == 0);
      slept += db.number("SELECT count(*) FROM asleep");
    }
    for (const auto& [game, number] : told) {
      INFO("game " << game.value << ", told " << number << ", there " << there[game]);
      REQUIRE(there[game] >= number);
    }
  }
  CHECK(slept > 0);
}

TEST_CASE("sqlite_writer: a copy of the files at any time has all commits so far") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  for (std::uint64_t id = 1; id <= 40; ++id) {
    log->open(header(id));
    append(*log, id, 1, 4, heard);
    if (id > 10) end(*log, id - 10, 5, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 4));
    if (id % 8 != 0) continue;
    const folder there;
    std::filesystem::copy_file(here / "j.db", there / "j.db");
    std::filesystem::copy_file(here / "j.db-wal", there / "j.db-wal");
    const auto copy = opened(there / "j.db");
    for (const auto& [game, told] : heard.all()) CHECK(copy->read(game, 0).size() == told);
    CHECK(copy->open_games().size() == std::min<std::uint64_t>(id, 10));
  }
}
