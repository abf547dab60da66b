#include "hub/league/file.hpp"

#include "hub/journal/sqlite_journal.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;
using gamehub::tests::folder;

bot_record some_bot() {
  bot_record b;
  b.id = bot_id{3};
  b.registration = 2;
  b.name = "dot [v2]";
  b.owner = "ann";
  b.version = "2";
  b.engine = "nim";
  b.endpoint = "http://h/rpc";
  b.language = "C";
  b.website = "http://w";
  b.description = "plays";
  b.secret = "s";
  b.state = bot_state::online;
  b.registered_at = base::wall_time{5s};
  b.account = "192.0.2.7";
  b.since = base::wall_time{4s};
  b.has_answered = true;
  b.signing_secret = "0123456789abcdef";
  return b;
}

scheduled_match some_fixture(std::uint64_t id, match_state state, base::wall_time at,
                             run_id run = {}) {
  scheduled_match f;
  f.id = match_id{id};
  f.run = run;
  f.engine = "nim";
  f.bots = {bot_id{3}, bot_id{4}};
  f.versions = {"1", "2"};
  f.state = state;
  f.game = game_id{40 + id};
  f.openings = 2;
  f.at = at;
  return f;
}

void write(file& to, const changes& all) {
  to.begin();
  to.apply(all);
  to.commit();
}

