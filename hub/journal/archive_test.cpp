#include "hub/journal/archive.hpp"

#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <fstream>
#include <iterator>
#include <thread>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

struct seen {
  std::vector<std::uint64_t> ids;
  std::map<std::uint64_t, archived_game> games;
};

seen all_of(archive& from, std::span<const game_id> wanted = {}) {
  seen s;
  from.for_each(wanted, [&](archived_game& g) {
    s.ids.push_back(g.header.id.value);
    s.games[g.header.id.value] = g;
    return true;
  });
  return s;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

TEST_CASE("archive: gives games by number, open and ended ones, while the hub runs") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  for (const auto id : {5u, 2u, 9u, 1u, 7u}) {
    log->open(header(id));
    append(*log, id, 1, 4, heard);
  }
  end(*log, 9, 5, heard);
  end(*log, 2, 5, heard);
  log->quarantine(game_id{1}, "a test");
  log->flush();
  REQUIRE(heard.wait(game_id{9}, 5));

  const auto from = open_archive(here / "j.db", access::read);
  const auto s = all_of(*from);
  CHECK(s.ids == std::vector<std::uint64_t>{1, 2, 5, 7, 9});
  for (const auto& [id, g] : s.games) {
    CHECK_FALSE(g.damage);
    CHECK(in_order(id, g.records));
    CHECK(g.header.engine == "tictactoe");
    CHECK(g.records.size() == (id == 2 || id == 9 ? 5 : 4));
  }
  CHECK(s.games.at(1).state == game_state::quarantined);
  CHECK(s.games.at(1).note == "a test");
  CHECK(s.games.at(2).state == game_state::ended);
  CHECK(s.games.at(5).state == game_state::open);

  const std::array wanted{game_id{9}, game_id{5}, game_id{9}, game_id{77}};
  CHECK(all_of(*from, wanted).ids == std::vector<std::uint64_t>{5, 9});
  int taken = 0;
  from->for_each({}, [&](archived_game&) { return ++taken < 3; });
  CHECK(taken == 3);

  const auto t = from->totals();
  CHECK(t.games == 5);
  CHECK(t.records == 22);
  CHECK(t.newest == base::wall_time{std::chrono::milliseconds{2'000}});
  REQUIRE(t.engines.size() == 1);
  CHECK(t.engines[0].open == 2);
  CHECK(t.engines[0].ended == 2);
  CHECK(t.engines[0].quarantined == 1);
  CHECK(t.file_bytes > 0);
  CHECK_FALSE(from->damage());
}

TEST_CASE("archive: a backup is one snapshot, while games continue") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  std::atomic<bool> enough{false};
  std::thread loop{[&] {
    for (std::uint64_t id = 1; !enough || id < 200; ++id) {
      play(*log, id, heard);
      log->flush();
      if (!heard.wait(game_id{id}, 5)) return;
    }
  }};
  if (!heard.wait(game_id{100}, 5)) FAIL("no games");
  const auto from = open_archive(here / "j.db", access::read);
  double done = 0;
  from->backup(here / "copy.db", [&](double share) { done = share; });
  // Also in the place of an older one.
  from->backup(here / "copy.db", {});
  enough = true;
  loop.join();
  CHECK(done == 1.0);
  CHECK_FALSE(std::filesystem::exists(here / "copy.db.partial"));
  const auto copy = open_archive(here / "copy.db", access::read);
  CHECK_FALSE(copy->damage());
  const auto s = all_of(*copy);
  CHECK(s.ids.size() >= 100);
  for (std::size_t i = 0; i < s.ids.size(); ++i) REQUIRE(s.ids[i] == i + 1);
  for (const auto& [id, g] : s.games) CHECK((!g.damage && g.records.size() == 5));
  const auto again = opened(here / "copy.db");
  CHECK(again->last_numbers().game.value == s.ids.size());
}

TEST_CASE("archive: a backup never replaces the journal, nor a file in use") {
  const folder here;
  ears heard;
  const auto log = opened(here / "j.db");
  const auto from = open_archive(here / "j.db", access::read);
  CHECK_THROWS_AS(from->backup(here / "j.db", {}), unusable_file);
  const auto other = opened(here / "other.db");
  CHECK_THROWS_AS(from->backup(here / "other.db", {}), unusable_file);
  CHECK_THROWS_AS(from->backup(here / "j.db" / "x.db", {}), unusable_file);
}

TEST_CASE("archive: removes the chat of a removed player, and no other chat") {
  const folder here;
  ears heard;
  auto log = opened(here / "j.db");
  log->open(header(1));
  append(*log, 1, 1, 3, heard);
  record_number n = 3;
  const auto say = [&](std::int16_t seat, const char* what) {
    auto r = record_of(1, ++n);
    r.what = record::kind::said;
    r.seat = seat;
    r.state = 0;
    r.text = what;
    log->append(game_id{1}, {&r, 1}, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{1}, n));
  };
  // Each lies in a separate batch, too.
  say(0, "my name is Legion");
  say(1, "well met");
  say(0, "for we are many");
  end(*log, 1, ++n, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{1}, n));
  const auto from = open_archive(here / "j.db", access::change);
  CHECK(from->forget_player(player_id{2}).games == 1);
  const auto records = all_of(*from).games.at(1).records;
  CHECK(records.at(3).text.empty());
  CHECK(records.at(4).text == "well met");
  CHECK(records.at(5).text.empty());
  log.reset();
  CHECK(bytes_of(here / "j.db").find("Legion") == std::string::npos);
  CHECK(bytes_of(here / "j.db").find("we are many") == std::string::npos);
}

