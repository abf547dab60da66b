#include "hub/moderation/sanction_store.hpp"

#include "hub/base/address.hpp"
#include "hub/core/limits.hpp"
#include "hub/moderation/sanction_file.hpp"
#include "tests/moderation/fake_sanctions.hpp"
#include "tests/moderation/sanction_folder.hpp"
#include "tests/support/catch.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace gamehub::moderation {
namespace {

using kind = sanction::kind;

using tests::fake_sanctions;
using tests::shared_sanctions;
using folder = tests::sanction_folder;

base::address_bytes bytes_of(std::string_view address) {
  return base::read_address(address)->address;
}

TEST_CASE("sanction_store: a sanction is in force at once, and after a restart") {
  const folder in;
  {
    ban_list rules;
    sanction_store book{make_sanction_file(in.file()), rules};
    CHECK(book.all().empty());
    book.add({kind::banned_name, "eve", "rude", "2026-01-02T03:04:05Z"});
    book.add({kind::banned_address, network_text("192.0.2.0/24"), "", ""});
    book.add({kind::muted_name, "bob", "", ""});
    CHECK(rules.bans("eve"));
    CHECK(rules.bans(bytes_of("192.0.2.77")));
    CHECK(rules.mutes("bob"));
  }
  ban_list rules;
  sanction_store book{make_sanction_file(in.file()), rules};
  REQUIRE(book.all().size() == 3);
  CHECK(book.all().front().reason == "rude");
  CHECK(book.all().front().since == "2026-01-02T03:04:05Z");
  CHECK(rules.bans("eve"));
  CHECK(rules.bans(bytes_of("192.0.2.77")));
  CHECK(book.remove(kind::banned_name, "eve"));
  CHECK_FALSE(book.remove(kind::banned_name, "eve"));
  CHECK_FALSE(book.remove(kind::muted_name, "eve"));
  CHECK_FALSE(rules.bans("eve"));
}

TEST_CASE("sanction_store: a repeated sanction replaces the reason") {
  ban_list rules;
  sanction_store book{make_sanction_file({}), rules};
  book.add({kind::banned_name, "eve", "one", ""});
  book.add({kind::banned_name, "eve", "two", ""});
  REQUIRE(book.all().size() == 1);
  CHECK(book.all().front().reason == "two");
}

TEST_CASE("sanction_store: at the limit only existing sanctions can be replaced") {
  ban_list rules;
  sanction_store book{make_sanction_file({}), rules};
  for (std::size_t i = 0; i < limits::sanctions_max; ++i)
    book.add({kind::muted_name, "eve" + std::to_string(i), "", ""});
  CHECK_THROWS_AS(book.add({kind::muted_name, "eve", "", ""}), std::runtime_error);
  book.add({kind::muted_name, "eve7", "again", ""});
  CHECK(book.all().size() == limits::sanctions_max);
}

// Two hubs on one table.
struct two_hubs {
  shared_sanctions table;
  ban_list at_a, at_b;
  sanction_store a{std::make_unique<fake_sanctions>(table), at_a};
  sanction_store b{std::make_unique<fake_sanctions>(table), at_b};
};

TEST_CASE("sanction_store: what one hub changes is in force at another one that reads it") {
  two_hubs t;
  t.a.add({kind::banned_name, "eve", "", ""});
  CHECK(t.at_a.bans("eve"));
  CHECK(t.a.generation() != t.b.generation());
  t.b.refresh();
  CHECK(t.at_b.bans("eve"));
  CHECK(t.a.generation() == t.b.generation());
  // The other one has not read yet, and lifts it all the same.
  t.b.add({kind::muted_name, "bob", "", ""});
  CHECK(t.a.remove(kind::muted_name, "bob"));
  CHECK_FALSE(t.a.remove(kind::muted_name, "bob"));
  CHECK(t.at_a.bans("eve"));
}

TEST_CASE("sanction_store: a change between reading and writing is kept") {
  two_hubs t;
  t.table.before_write = [&] { t.b.add({kind::banned_name, "mallory", "", ""}); };
  t.a.add({kind::banned_name, "eve", "", ""});
  CHECK(t.at_a.bans("mallory"));
  CHECK(t.at_a.bans("eve"));
  CHECK(t.table.list.all.size() == 2);
  t.table.before_write = [&] { CHECK(t.b.remove(kind::banned_name, "eve")); };
  CHECK_FALSE(t.a.remove(kind::banned_name, "eve"));
  CHECK_FALSE(t.at_a.bans("eve"));
}

TEST_CASE("sanction_store: two hubs never exceed the limit together") {
  two_hubs t;
  for (std::size_t i = 1; i < limits::sanctions_max; ++i)
    t.table.list.all.push_back({kind::muted_name, "eve" + std::to_string(i), "", ""});
  t.table.before_write = [&] { t.b.add({kind::banned_name, "mallory", "", ""}); };
  CHECK_THROWS_WITH(t.a.add({kind::banned_name, "eve", "", ""}),
                    Catch::Matchers::Contains("1000 sanctions already"));
  CHECK(t.table.list.all.size() == limits::sanctions_max);
}

TEST_CASE("sanction_store: without the database nothing is done, and what was in force stays") {
  two_hubs t;
  t.a.add({kind::banned_name, "eve", "", ""});
  t.table.away = true;
  const auto refusal = Catch::Matchers::Contains("nothing was done, and what was in force stays");
  CHECK_THROWS_WITH(t.a.add({kind::banned_name, "bob", "", ""}), refusal);
  CHECK_THROWS_WITH(t.a.remove(kind::banned_name, "eve"), refusal);
  CHECK_THROWS_WITH(t.a.refresh(), "no database");
  CHECK_THROWS_AS(t.a.add({kind::banned_name, "bob", "", ""}), not_changed);
  CHECK(t.at_a.bans("eve"));
  CHECK_FALSE(t.at_a.bans("bob"));
  t.table.away = false;
  t.b.refresh();
  CHECK(t.b.all().size() == 1);
}

TEST_CASE("sanction_store: a change without an answer is carried out once, whatever came of it") {
  for (const bool done : {true, false}) {
    CAPTURE(done);
    two_hubs t;
    t.table.unanswered = done;
    t.a.add({kind::banned_name, "eve", "", ""});
    CHECK(t.at_a.bans("eve"));
    CHECK(t.table.list.all.size() == 1);
    t.table.unanswered = done;
    CHECK(t.a.remove(kind::banned_name, "eve"));
    CHECK_FALSE(t.at_a.bans("eve"));
    CHECK(t.table.list.all.empty());
    // The database executes the first try now.
    t.table.late();
    CHECK(t.table.list.all.empty());
  }
}

TEST_CASE("sanction_store: a removal that only an unanswered try has done is written again") {
  two_hubs t;
  t.a.add({kind::banned_name, "eve", "", ""});
  const auto before = t.table.list.generation;
  t.table.unanswered = true;
  CHECK(t.a.remove(kind::banned_name, "eve"));
  CHECK(t.table.list.generation == before + 2);
}

TEST_CASE("sanction_store: a database that goes away during a change leaves it unknown") {
  two_hubs t;
  t.table.before_write = [&] { t.table.away = true; };
  CHECK_THROWS_WITH(t.a.add({kind::banned_name, "eve", "", ""}),
                    Catch::Matchers::Contains("it is not known whether this was done"));
  CHECK_FALSE(t.at_a.bans("eve"));
}

TEST_CASE(
    "sanction_store: a sanction that can't be written is in force, and stored with the next") {
  const folder in;
  const auto place = in.path / "missing";
  const auto file = place / "moderation.json";
  ban_list rules;
  sanction_store book{make_sanction_file(file), rules};
  CHECK_THROWS_AS(book.add({kind::banned_name, "eve", "", ""}), not_stored);
  CHECK(book.all().size() == 1);
  CHECK(rules.bans("eve"));
  // A folder in the file's place: it can be written beside it, and not renamed.
  std::filesystem::create_directories(file);
  CHECK_THROWS_AS(book.remove(kind::banned_name, "eve"), not_stored);
  CHECK_FALSE(rules.bans("eve"));
  CHECK_FALSE(std::filesystem::exists(place / "moderation.json.new"));
  CHECK_THROWS_AS(book.add({kind::banned_name, "mallory", "", ""}), not_stored);
  std::filesystem::remove(file);
  book.add({kind::muted_name, "trent", "", ""});
  ban_list after;
  const sanction_store again{make_sanction_file(file), after};
  CHECK(again.all().size() == 2);
  CHECK(after.bans("mallory"));
  CHECK(after.mutes("trent"));
}

TEST_CASE("sanction_store: a ban holds for names that look like its own") {
  ban_list rules;
  sanction_store book{make_sanction_file({}), rules};
  book.add({kind::banned_name, "Alice", "", ""});
  for (const auto* name : {"Alice", "alice", "AIice"}) CHECK(rules.bans(name));
  CHECK_FALSE(rules.bans("Alic"));
  book.remove(kind::banned_name, "Alice");
  CHECK_FALSE(rules.bans("alice"));
}

}  // namespace
}  // namespace gamehub::moderation
