#include "hub/cluster/postgres/postgres_members.hpp"

#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "tests/journal/test_database.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>

using namespace gamehub;
using namespace gamehub::cluster;
using namespace gamehub::cluster::postgres;
using namespace gamehub::tests;
using journal::adoption;
using journal::postgres::postgres_log;

namespace {

std::unique_ptr<postgres_log> opened(const std::string& target, const std::string& address) {
  auto log = std::make_unique<postgres_log>(
      journal::postgres::postgres_settings{target, address, "1.0", {}});
  log->open();
  return log;
}

const member_row& row_of(const std::vector<member_row>& all, member_id id) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.id == id; });
  REQUIRE(at != all.end());
  return *at;
}

}  // namespace

TEST_CASE("postgres_members: members see each other's beats, and who has left") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1"), b = opened(target, "b:2");
  const auto ann = make_postgres_members(target, a->self());
  const auto bob = make_postgres_members(target, b->self());
  CHECK(row_of(ann->beat(5, {}), a->self()).beats == 1);
  CHECK(row_of(ann->beat(6, {}), a->self()).beats == 2);
  const auto seen = bob->beat(0, {});
  CHECK(seen.size() == 2);
  CHECK(row_of(seen, a->self()).beats == 2);
  CHECK(row_of(seen, a->self()).games == 6);
  CHECK(row_of(seen, a->self()).address == "a:1");
  CHECK(row_of(seen, b->self()).build == "1.0");
  CHECK_FALSE(row_of(seen, a->self()).left);
  ann->leave();
  CHECK(row_of(bob->beat(0, {}), a->self()).left);
  CHECK(read_members(target).size() == 2);
}

TEST_CASE("postgres_members: a member learns from its beat that it was adopted") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1"), b = opened(target, "b:2");
  const auto ann = make_postgres_members(target, a->self());
  ann->beat(0, {});
  REQUIRE(b->adopt(a->self()) == adoption::adopted);
  CHECK(row_of(ann->beat(0, {}), a->self()).adopted_by == b->self());
  const std::array list{a->self()};
  REQUIRE(b->release(list));
  const auto self = row_of(ann->beat(0, {}), a->self());
  CHECK(self.adopted_by == b->self());
  CHECK(self.taken);
  CHECK_FALSE(row_of(read_members(target), b->self()).taken);
}

TEST_CASE("postgres_members: each beat reads how often the bans and mutes were changed") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1");
  const auto ann = make_postgres_members(target, a->self());
  CHECK(row_of(ann->beat(0, {}), a->self()).sanctions == 0);
  journal::postgres::connection{target, {}}.run(
      "UPDATE gamehub.changes SET count = 7 WHERE what = 'sanctions'");
  CHECK(row_of(ann->beat(0, {}), a->self()).sanctions == 7);
}

TEST_CASE("postgres_members: each beat reads where the links of the others listen") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1"), b = opened(target, "b:2");
  const auto ann = make_postgres_members(target, a->self());
  CHECK(row_of(ann->beat(0, {}), b->self()).link.empty());
  REQUIRE(b->publish_link("127.0.0.1:4000"));
  CHECK(row_of(ann->beat(0, {}), b->self()).link == "127.0.0.1:4000");
  CHECK(row_of(ann->beat(0, {}), a->self()).link.empty());
}

TEST_CASE("postgres_members: no beat waits for an append of its member") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1");
  const auto ann = make_postgres_members(target, a->self());
  ann->beat(0, {});
  journal::postgres::connection other{target, {}};
  other.run("BEGIN");
  other.run("SELECT id FROM gamehub.members WHERE id = $1 FOR UPDATE",
            {journal::postgres::number(a->self().value)});
  CHECK(row_of(ann->beat(0, {}), a->self()).beats == 2);
  other.run("ROLLBACK");
}

TEST_CASE(
    "postgres_members: a beat after the connection was cut fails, and the next one connects") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1");
  const auto ann = make_postgres_members(target, a->self());
  ann->beat(0, {});
  journal::postgres::connection{target, {}}.run(
      "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity"
      " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  CHECK_THROWS(ann->beat(0, {}));
  CHECK(row_of(ann->beat(0, {}), a->self()).beats == 2);
}

TEST_CASE("postgres_members: each beat says which engines a member has") {
  const auto target = test_database{}.target();
  const auto a = opened(target, "a:1"), b = opened(target, "b:2");
  const auto ann = make_postgres_members(target, a->self());
  const auto bob = make_postgres_members(target, b->self());
  const std::set<std::string> engines{"nim 1.0.0", "pig 1.0.0"};
  ann->beat(0, engines);
  CHECK(row_of(bob->beat(0, {}), a->self()).engines == engines);
  CHECK(row_of(bob->beat(0, {}), b->self()).engines.empty());
  ann->beat(0, {"nim 1.0.0"});
  CHECK(row_of(bob->beat(0, {}), a->self()).engines == std::set<std::string>{"nim 1.0.0"});
}