TEST_CASE("archive: removes all names of a player, also those before the one that is given") {
  const folder here;
  ears heard;
  auto log = opened(here / "j.db");
  log->open(header(1));
  append(*log, 1, 1, 3, heard);
  // Each lies in a separate batch.
  record_number n = 3;
  for (const auto* name : {"Legion", "Gerasene"}) {
    auto r = record_of(1, 2);
    r.number = ++n;
    r.text = name;
    r.secret.clear();
    log->append(game_id{1}, {&r, 1}, heard);
    log->flush();
    REQUIRE(heard.wait(game_id{1}, n));
  }
  end(*log, 1, ++n, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{1}, n));
  const auto from = open_archive(here / "j.db", access::change);
  CHECK(from->forget_name("Legion").games == 1);
  const auto records = all_of(*from).games.at(1).records;
  for (const auto i : {1u, 3u, 4u}) CHECK(records.at(i).text.empty());
  CHECK(records.at(2).text == record_of(1, 3).text);
  log.reset();
  for (const auto* name : {"Legion", "Gerasene", "player 2"})
    CHECK(bytes_of(here / "j.db").find(name) == std::string::npos);
}

TEST_CASE("archive: removes a player from ended games, and counts the open ones") {
  const folder here;
  ears heard;
  auto log = opened(here / "j.db");
  // Player 2n+1 is in game n only (record_of).
  for (std::uint64_t id = 1; id <= 1'200; ++id) play(*log, id, heard);
  log->open(header(2'000));
  append(*log, 2'000, 1, 4, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{2'000}, 4));
  append(*log, 2'000, 5, 5, heard);
  log->open(header(2'001));
  append(*log, 2'001, 1, 4, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{2'001}, 4));
  end(*log, 2'001, 5, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{2'001}, 5));

  const auto from = open_archive(here / "j.db", access::change);
  auto done = from->forget_player(player_id{1'400});
  CHECK(done.games == 1);
  CHECK(done.open == 0);
  done = from->forget_name("player 1401");
  CHECK(done.games == 1);
  CHECK(from->forget_name("player 1401").games == 0);
  done = from->forget_player(player_id{4'000});
  CHECK(done.games == 0);
  CHECK(done.open == 1);
  // A game whose beginning is still in a batch though it ended.
  CHECK(from->forget_player(player_id{4'002}).games == 1);

  const auto s = all_of(*from);
  for (const auto n : {1u, 2u}) {
    const auto& r = s.games.at(700).records.at(n);
    CHECK(r.text.empty());
    CHECK(r.secret.empty());
    CHECK(r.action == static_cast<std::int64_t>(1'399 + n));
  }
  CHECK_FALSE(s.games.at(700).damage);
  CHECK(s.games.at(699).records.at(1).text == "player 1398");
  CHECK(s.games.at(2'000).records.at(1).text == "player 4000");
  CHECK(s.games.at(2'001).records.at(1).text.empty());
  // The hub goes on, and so does the next one.
  append(*log, 2'000, 6, 6, heard);
  log->flush();
  REQUIRE(heard.wait(game_id{2'000}, 6));
  log.reset();
  CHECK(bytes_of(here / "j.db").find("player 4002") == std::string::npos);
  log = opened(here / "j.db");
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{2'000});
  CHECK(in_order(2'000, log->read(game_id{2'000}, 0)));
}
