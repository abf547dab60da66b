#include "hub/moderation/postgres/postgres_sanctions.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/moderation/sanction_store.hpp"
#include "tests/journal/test_database.hpp"
#include "tests/moderation/sanction_contract.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

using namespace gamehub;
using namespace gamehub::moderation;
using namespace gamehub::moderation::postgres;
using namespace gamehub::tests;
using journal::postgres::connection;
using kind = sanction::kind;
using outcome = write_result::outcome;

namespace {

struct database : test_database {
  database() {
    auto c = connect();
    journal::postgres::bring_up_schema(c);
  }
  std::unique_ptr<sanction_table> table() const { return make_postgres_sanctions(target()); }
};

const sanction eve{kind::banned_name, "eve", "", ""};

}  // namespace

TEST_CASE("postgres_sanctions: keeps the contract of a table of sanctions") {
  const database db;
  check_sanction_contract([&] { return db.table(); });
}

TEST_CASE("postgres_sanctions: hubs that change the list at the same moment lose no change") {
  const database db;
  constexpr std::size_t hubs = 4, each = 10;
  std::vector<std::future<void>> all;
  for (std::size_t h = 0; h < hubs; ++h)
    all.push_back(std::async(std::launch::async, [&db, h] {
      ban_list bans;
      sanction_store at{db.table(), bans};
      for (std::size_t i = 0; i < each; ++i) {
        const auto name = std::to_string(h) + '-' + std::to_string(i);
        for (;;) {
          try {
            at.add({kind::banned_name, name, "", ""});
            break;
          } catch (const not_changed&) {
            // Others were faster each time.
          }
        }
      }
    }));
  for (auto& a : all) a.get();
  const auto list = db.table()->read();
  CHECK(list.all.size() == hubs * each);
  CHECK(list.generation == hubs * each);
}

TEST_CASE("postgres_sanctions: a try that the database executes late changes nothing") {
  const database db;
  const auto slow = db.table(), fast = db.table();
  const auto decided_on = slow->read();
  auto admin = db.connect();
  admin.run("BEGIN");
  admin.run("SELECT count FROM gamehub.changes FOR UPDATE");
  // It waits for the row, and gives up before it gets it.
  const auto tried = slow->write({eve, false}, after(decided_on, {eve, false}));
  CHECK(tried.what == outcome::unknown);
  // The change that it waited for.
  admin.run("UPDATE gamehub.changes SET count = count + 1");
  admin.run("COMMIT");
  for (;;) {
    const auto busy = admin.run(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND state = 'active'");
    if (busy.number(0, 0) == 0) break;
    std::this_thread::yield();
  }
  CHECK(fast->read().all.empty());
  CHECK(fast->read().generation == 1);
}

TEST_CASE("postgres_sanctions: a closed connection is made again, and one that is lost is known") {
  const database db;
  const auto table = db.table();
  const auto list = table->read();
  db.cut();
  CHECK(table->read().generation == list.generation);
  db.cut();
  CHECK(table->write({eve, false}, after(list, {eve, false})).what == outcome::unknown);
  CHECK(table->read().all.empty());
  CHECK(write_now(*table, {eve, false}).what == outcome::written);
}

TEST_CASE("postgres_sanctions: a table that can't be read throws, and nothing is done") {
  const database db;
  ban_list bans;
  sanction_store at{db.table(), bans};
  at.add(eve);
  auto admin = db.connect();
  admin.run("ALTER TABLE gamehub.sanctions RENAME TO away");
  CHECK_THROWS(db.table()->read());
  CHECK_THROWS_AS(at.add({kind::banned_name, "bob", "", ""}), not_changed);
  CHECK(bans.bans("eve"));
  admin.run("ALTER TABLE gamehub.away RENAME TO sanctions");
  CHECK(at.remove(kind::banned_name, "eve"));
  CHECK_FALSE(bans.bans("eve"));
}

TEST_CASE("postgres_sanctions: rows that this build does not know are left alone") {
  const database db;
  auto admin = db.connect();
  admin.run(
      "INSERT INTO gamehub.sanctions VALUES ('newer', 'x', '', '', 0),"
      " ('banned-address', 'no address', '', '', 0)");
  const auto table = db.table();
  CHECK(table->read().all.empty());
  CHECK(write_now(*table, {eve, false}).what == outcome::written);
  CHECK(table->read().all.size() == 1);
  CHECK(admin.run("SELECT count(*) FROM gamehub.sanctions").number(0, 0) == 3);
}

TEST_CASE("postgres_sanctions: an import adds what is missing, and replaces nothing") {
  const database db;
  CHECK(write_now(*db.table(), {{kind::banned_name, "eve", "rude", ""}, false}).what ==
        outcome::written);
  const std::vector<sanction> file{eve, {kind::muted_name, "bob", "", ""}};
  CHECK(import_sanctions(db.target(), file) == 1);
  CHECK(import_sanctions(db.target(), file) == 0);
  CHECK(lines_of(db.table()->read()) ==
        std::vector<std::string>{"banned-name eve rude ", "muted-name bob  "});
  std::vector<sanction> many;
  for (std::size_t i = 0; i < limits::sanctions_max; ++i)
    many.push_back({kind::muted_name, "m" + std::to_string(i), "", ""});
  CHECK_THROWS_AS(import_sanctions(db.target(), many), base::usage_error);
  CHECK(db.table()->read().all.size() == limits::sanctions_max);
  CHECK_THROWS_AS(import_sanctions(db.target() + "x", file), base::usage_error);
}
