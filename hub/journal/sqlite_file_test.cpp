#include "hub/journal/sqlite_file.hpp"

#include "hub/journal/archive.hpp"
#include "hub/journal/encoding.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <fstream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

std::string why_refused(const std::filesystem::path& file) {
  try {
    open_sqlite_journal(settings(file), {});
  } catch (const unusable_file& e) {
    return e.what();
  }
  return "";
}

unsigned rights(const std::filesystem::path& path) {
  return static_cast<unsigned>(std::filesystem::status(path).permissions());
}

// Two open games and two ended ones, each begun in a separate batch.
void write_some(const std::filesystem::path& file) {
  ears heard;
  const auto log = opened(file);
  for (std::uint64_t id = 1; id <= 4; ++id) {
    log->open(header(id));
    append(*log, id, 1, 4, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{id}, 4));
  }
  append(*log, 1, 5, 5, heard);
  append(*log, 2, 5, 5, heard);
  for (std::uint64_t id = 3; id <= 4; ++id) end(*log, id, 5, heard);
}

void spoil(const std::filesystem::path& file, const char* text) {
  sqlite::database db{file, sqlite::mode::write, patience};
  db.run(text);
}

}  // namespace

TEST_CASE("sqlite_file: folders and files are made for their owner alone") {
  const folder here;
  const auto file = here / "a" / "b" / "j.db";
  const auto log = open_sqlite_journal(settings(file), {});
  CHECK(rights(here / "a") == 0700);
  CHECK(rights(here / "a" / "b") == 0700);
  for (const auto* end : {"", "-wal", "-shm", ".lock"}) {
    auto path = file;
    CHECK(rights(path += end) == 0600);
  }
}

TEST_CASE("sqlite_file: one hub per file, the error of the second names the first") {
  const folder here;
  CHECK(why_locked(here / "j.db").empty());
  {
    const auto first = open_sqlite_journal(settings(here / "j.db"), {});
    // The number of this process would not help to find the other one.
    CHECK_THAT(why_refused(here / "j.db"), Catch::Matchers::Contains("in use by another hub: "));
    CHECK(why_locked(here / "j.db") == "is in use by another hub");
    for (const auto& [holder, words] : std::vector<std::pair<std::string, std::string>>{
             {std::to_string(::getppid()), " (process " + std::to_string(::getppid()) + ')'},
             {"99999999", ""},
             {"-1", ""},
             {"x", ""},
             {"", ""}}) {
      std::ofstream{(here / "j.db").string() + ".lock"} << holder << " open\n";
      CHECK(why_locked(here / "j.db") == "is in use by another hub" + words);
    }
    // Who only reads need not be alone.
    CHECK(open_archive(here / "j.db", access::read)->totals().games == 0);
  }
  CHECK(why_locked(here / "j.db").empty());
  CHECK(why_refused(here / "j.db").empty());
}

TEST_CASE("sqlite_file: knows whether the process before released its lock") {
  const folder here;
  const auto lock_file = here / "j.db.lock";
  CHECK_FALSE(file_lock{here / "j.db"}.left_open());
  CHECK_FALSE(file_lock{here / "j.db"}.left_open());
  // A process that was killed, and one of the former version, which wrote its number alone.
  std::ofstream{lock_file} << "123 open\n";
  CHECK(file_lock{here / "j.db"}.left_open());
  std::ofstream{lock_file} << "123\n";
  CHECK_FALSE(file_lock{here / "j.db"}.left_open());
}

TEST_CASE(
    "sqlite_file: notes stay until they are removed, also in the file of a process that died") {
  const folder here;
  using notes = std::vector<std::uint64_t>;
  {
    file_lock one{here / "j.db"};
    CHECK(one.notes().empty());
    CHECK(one.add_note(~std::uint64_t{0}));
    CHECK(one.add_note(7));
    CHECK(one.add_note(8));
    CHECK(one.remove_note(7));
    CHECK_FALSE(one.remove_note(7));
  }
  file_lock next{here / "j.db"};
  CHECK_FALSE(next.left_open());
  CHECK(next.notes() == notes{~std::uint64_t{0}, 8});
  CHECK(next.remove_note(8));
  std::size_t most = 1;
  while (next.add_note(100 + most)) ++most;
  CHECK(most == 64);
  CHECK(next.notes().size() == most);
}