TEST_CASE("arena_file: rows are read back unchanged") {
  const folder here;
  changes all;
  all.bots.push_back(some_bot());
  auto won = some_fixture(1, match_state::ended, base::wall_time{10s});
  won.got = match_result{1, loss_reason::timeout};
  auto drawn = some_fixture(2, match_state::ended, base::wall_time{10s});
  drawn.got = match_result{};
  all.fixtures = {won, drawn, some_fixture(3, match_state::ended, base::wall_time{10s}),
                  some_fixture(4, match_state::running, base::wall_time{1s})};
  all.failures.push_back({bot_id{3},
                          {bot_error_code::out_of_bounds, "no such place", game_id{9}},
                          base::wall_time{7s}});
  all.ratings.push_back(
      {"nim", bot_id{3}, {1'512.25, 80.5, 0.0599}, 4, 2, 1, 1, base::wall_time{8s}});
  tournament r;
  r.id = run_id{6};
  r.engine = "nim";
  r.format = run_format::gauntlet;
  r.games = 8;
  r.bots = {bot_id{3}, bot_id{4}, bot_id{50}};
  r.patience = 9s;
  r.state = run_state::cancelled;
  r.made_at = base::wall_time{6s};
  all.runs.push_back(r);
  write(*std::make_unique<file>(here / "a.db", file::access::change), all);

  const auto got = file{here / "a.db", file::access::read}.load(base::wall_time{10s});
  REQUIRE(got.bots.size() == 1);
  const auto& b = got.bots[0];
  CHECK(b.name == "dot [v2]");
  CHECK(b.owner == "ann");
  CHECK(b.registration == 2);
  CHECK(b.endpoint == "http://h/rpc");
  CHECK(b.description == "plays");
  CHECK(b.secret == "s");
  CHECK(b.state == bot_state::online);
  CHECK(b.registered_at == base::wall_time{5s});
  CHECK(b.account == "192.0.2.7");
  CHECK(b.since == base::wall_time{4s});
  CHECK(b.has_answered);
  CHECK(b.signing_secret == "0123456789abcdef");
  REQUIRE(got.fixtures.size() == 4);
  CHECK(got.fixtures[0].got->winner == 1);
  CHECK(got.fixtures[0].got->how == loss_reason::timeout);
  CHECK(got.fixtures[0].versions[1] == "2");
  CHECK((got.fixtures[1].got && !got.fixtures[1].got->winner));
  CHECK_FALSE(got.fixtures[2].got);
  CHECK(got.fixtures[3].state == match_state::running);
  CHECK(got.fixtures[3].game == game_id{44});
  CHECK(got.last_fixture == match_id{4});
  REQUIRE(got.failures.size() == 1);
  CHECK(got.failures[0].what.text == "no such place");
  REQUIRE(got.ratings.size() == 1);
  CHECK(got.ratings[0].now.rating == 1'512.25);
  CHECK(got.ratings[0].now.volatility == 0.0599);
  CHECK(got.ratings[0].wins == 2);
  REQUIRE(got.runs.size() == 1);
  CHECK(got.runs[0].bots == r.bots);
  CHECK(got.runs[0].format == run_format::gauntlet);
  CHECK(got.runs[0].patience == 9s);
}

TEST_CASE("arena_file: old results are skipped and deleted, those of tournaments with them") {
  const folder here;
  file f{here / "a.db", file::access::change};
  changes all;
  tournament r;
  r.id = run_id{1};
  all.runs.push_back(r);
  all.fixtures = {some_fixture(1, match_state::ended, base::wall_time{1s}),
                  some_fixture(2, match_state::ended, base::wall_time{1s}, run_id{1}),
                  some_fixture(3, match_state::ended, base::wall_time{9s}),
                  some_fixture(4, match_state::ended, base::wall_time{1s})};
  write(f, all);
  CHECK(f.load(base::wall_time{9s}).fixtures.size() == 2);
  f.begin();
  f.forget_fixtures(base::wall_time{9s});
  f.commit();
  // The last one stays for its number.
  CHECK(f.load({}).fixtures.size() == 3);
  changes drop;
  drop.dropped.push_back(run_id{1});
  drop.withdrawn.push_back(match_id{3});
  write(f, drop);
  CHECK(f.load({}).fixtures.size() == 1);
  CHECK(f.load({}).runs.empty());
}

TEST_CASE("arena_file: of each bot the latest failures are kept") {
  const folder here;
  file f{here / "a.db", file::access::change};
  changes all;
  for (std::uint64_t n = 1; n <= failures_kept + 3; ++n)
    all.failures.push_back({bot_id{3}, {bot_error_code::out_of_bounds, "", game_id{n}}, {}});
  all.failures.push_back({bot_id{4}, {bot_error_code::occupied, "", game_id{1}}, {}});
  write(f, all);
  const auto got = f.load({}).failures;
  REQUIRE(got.size() == failures_kept + 1);
  CHECK(got[0].what.game == game_id{4});
}

TEST_CASE("arena_file: a removed bot leaves no row, and its id is not used again") {
  const folder here;
  {
    file f{here / "a.db", file::access::change};
    changes all;
    all.bots.push_back(some_bot());
    all.failures.push_back({bot_id{3}, {bot_error_code::occupied, "", game_id{1}}, {}});
    all.ratings.push_back({"nim", bot_id{3}, {}, 1, 1, 0, 0, {}});
    all.ratings.push_back({"nim", bot_id{2}, {}, 1, 0, 0, 1, {}});
    write(f, all);
    CHECK(f.load({}).last_bot == bot_id{3});
    changes gone;
    gone.removed = {bot_id{3}, bot_id{1}};
    write(f, gone);
  }
  file f{here / "a.db", file::access::change};
  const auto got = f.load({});
  CHECK(got.bots.empty());
  CHECK(got.failures.empty());
  REQUIRE(got.ratings.size() == 1);
  CHECK(got.ratings[0].who == bot_id{2});
  CHECK(got.last_bot == bot_id{3});
  // The name is free, also within one change.
  changes both;
  both.bots = {some_bot(), some_bot()};
  both.bots[0].id = bot_id{4};
  both.bots[1].id = bot_id{5};
  both.removed = {bot_id{4}};
  write(f, both);
  CHECK(f.load({}).bots.size() == 1);
  CHECK(f.load({}).last_bot == bot_id{5});
}

TEST_CASE("arena_file: the file of an older hub keeps its bots, as those of their owners") {
  const folder here;
  {
    file f{here / "a.db", file::access::change};
    changes all;
    all.bots.push_back(some_bot());
    write(f, all);
  }
  {
    journal::sqlite::database old{here / "a.db", journal::sqlite::mode::create, 1s};
    for (const auto* column : {"account", "since", "answered", "signing_secret"})
      old.run(("ALTER TABLE bots DROP COLUMN " + std::string{column}).c_str());
    old.run("DROP TABLE last_ids");
    old.run("PRAGMA user_version=1");
  }
  CHECK_THROWS_AS((file{here / "a.db", file::access::read}), journal::unusable_file);
  const auto got = file{here / "a.db", file::access::change}.load({});
  REQUIRE(got.bots.size() == 1);
  CHECK(got.bots[0].name == "dot [v2]");
  CHECK(got.bots[0].account == "ann");
  CHECK(got.bots[0].has_answered);
  CHECK(got.bots[0].signing_secret.empty());
  CHECK(got.last_bot == bot_id{3});
}

TEST_CASE("arena_file: a token is known until it is revoked") {
  const folder here;
  file f{here / "a.db", file::access::change};
  f.add_token({"ann", "d1", base::wall_time{1s}, {}});
  f.add_token({"ann", "d2", base::wall_time{2s}, {}});
  f.add_token({"bob", "d3", base::wall_time{3s}, {}});
  CHECK(f.owner_of("d2") == "ann");
  CHECK_FALSE(f.owner_of("d4"));
  CHECK(f.revoke_tokens("ann", base::wall_time{4s}) == 2);
  CHECK(f.revoke_tokens("ann", base::wall_time{4s}) == 0);
  CHECK_FALSE(f.owner_of("d2"));
  CHECK(f.owner_of("d3") == "bob");
  const auto all = f.tokens();
  REQUIRE(all.size() == 3);
  CHECK(all[0].revoked == base::wall_time{4s});
  CHECK_FALSE(all[2].revoked);
}

TEST_CASE("arena_file: a backup is what was there, and never takes the place of the file itself") {
  const folder here;
  file f{here / "a.db", file::access::change};
  changes all;
  all.bots.push_back(some_bot());
  write(f, all);
  f.add_token({"ann", "d1", base::wall_time{1s}, {}});
  file beside{here / "a.db", file::access::read};
  // What another program is in the middle of is not in it, and does not keep it from being made.
  f.begin();
  all.bots.front().name = "later";
  f.apply(all);
  beside.backup(here / "copy.db");
  beside.backup(here / "copy.db");
  f.commit();
  file copy{here / "copy.db", file::access::read};
  REQUIRE(copy.bots().size() == 1);
  CHECK(copy.bots().front().name == "dot [v2]");
  CHECK(copy.owner_of("d1") == "ann");
  CHECK_THROWS_AS(beside.backup(here / "a.db"), journal::unusable_file);
  CHECK_THROWS_AS(beside.backup(here / "a.db" / "x.db"), journal::unusable_file);
  // It is not left in the middle of anything.
  write(f, all);
  CHECK(beside.bots().front().name == "later");
}

TEST_CASE("arena_file: another program's file and a newer file are refused") {
  const folder here;
  journal::sqlite::database{here / "other.db", journal::sqlite::mode::create, 1s}.run(
      "CREATE TABLE t (x)");
  CHECK_THROWS_AS((file{here / "other.db", file::access::change}), journal::unusable_file);
  static_cast<void>(file{here / "a.db", file::access::change});
  journal::sqlite::database{here / "a.db", journal::sqlite::mode::write, 1s}.run(
      "PRAGMA user_version=99");
  CHECK_THROWS_AS((file{here / "a.db", file::access::change}), journal::unusable_file);
}

}  // namespace
}  // namespace gamehub::league
