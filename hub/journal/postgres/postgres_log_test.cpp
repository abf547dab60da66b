#include "hub/journal/postgres/postgres_log.hpp"

#include "hub/journal/log_writer.hpp"
#include "hub/journal/postgres/postgres_archive.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/journal/record_format.hpp"
#include "tests/journal/log_store_contract.hpp"
#include "tests/journal/scene.hpp"
#include "tests/journal/test_database.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <atomic>
#include <thread>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::journal::postgres;
using namespace gamehub::tests;

namespace {

class database : public test_database {
 public:
  std::unique_ptr<postgres_log> log(connection::limits limits = {}) const {
    return std::make_unique<postgres_log>(postgres_settings{target(), "here:1", "1.0", limits});
  }
  std::unique_ptr<postgres_log> opened(connection::limits limits = {}) const {
    auto one = log(limits);
    one->open();
    return one;
  }
};

log_place database_place() {
  struct place {
    database db;
    std::unique_ptr<postgres_log> next;
  };
  const auto p = std::make_shared<place>();
  return {[p] { return p->db.opened(); },
          [p](std::unique_ptr<log_store> before) {
            const auto dead = dynamic_cast<postgres_log&>(*before).self();
            p->next = p->db.opened();
            REQUIRE(p->next->adopt(dead) == adoption::adopted);
            return p->next->recover(dead);
          },
          [p]() -> log_store& { return *p->next; }};
}

std::string why_unusable(postgres_log& log) {
  try {
    log.open();
  } catch (const unusable_log& e) {
    return e.what();
  }
  return "";
}

// A session that holds a lock which appends of this member wait for.
class blockade {
 public:
  blockade(const database& db, member_id of) : session_(db.target(), {}) {
    session_.run("BEGIN");
    session_.run("SELECT id FROM gamehub.members WHERE id = $1 FOR UPDATE", {number(of.value)});
  }
  void end() { session_.run("ROLLBACK"); }

