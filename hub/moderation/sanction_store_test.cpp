#include "hub/moderation/sanction_store.hpp"

#include "hub/base/address.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace gamehub::moderation {
namespace {

namespace fs = std::filesystem;
using kind = sanction::kind;

struct folder {
  folder() {
    auto name = (fs::temp_directory_path() / "gamehub-book-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~folder() { fs::remove_all(path); }
  fs::path file() const { return path / "moderation.json"; }
  fs::path path;
};

base::address_bytes bytes_of(std::string_view address) {
  return base::read_address(address)->address;
}

TEST_CASE("sanction_store: a sanction is in force at once, and after a restart") {
  const folder in;
  {
    ban_list rules;
    sanction_store book{in.file(), rules};
    CHECK(book.all().empty());
    book.add({kind::banned_name, "eve", "rude", "2026-01-02T03:04:05Z"});
    book.add({kind::banned_address, network_text("192.0.2.0/24"), "", ""});
    book.add({kind::muted_name, "bob", "", ""});
    CHECK(rules.bans("eve"));
    CHECK(rules.bans(bytes_of("192.0.2.77")));
    CHECK(rules.mutes("bob"));
  }
  ban_list rules;
  sanction_store book{in.file(), rules};
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
  sanction_store book{{}, rules};
  book.add({kind::banned_name, "eve", "one", ""});
  book.add({kind::banned_name, "eve", "two", ""});
  REQUIRE(book.all().size() == 1);
  CHECK(book.all().front().reason == "two");
}

TEST_CASE("sanction_store: at the limit only existing sanctions can be replaced") {
  ban_list rules;
  sanction_store book{{}, rules};
  for (std::size_t i = 0; i < limits::sanctions_max; ++i)
    book.add({kind::muted_name, "eve" + std::to_string(i), "", ""});
  CHECK_THROWS_AS(book.add({kind::muted_name, "eve", "", ""}), std::runtime_error);
  book.add({kind::muted_name, "eve7", "again", ""});
  CHECK(book.all().size() == limits::sanctions_max);
}

TEST_CASE(
    "sanction_store: a sanction that can't be written is in force, and stored with the next") {
  const folder in;
  const auto place = in.path / "missing";
  const auto file = place / "moderation.json";
  ban_list rules;
  sanction_store book{file, rules};
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
  const sanction_store again{file, after};
  CHECK(again.all().size() == 2);
  CHECK(after.bans("mallory"));
  CHECK(after.mutes("trent"));
}

TEST_CASE("sanction_store: a ban holds for names that look like its own") {
  ban_list rules;
  sanction_store book{{}, rules};
  book.add({kind::banned_name, "Alice", "", ""});
  for (const auto* name : {"Alice", "alice", "AIice"}) CHECK(rules.bans(name));
  CHECK_FALSE(rules.bans("Alic"));
  book.remove(kind::banned_name, "Alice");
  CHECK_FALSE(rules.bans("alice"));
}

TEST_CASE("sanction_store: a foreign file is a usage error and stays unchanged") {
  const folder in;
  for (const auto* text : {"no json", "{}", R"({"sanctions":[{"kind":"x","whom":"eve"}]})",
                           R"({"sanctions":[{"kind":"banned-address","whom":"10.0.0.1/8"}]})"}) {
    std::ofstream{in.file()} << text;
    ban_list rules;
    CHECK_THROWS_AS((sanction_store{in.file(), rules}), base::usage_error);
  }
}

TEST_CASE("sanction_store: networks have one normal form") {
  CHECK(network_text("10.0.0.0/8") == "10.0.0.0/8");
  CHECK(network_text("::ffff:10.0.0.1") == "10.0.0.1");
  CHECK(network_text("FD00:0:0::/8") == "fd00::/8");
  CHECK(network_text("fd00::1/128") == "fd00::1");
  CHECK(network_text("10.0.0.1/8").empty());
  CHECK(network_text("example.org").empty());
}

}  // namespace
}  // namespace gamehub::moderation