TEST_CASE("sqlite_file: a file that is no database is refused and stays unchanged") {
  const folder here;
  std::ofstream{here / "letter.txt"} << std::string(5'000, 'x');
  CHECK_THAT(why_refused(here / "letter.txt"), Catch::Matchers::Contains("is no journal"));
  CHECK(std::filesystem::file_size(here / "letter.txt") == 5'000);
  std::filesystem::create_directory(here / "folder");
  CHECK_THAT(why_refused(here / "folder"), Catch::Matchers::Contains("is a folder"));
  CHECK_THAT(why_refused(here / "letter.txt" / "j.db"), Catch::Matchers::Contains("letter.txt"));
  CHECK_THROWS_AS(open_archive(here / "letter.txt", access::read), unusable_file);
  CHECK_THROWS_AS(open_archive(here / "none.db", access::read), unusable_file);
}

TEST_CASE("sqlite_file: a file that was cut off is refused") {
  const folder here;
  write_some(here / "j.db");
  std::filesystem::resize_file(here / "j.db", 3 * 4'096);
  CHECK_THAT(why_refused(here / "j.db"), Catch::Matchers::Contains("is damaged"));
}

TEST_CASE("sqlite_file: a read-only file is refused") {
  // The rights of a file do not bind root.
  if (::geteuid() == 0) return;
  const folder here;
  write_some(here / "j.db");
  ::chmod((here / "j.db").c_str(), 0400);
  CHECK_FALSE(why_refused(here / "j.db").empty());
}

TEST_CASE("sqlite_file: a damaged batch is refused by its number, and the rest can be read") {
  const folder here;
  write_some(here / "j.db");
  SECTION("changed") {
    spoil(here / "j.db", "UPDATE batches SET bytes = zeroblob(length(bytes)) WHERE id = 2");
    CHECK_THAT(why_refused(here / "j.db"), Catch::Matchers::Contains("batch 2 does not agree"));
  }
  SECTION("gone") {
    spoil(here / "j.db", "DELETE FROM batches WHERE id = 2");
    CHECK_THAT(why_refused(here / "j.db"), Catch::Matchers::Contains("batch 2 is missing"));
  }
  SECTION("gone at the beginning") {
    spoil(here / "j.db", "DELETE FROM batches WHERE id = 1");
    CHECK_THAT(why_refused(here / "j.db"),
               Catch::Matchers::Contains("the beginning of game 1 is missing"));
    return;
  }
  CHECK_THAT(why_refused(here / "j.db"), Catch::Matchers::Contains("gamehub journal export"));
  const auto saved = open_archive(here / "j.db", access::read);
  std::vector<std::uint64_t> whole, damaged;
  saved->for_each({}, [&](archived_game& g) {
    (g.damage ? damaged : whole).push_back(g.header.id.value);
    CHECK(in_order(g.header.id.value, g.records));
    return true;
  });
  CHECK(whole == std::vector<std::uint64_t>{3, 4});
  CHECK(damaged == std::vector<std::uint64_t>{1});
  CHECK(saved->damage());
}

TEST_CASE("sqlite_file: a game with a damaged log goes into quarantine, the others continue") {
  const folder here;
  auto tuning = quick();
  tuning.redo_bytes_max = 1;
  ears heard;
  {
    const auto log = opened(here / "j.db", tuning);
    log->open(header(1));
    log->open(header(2));
    for (record_number n = 1; n <= 4; ++n) {
      append(*log, 1, n, n, heard);
      append(*log, 2, n, n, heard);
      log->flush();
      REQUIRE(heard.wait(game_id{2}, n));
    }
  }
  spoil(here / "j.db", "UPDATE kept SET log = zeroblob(length(log)) WHERE id = 1");
  for (int start = 0; start < 2; ++start) {
    const auto log = opened(here / "j.db");
    CHECK(open_ids(*log) == std::vector<std::uint64_t>{2});
    CHECK(log->report().games_quarantined == 1);
    CHECK(log->read(game_id{1}, 0).empty());
  }
  const std::array wanted{game_id{1}};
  int found = 0;
  open_archive(here / "j.db", access::read)->for_each(wanted, [&](archived_game& g) {
    ++found;
    CHECK(g.state == game_state::quarantined);
    CHECK_THAT(g.note, Catch::Matchers::Contains("damaged"));
    CHECK(g.damage);
    return true;
  });
  CHECK(found == 1);
}

TEST_CASE(
    "sqlite_file: one flipped byte of an ended game is found, and it is not shown as a game") {
  const folder here;
  write_some(here / "j.db");
  sqlite::database db{here / "j.db", sqlite::mode::write, patience};
  const auto size = db.number("SELECT length(log) FROM games WHERE id = 3");
  const auto read = [&] {
    std::optional<std::string> damage;
    const std::array wanted{game_id{3}};
    open_archive(here / "j.db", access::read)->for_each(wanted, [&](archived_game& g) {
      damage = g.damage;
      return true;
    });
    return damage;
  };
  CHECK_FALSE(read());
  auto select = db.prepare("SELECT log FROM games WHERE id = 3");
  auto update = db.prepare("UPDATE games SET log = ? WHERE id = 3");
  std::string log;
  {
    sqlite::rows one{select};
    REQUIRE(one.next());
    log = select.blob(0);
  }
  for (std::size_t at = 0; at < static_cast<std::size_t>(size); at += 7) {
    auto flipped = log;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    update.bind_blob(1, flipped);
    update.run();
    INFO("byte " << at);
    CHECK(read());
  }
  CHECK(opened(here / "j.db")->read(game_id{3}, 0).empty());
}

TEST_CASE("sqlite_file: writing waits until a moved or replaced file is back") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  log->open(header(1));
  append(*log, 1, 1, 4, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{1}, 4));
  write_some(here / "other.db");
  const auto rename = [&](const char* from, const char* to) {
    std::filesystem::rename(here / from, here / to);
  };
  rename("j.db", "away.db");
  SECTION("moved") {}
  SECTION("replaced") { rename("other.db", "j.db"); }
  append(*log, 1, 5, 5, heard);
  log->flush();
  while (!log->trouble() || log->report().failures < 3) std::this_thread::yield();
  CHECK_THAT(*log->trouble(), Catch::Matchers::Contains("moved, deleted or replaced"));
  CHECK(heard.told(game_id{1}) == 4);
  rename("away.db", "j.db");
  CHECK(heard.wait(game_id{1}, 5));
}