 private:
  connection session_;
};

// Waits until no transaction but this one's own is open.
void wait_for_quiet(const database& db) {
  auto c = db.connect();
  while (c.run("SELECT pid::bigint FROM pg_stat_activity WHERE datname = current_database()"
               " AND pid <> pg_backend_pid() AND state <> 'idle'")
             .rows() != 0)
    std::this_thread::yield();
}

// A server that is busy still answers in this time.
constexpr connection::limits impatient{std::chrono::seconds{5}, std::chrono::seconds{1}};

// While it lives, each commit waits for a standby that does not exist.
class missing_standby {
 public:
  explicit missing_standby(const database& db) : admin_(db.target(), {}) {
    admin_.run("CREATE TABLE probe (n bigint)");
    admin_.run("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
    admin_.run("SELECT pg_reload_conf()");
    // The server takes the setting at some time.
    try {
      for (;;) connection{db.target(), impatient}.run("INSERT INTO probe VALUES (1)");
    } catch (const error&) {
    }
  }
  missing_standby(const missing_standby&) = delete;
  missing_standby& operator=(const missing_standby&) = delete;
  ~missing_standby() {
    admin_.run("ALTER SYSTEM RESET synchronous_standby_names");
    admin_.run("SELECT pg_reload_conf()");
  }
  // Cancels what waits: the server then commits without a standby.
  void cancel() {
    admin_.run(
        "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  }

 private:
  connection admin_;
};

// As the writer does, until the database has its settings again.
bool stores_at_last(log_store& log, const log_batch& b) {
  auto result = append_surely(log, b);
  while (result.what == append_outcome::unknown) result = append_surely(log, b);
  return result.what == append_outcome::written;
}

}  // namespace

TEST_CASE("postgres_log: keeps the contract") { check_log_store(database_place); }

TEST_CASE("postgres_log: keeps the contract of shared logs") {
  const database db;
  check_shared_log([&]() -> std::unique_ptr<shared_log> { return db.opened(); });
}

TEST_CASE("postgres_log: games are asleep in it as in all shared logs") {
  const database db;
  check_shared_sleepers([&]() -> std::unique_ptr<shared_log> { return db.opened(); });
}

TEST_CASE("postgres_log: members that take the same games at the same moment never both have one") {
  const database db;
  const auto ann = db.opened(), bob = db.opened();
  sample_batch open{1}, asleep{2};
  constexpr std::uint64_t games = 40;
  for (std::uint64_t g = 1; g <= games; ++g) open.opens(g, 2);
  for (std::uint64_t g = 1; g <= games; ++g) asleep.sleeps(g, 2, 5, {"dann"});
  REQUIRE(stores(*ann, std::move(open)));
  REQUIRE(stores(*ann, std::move(asleep)));
  std::array<std::vector<std::uint64_t>, 2> taken;
  const auto run = [&](shared_log& by, std::vector<std::uint64_t>& into, bool due) {
    for (std::uint64_t g = 1; g <= games; ++g) {
      sleeper_query what;
      if (due)
        what.due = base::wall_time{std::chrono::milliseconds{9}};
      else
        what.game = {g};
      const auto more = takes(by, what);
      if (more) into.insert(into.end(), more->begin(), more->end());
    }
  };
  std::thread other{[&] { run(*bob, taken[1], true); }};
  run(*ann, taken[0], false);
  other.join();
  std::set<std::uint64_t> all;
  for (const auto& each : taken) all.insert(each.begin(), each.end());
  CHECK(all.size() == games);
  CHECK(taken[0].size() + taken[1].size() == games);
}

TEST_CASE("postgres_log: who does not hear what it took has it with the next answer") {
  const database db;
  const auto ann = db.opened(), bob = db.opened();
  REQUIRE(stores(*ann, std::move(sample_batch{1}.opens(1, 2).opens(2, 2).opens(3, 2))));
  REQUIRE(stores(*ann, std::move(sample_batch{2}.sleeps(1, 2, 5, {"dann"}).sleeps(2, 2, 6, {}))));
  REQUIRE(takes(*bob, {.game = {2}}) == std::vector<std::uint64_t>{2});
  blockade hold{db, bob->self()};
  CHECK(takes(*bob, {.game = {1}}) == std::nullopt);
  // The server executes it when it can.
  hold.end();
  wait_for_quiet(db);
  CHECK_FALSE(ann->read_asleep(game_id{1}));
  CHECK(takes(*ann, {.game = {1}}) == std::vector<std::uint64_t>{});
  std::optional<std::vector<std::uint64_t>> found;
  while (!found) found = takes(*bob, {.keys = {"dcid"}});
  CHECK(found == std::vector<std::uint64_t>{1});
  CHECK(takes(*bob, {.keys = {"dcid"}}) == std::vector<std::uint64_t>{});
}

TEST_CASE("postgres_log: a time in which no hub looked for games that are due is a pause") {
  const database db;
  const auto ann = db.opened();
  const auto at = [](std::chrono::minutes m) { return base::wall_time{m}; };
  using std::chrono::minutes;
  REQUIRE(stores(*ann, std::move(sample_batch{1}.opens(1, 2).opens(2, 2))));
  const auto due = std::chrono::milliseconds{minutes{100}}.count();
  REQUIRE(stores(*ann, std::move(sample_batch{2}.sleeps(1, 2, due, {}))));
  for (const auto m : {minutes{10}, minutes{11}, minutes{50}, minutes{52}})
    CHECK(takes(*ann, {.due = at(m)}) == std::vector<std::uint64_t>{});
  const auto row = ann->read_asleep(game_id{1});
  REQUIRE(row);
  REQUIRE(row->pauses.size() == 1);
  CHECK(row->pauses.front().began == at(minutes{11}));
  CHECK(row->pauses.front().ended == at(minutes{50}));
  const auto found =
      ann->take_asleep({.due = at(minutes{101}), .engines = engine_of_samples(), .most = 9});
  REQUIRE(found);
  REQUIRE(found->games.size() == 1);
  CHECK(found->games.front().second.pauses.size() == 2);
}

TEST_CASE("postgres_log: a row of a game that is asleep and was changed is damaged") {
  const database db;
  const auto ann = db.opened();
  REQUIRE(stores(*ann, std::move(sample_batch{1}.opens(1, 2))));
  REQUIRE(stores(*ann, std::move(sample_batch{2}.sleeps(1, 2, 5, {}))));
  db.connect().run("UPDATE gamehub.asleep SET records = 1");
  const auto found = ann->take_asleep({.game = {1}, .engines = engine_of_samples()});
  REQUIRE(found);
  REQUIRE(found->games.size() == 1);
  CHECK(found->games.front().second.damaged);
}

TEST_CASE("postgres_archive: an export and the counts have games that are asleep") {
  const database db;
  const auto ann = db.opened();
  REQUIRE(stores(*ann, std::move(sample_batch{1}.opens(1, 3).opens(2, 3))));
  REQUIRE(stores(*ann, std::move(sample_batch{2}.sleeps(1, 3, 5, {"dann"}))));
  const auto all = open_archive(db.target());
  std::vector<std::uint64_t> seen;
  all->for_each({}, [&](archived_game& g) {
    seen.push_back(g.header.id.value);
    return true;
  });
  CHECK(seen == std::vector<std::uint64_t>{1, 2});
  CHECK(all->totals().games == 2);
  CHECK_FALSE(all->damage());
  CHECK(all->forget_player(player_id{2}).open == 1);
}

TEST_CASE("postgres_log: a lost connection is made again, and the batch is there once") {
  const database db;
  const auto log = db.opened();
  sample_batch one{1}, two{2};
  REQUIRE(log->append(one.opens(1, 2).content()).what == append_outcome::written);
  db.cut();
  CHECK(log->append(two.continues(1, 3, 3).content()).what == append_outcome::unknown);
  CHECK(append_known(*log, two.content()).what == append_outcome::written);
  const auto next = db.opened();
  REQUIRE(next->adopt(log->self()) == adoption::adopted);
  CHECK(in_order(1, records_in(next->recover(log->self()), 1)));
}

TEST_CASE("postgres_log: a statement of a closed connection may be executed later") {
  const database db;
  const auto log = db.opened(impatient);
  sample_batch one{1};
  one.opens(1, 2);
  blockade lock{db, log->self()};
  CHECK(log->append(one.content()).what == append_outcome::unknown);
  lock.end();
  wait_for_quiet(db);
  // The server noticed the end of the connection only after the commit.
  CHECK(log->find_batch(1) == one.content().sum);
  CHECK(log->append(one.content()).what == append_outcome::present);
  CHECK(log->confirm().what == append_outcome::written);
  CHECK(append_surely(*log, sample_batch{2}.content()).what == append_outcome::written);
}

TEST_CASE("postgres_log: a batch that is executed after it was deleted writes nothing") {
  const database db;
  const auto log = db.opened(impatient), other = db.opened();
  REQUIRE(stores_at_last(*log, sample_batch{1}.opens(1, 2).content()));
  sample_batch two{2};
  two.keeps(1, 2);
  // What the writer does after the failure is done in the transaction that the late batch waits
  // for.
  auto later = db.connect();
  later.run("BEGIN");
  later.run("SELECT id FROM gamehub.members WHERE id = $1 FOR UPDATE", {number(log->self().value)});
  CHECK(log->append(two.content()).what == append_outcome::unknown);
  later.run("UPDATE gamehub.members SET freed = 3 WHERE id = $1", {number(log->self().value)});
  later.run("DELETE FROM gamehub.batches");
  later.run("COMMIT");
  wait_for_quiet(db);
  CHECK_FALSE(log->find_batch(2));
  CHECK(other->recover(log->self()).logs.games.empty());
  CHECK(append_known(*log, two.content()).what == append_outcome::conflict);
  CHECK(stores_at_last(*log, sample_batch{4}.content()));
}

TEST_CASE("postgres_log: a statement that is executed after an adoption writes nothing") {
  const database db;
  const auto log = db.opened(impatient), other = db.opened();
  sample_batch one{1};
  one.opens(1, 2);
  // The adoption is under way: it has changed the row, and has not committed.
  auto adopter = db.connect();
  adopter.run("BEGIN");
  adopter.run("UPDATE gamehub.members SET adopted_by = $1 WHERE id = $2",
              {number(other->self().value), number(log->self().value)});
  CHECK(log->append(one.content()).what == append_outcome::unknown);
  adopter.run("COMMIT");
  wait_for_quiet(db);
  CHECK_FALSE(log->find_batch(1));
  CHECK(log->append(one.content()).what == append_outcome::fenced);
}

TEST_CASE("postgres_log: an adoption waits for the append that is under way, and reads it") {
  const database db;
  const auto log = db.opened(impatient), other = db.opened();
  sample_batch one{1};
  one.opens(1, 2);
  // The append holds its share lock, and waits for a row that another session inserts.
  auto session = db.connect();
  session.run("BEGIN");
  session.run("INSERT INTO gamehub.suspicions (member, game) VALUES ($1, 1)",
              {number(log->self().value)});
  CHECK(log->append(one.marks(1, true).content()).what == append_outcome::unknown);
  std::atomic<bool> done{false};
  auto outcome = adoption::unknown;
  std::thread adopting{[&] {
    outcome = other->adopt(log->self());
    done = true;
  }};
  auto watcher = db.connect();
  while (!done &&
         watcher.run("SELECT pid::bigint FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                     " AND query LIKE 'UPDATE gamehub.members SET adopted_by%'")
                 .rows() == 0)
    std::this_thread::yield();
  CHECK_FALSE(done);
  session.run("ROLLBACK");
  adopting.join();
  CHECK(outcome == adoption::adopted);
  CHECK(records_in(other->recover(log->self()), 1).size() == 2);
}

TEST_CASE("postgres_log: a row that only the primary has does not count") {
  const database db;
  const auto log = db.opened(impatient);
  sample_batch one{1};
  one.opens(1, 2);
  {
    missing_standby none{db};
    CHECK(log->append(one.content()).what == append_outcome::unknown);
    while (!log->find_batch(1)) none.cancel();
    CHECK(log->append(one.content()).what == append_outcome::present);
    CHECK(log->confirm().what == append_outcome::unknown);
    CHECK(append_surely(*log, one.content()).what == append_outcome::unknown);
    const auto other = db.log(impatient);
    CHECK_THROWS_AS(other->open(), unusable_log);
    CHECK_FALSE(log->claim_ids(id_kind::games));
  }
  CHECK(stores_at_last(*log, one.content()));
}

TEST_CASE("postgres_log: a cancelled wait for the standby is a warning, and no success") {
  const database db;
  const auto log = db.opened();
  append_result result;
  {
    missing_standby none{db};
    std::atomic<bool> done{false};
    std::thread writing{[&] {
      result = log->append(sample_batch{1}.content());
      done = true;
    }};
    while (!done) none.cancel();
    writing.join();
  }
  CHECK(result.what == append_outcome::unknown);
  CHECK_THAT(result.why, Catch::Matchers::Contains("no standby"));
  CHECK(log->find_batch(1));
  CHECK(stores_at_last(*log, sample_batch{1}.content()));
}

TEST_CASE("postgres_log: a database that went back in time is not written over") {
  const database db;
  const auto log = db.opened();
  REQUIRE(stores(*log, std::move(sample_batch{1}.opens(1, 1))));
  REQUIRE(stores(*log, sample_batch{2}));
  auto admin = db.connect();
  admin.run("DELETE FROM gamehub.batches WHERE number = 2");
  const auto result = append_known(*log, sample_batch{3}.content());
  CHECK(result.what == append_outcome::conflict);
  CHECK_THAT(result.why, Catch::Matchers::Contains("the batch before"));
  admin.run("DELETE FROM gamehub.members");
  CHECK(append_known(*log, sample_batch{3}.content()).what == append_outcome::conflict);
}

TEST_CASE("postgres_log: members that start at the same moment create one schema") {
  const database db;
  std::vector<std::thread> starts;
  std::vector<std::uint64_t> ids(6);
  for (auto& id : ids)
    starts.emplace_back([&db, &id] {
      const auto one = db.log();
      try {
        one->open();
        id = one->self().value;
      } catch (const unusable_log&) {
      }
    });
  for (auto& s : starts) s.join();
  std::sort(ids.begin(), ids.end());
  CHECK(ids.front() != 0);
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

// Six members start at the same moment.
void start_six(const database& db) {
  std::vector<std::thread> starts;
  std::atomic<int> opened{0};
  for (int i = 0; i < 6; ++i)
    starts.emplace_back([&db, &opened] {
      try {
        db.opened();
        ++opened;
      } catch (const unusable_log&) {
      }
    });
  for (auto& s : starts) s.join();
  CHECK(opened == 6);
  auto admin = db.connect();
  const auto row = admin.run("SELECT version, least FROM gamehub.version");
  CHECK(row.rows() == 1);
  CHECK(row.number(0, 0) == schema_newest);
  CHECK(row.number(0, 1) == 1);
  // Members that know no format may be there.
  CHECK(admin.run("SELECT count FROM gamehub.changes WHERE what = 'record-format'").number(0, 0) ==
        1);
  const auto changes = admin.run("SELECT count FROM gamehub.changes WHERE what = 'sanctions'");
  REQUIRE(changes.rows() == 1);
  CHECK(changes.number(0, 0) == 0);
  CHECK(admin.run("SELECT count(*) FROM gamehub.sanctions").number(0, 0) == 0);
  CHECK(admin.run("SELECT count(*) FROM gamehub.heartbeats WHERE engines = ''").number(0, 0) != 0);
  const auto cluster = admin.run("SELECT id FROM gamehub.cluster");
  REQUIRE(cluster.rows() == 1);
  CHECK(cluster.bytes(0, 0).size() == 32);
}

// What schema 6 added.
void drop_schema_6(connection& admin) {
  admin.run(
      "DROP TABLE gamehub.asleep, gamehub.asleep_keys, gamehub.takers, gamehub.taken,"
      " gamehub.looked, gamehub.pauses");
  admin.run("UPDATE gamehub.changes SET count = 1 WHERE what = 'record-format'");
  admin.run("UPDATE gamehub.version SET version = 5, least = 1");
}

// What schemas 5 and 6 added.
void drop_schema_5(connection& admin) {
  drop_schema_6(admin);
  admin.run(
      "DROP TABLE gamehub.league, gamehub.league_tokens, gamehub.league_bots,"
      " gamehub.league_failures, gamehub.league_matches, gamehub.league_ratings,"
      " gamehub.league_runs");
  admin.run("ALTER TABLE gamehub.members DROP COLUMN reads");
  admin.run("DELETE FROM gamehub.changes WHERE what = 'record-format'");
  admin.run("UPDATE gamehub.version SET version = 4, least = 1");
}

// What schemas 4 to 6 added.
void drop_schema_4(connection& admin) {
  drop_schema_5(admin);
  admin.run("DROP TABLE gamehub.cluster");
  admin.run("ALTER TABLE gamehub.members DROP COLUMN link");
  admin.run("ALTER TABLE gamehub.heartbeats DROP COLUMN engines");
}

TEST_CASE("postgres_log: members that start at the same moment upgrade schema 1 once") {
  const database db;
  const auto old = db.opened();
  auto admin = db.connect();
  drop_schema_4(admin);
  admin.run("DROP TABLE gamehub.claims, gamehub.claimers, gamehub.changes, gamehub.sanctions");
  admin.run("UPDATE gamehub.version SET version = 1");
  CHECK_FALSE(changed(*old, {key_kind::claim, {"n-ann"}}));
  check_log({db.target(), "", "", {}});
  CHECK(admin.run("SELECT version FROM gamehub.version").number(0, 0) == 1);
  start_six(db);
  CHECK(claimed(*old, {"n-ann"}).size() == 1);
}

TEST_CASE("postgres_log: members that start at the same moment upgrade schema 2 once") {
  const database db;
  const auto old = db.opened();
  REQUIRE(claimed(*old, {"n-ann"}).size() == 1);
  auto admin = db.connect();
  drop_schema_4(admin);
  admin.run("DROP TABLE gamehub.changes, gamehub.sanctions");
  admin.run("UPDATE gamehub.version SET version = 2");
  start_six(db);
  // The member that is there goes on, and so do those that start with schema 2.
  CHECK(claimed(*old, {"n-ann", "n-bob"}).size() == 2);
  CHECK(append_known(*old, sample_batch{1}.content()).what == append_outcome::written);
}

TEST_CASE("postgres_log: members that start at the same moment upgrade schema 3 once") {
  const database db;
  const auto old = db.opened();
  REQUIRE(append_known(*old, sample_batch{1}.content()).what == append_outcome::written);
  auto admin = db.connect();
  drop_schema_4(admin);
  admin.run("UPDATE gamehub.version SET version = 3");
  start_six(db);
  // The member that is there goes on, and has no links.
  CHECK(append_known(*old, sample_batch{2}.content()).what == append_outcome::written);
  CHECK(claimed(*old, {"n-ann"}).size() == 1);
  const auto links = admin.run("SELECT count(*) FROM gamehub.members WHERE link = ''");
  CHECK(links.number(0, 0) == 7);
}

TEST_CASE("postgres_log: members that start at the same moment upgrade schema 4 once") {
  const database db;
  const auto old = db.opened();
  REQUIRE(append_known(*old, sample_batch{1}.content()).what == append_outcome::written);
  auto admin = db.connect();
  drop_schema_5(admin);
  start_six(db);
  // The member that is there goes on.
  CHECK(append_known(*old, sample_batch{2}.content()).what == append_outcome::written);
  CHECK(admin.run("SELECT count(*) FROM gamehub.members WHERE reads = 1").number(0, 0) == 1);
  CHECK(admin.run("SELECT count(*) FROM gamehub.cluster").number(0, 0) == 1);
  CHECK(admin.run("SELECT count(*) FROM gamehub.league WHERE member IS NULL").number(0, 0) == 1);
}

TEST_CASE("postgres_log: members that start at the same moment upgrade schema 5 once") {
  const database db;
  const auto old = db.opened();
  REQUIRE(append_known(*old, sample_batch{1}.content()).what == append_outcome::written);
  auto admin = db.connect();
  drop_schema_6(admin);
  start_six(db);
  CHECK(append_known(*old, sample_batch{2}.content()).what == append_outcome::written);
  CHECK(admin.run("SELECT at FROM gamehub.looked").rows() == 1);
}

// What raise_record_format() or a start says.
template <class What>
std::string complaint_of(What what) {
  try {
    what();
  } catch (const unusable_log& no) {
    return no.what();
  }
  return {};
}

TEST_CASE("postgres_log: the format of records is raised when all members that live read it") {
  const database db;
  const auto newest = record_format_newest();
  CHECK(complaint_of([&] { raise_record_format(db.target()); }).find("update the hubs first") !=
        std::string::npos);
  const auto one = db.opened(), two = db.opened();
  // Of a new cluster it is the latest one.
  CHECK_FALSE(raise_record_format(db.target()).raised);
  auto admin = db.connect();
  admin.run("UPDATE gamehub.changes SET count = 1 WHERE what = 'record-format'");
  admin.run("UPDATE gamehub.version SET least = 1");
  admin.run("UPDATE gamehub.members SET reads = 1, build = '0.9' WHERE id = 1");
  CHECK(complaint_of([&] { raise_record_format(db.target()); }) ==
        "member 1 (gamehub 0.9 at here:1) reads record formats up to 1, and 3 is the next one: "
        "update it, or wait until another hub has adopted it");
  REQUIRE(two->adopt(one->self()) == adoption::adopted);
  const auto done = raise_record_format(db.target());
  CHECK((done.raised && done.format == newest));
  CHECK(admin.run("SELECT least FROM gamehub.version").number(0, 0) == 5);
  CHECK(append_known(*two, sample_batch{1}.content()).what == append_outcome::written);
}

TEST_CASE("postgres_log: a build that does not read the format of the cluster can't join it") {
  const database db;
  const auto one = db.opened();
  auto admin = db.connect();
  admin.run("UPDATE gamehub.changes SET count = 9 WHERE what = 'record-format'");
  const auto* const sentence =
      "the hubs of the cluster write record format 9, and this gamehub reads formats up to 3: use "
      "a newer one.";
  CHECK(complaint_of([&] { db.opened(); }) == sentence);
  CHECK(complaint_of([&] { check_log({db.target(), "", "", {}}); }) == sentence);
  CHECK(complaint_of([&] { raise_record_format(db.target()); }) == sentence);
  CHECK(admin.run("SELECT count(*) FROM gamehub.members").number(0, 0) == 1);
}

TEST_CASE("postgres_log: members of one database have one cluster, and say where their links are") {
  const database db, elsewhere;
  const auto log = db.opened(), other = db.opened();
  CHECK(log->cluster().size() == 32);
  CHECK(other->cluster() == log->cluster());
  CHECK(elsewhere.opened()->cluster() != log->cluster());
  CHECK(log->publish_link("127.0.0.1:4000"));
  auto admin = db.connect();
  const auto rows = admin.run("SELECT link FROM gamehub.members ORDER BY id");
  REQUIRE(rows.rows() == 2);
  CHECK(rows.bytes(0, 0) == "127.0.0.1:4000");
  CHECK(rows.bytes(1, 0).empty());
  db.cut();
  CHECK_FALSE(log->publish_link("127.0.0.1:4001"));
  CHECK(log->publish_link("127.0.0.1:4001"));
}

TEST_CASE("postgres_log: a change of keys is not executed after a later one") {
  const database db;
  const auto log = db.opened(), other = db.opened();
  REQUIRE(claimed(*log, {"n-ann"}).size() == 1);
  auto admin = db.connect();
  // As if later ones had been executed already.
  admin.run("UPDATE gamehub.claimers SET tries = tries + 2");
  CHECK_FALSE(log->change_keys({key_kind::claim, {"n-bob"}}));
  CHECK_FALSE(log->change_keys({key_kind::free, {"n-ann"}}));
  CHECK(claimed(*other, {"n-bob", "n-ann"}) == std::set<std::string>{"n-bob"});
  CHECK(claimed(*log, {"n-carl"}).size() == 1);
}

TEST_CASE("postgres_log: members that claim the same keys at the same moment never both have one") {
  const database db;
  const auto first = db.opened(), second = db.opened();
  std::vector<std::string> there, back;
  for (int i = 0; i < 200; ++i) there.push_back("k" + std::to_string(i));
  back.assign(there.rbegin(), there.rend());
  for (int round = 0; round < 10; ++round) {
    std::set<std::string> mine, theirs;
    std::thread other{[&] { theirs = claimed(*second, back); }};
    mine = claimed(*first, there);
    other.join();
    CHECK(mine.size() + theirs.size() == there.size());
    for (const auto& key : mine) CHECK_FALSE(theirs.contains(key));
    REQUIRE(first->change_keys({key_kind::free, there}));
    REQUIRE(second->change_keys({key_kind::free, back}));
  }
}

TEST_CASE("postgres_log: a database that can't be used is refused with the reason") {
  const database db;
  const auto refused = [](const std::string& target) {
    postgres_log log{{target, "", "", {}}};
    return why_unusable(log);
  };
  CHECK_THAT(refused(db.target() + "x"), Catch::Matchers::Contains("does not exist"));
  const auto unreadable = refused("postgresql://me:secret@[host/");
  CHECK_THAT(unreadable, Catch::Matchers::Contains("can't be parsed"));
  CHECK_THAT(unreadable, !Catch::Matchers::Contains("secret"));
  auto admin = db.connect();
  admin.run("DROP ROLE IF EXISTS guest");
  admin.run("CREATE ROLE guest LOGIN");
  const auto as_guest = db.target() + " user=guest";
  CHECK_THAT(refused(as_guest), Catch::Matchers::Contains("grant the role"));
  db.opened();
  CHECK_THAT(refused(as_guest), Catch::Matchers::Contains("grant the role"));
  admin.run("UPDATE gamehub.version SET version = 9, least = 8");
  CHECK_THAT(refused(db.target()), Catch::Matchers::Contains("knows schema 8; this one knows 6"));
  admin.run("UPDATE gamehub.version SET version = 9, least = 1");
  CHECK(refused(db.target()).empty());
}

TEST_CASE("postgres_log: a journal plays on it, through the loss of its connections") {
  const database db;
  auto store = db.log();
  auto* const mine = store.get();
  const auto rescuer = db.opened();
  ears heard;
  {
    log_writer log{std::move(store), {}, quick(), {}};
    for (std::uint64_t id = 1; id <= 20; ++id) log.open(header(id));
    for (record_number n = 1; n <= 30; ++n) {
      for (std::uint64_t id = 1; id <= 20; ++id) append(log, id, n, n, heard);
      play(log, 100 + n, heard);
      log.flush();
      if (n % 10 == 0) db.cut();
      REQUIRE(heard.wait(game_id{20}, n));
    }
    CHECK(log.read(game_id{110}, 0).size() == 5);
    CHECK(heard.doubles() == 0);
    REQUIRE(rescuer->adopt(mine->self()) != adoption::taken);
    REQUIRE(rescuer->adopt(mine->self()) == adoption::adopted);
    const auto there = rescuer->recover(mine->self());
    CHECK_FALSE(there.logs.damage);
    CHECK(there.logs.games.size() == 20);
    for (std::uint64_t id = 1; id <= 20; ++id) {
      CHECK(in_order(id, records_in(there, id)));
      CHECK(records_in(there, id).size() == 30);
    }
    append(log, 1, 31, 31, heard);
    log.flush();
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!log.fenced() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    CHECK(log.fenced());
  }
  CHECK(heard.told(game_id{1}) == 30);
}

TEST_CASE("postgres_archive: an export has a game that moves from log to log meanwhile") {
  const database db;
  const auto first = db.opened(), second = db.opened();
  REQUIRE(append_known(*first, sample_batch{1}.opens(1, 3).content()).what ==
          append_outcome::written);
  // Its first member has released it, to the third one.
  REQUIRE(append_known(*second, sample_batch{1}.opens(2, 3).content()).what ==
          append_outcome::written);
  REQUIRE(append_known(*first, sample_batch{2}.releases(1, 3).content()).what ==
          append_outcome::written);
  std::atomic<bool> done{false};
  std::thread mover{[&] {
    auto c = db.connect();
    // As takeovers do: the game is in one log at any time.
    while (!done) {
      c.run("UPDATE gamehub.kept SET member = 2 WHERE game = 1");
      c.run("UPDATE gamehub.kept SET member = 3 WHERE game = 1");
    }
  }};
  const auto exported = open_archive(db.target());
  const std::array wanted{game_id{1}};
  int missing = 0;
  for (int i = 0; i < 300; ++i) {
    bool found = false;
    exported->for_each(wanted, [&](archived_game& g) { return found = !g.records.empty(); });
    missing += found ? 0 : 1;
  }
  done = true;
  mover.join();
  CHECK(missing == 0);
}
