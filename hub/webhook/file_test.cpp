#include "hub/webhook/file.hpp"

#include "hub/journal/sqlite_journal.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace gamehub::webhook {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A folder for one test.
struct folder {
  folder() {
    std::string name = (fs::temp_directory_path() / "webhooks-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~folder() { fs::remove_all(path); }
  fs::path path;
};

hook stored_hook() {
  hook h;
  h.player = std::string{"\0digest\xff", 8};
  h.url = "https://a.example/";
  h.secret = "0123456789abcdef";
  h.account = "192.0.2.7";
  h.confirmed = "192.0.2.1";
  h.on = false;
  h.why = "it did not answer in time";
  h.failures = 20;
  h.retry_at = base::wall_time{1'700'000'000'001ms};
  h.used = base::wall_time{1'600'000'000'002ms};
  return h;
}

event stored_event(std::uint64_t game) {
  return {game_id{game}, 7, game % 2 == 1, game == 2, base::wall_time{3ms}, "{\"a\":\"é\"}"};
}

}  // namespace

TEST_CASE("webhook file: rows are read back unchanged, and only their owner may read them") {
  const folder at;
  const auto path = at.path / "w" / "journal.db.webhooks";
  const auto h = stored_hook();
  {
    file f{path, true};
    CHECK(f.hooks().empty());
    changes all;
    all.hooks[h.player] = h;
    for (const std::uint64_t game : {1U, 2U, 3U})
      all.events[{h.player, game_id{game}}] = stored_event(game);
    f.apply(all);
    all = {};
    all.events[{h.player, game_id{3}}] = std::nullopt;
    f.apply(all);
  }
  CHECK((fs::status(path).permissions() & fs::perms::others_read) == fs::perms::none);
  file f{path, false};
  const auto hooks = f.hooks();
  REQUIRE(hooks.size() == 1);
  CHECK(hooks[0].player == h.player);
  CHECK(hooks[0].url == h.url);
  CHECK(hooks[0].secret == h.secret);
  CHECK(hooks[0].account == h.account);
  CHECK(hooks[0].confirmed == h.confirmed);
  CHECK(hooks[0].on == h.on);
  CHECK(hooks[0].why == h.why);
  CHECK(hooks[0].failures == h.failures);
  CHECK(hooks[0].retry_at == h.retry_at);
  CHECK(hooks[0].used == h.used);
  const auto events = f.events();
  REQUIRE(events.size() == 2);
  for (const auto& [player, e] : events) {
    const auto wanted = stored_event(e.game.value);
    CHECK(player == h.player);
    CHECK(e.number == wanted.number);
    CHECK(e.ended == wanted.ended);
    CHECK(e.told == wanted.told);
    CHECK(e.due == wanted.due);
    CHECK(e.body == wanted.body);
  }
  changes none;
  none.hooks[h.player] = std::nullopt;
  f.apply(none);
  CHECK(f.hooks().empty());
}

TEST_CASE("webhook file: without a path nothing is written") {
  file f{{}, false};
  changes all;
  all.hooks["a"] = stored_hook();
  f.apply(all);
  CHECK(f.hooks().size() == 1);
}

TEST_CASE("webhook file: another program's file, a newer file and one in use are refused") {
  const folder at;
  const auto path = at.path / "f";
  const auto why = [&] {
    try {
      file{path, false};
      return std::string{};
    } catch (const journal::unusable_file& e) {
      return std::string{e.what()};
    }
  };
  {
    journal::sqlite::database other{path, journal::sqlite::mode::create, 1s};
    other.run("CREATE TABLE notes (text TEXT)");
  }
  CHECK(why().find("database of another program") != std::string::npos);
  CHECK_THROWS_AS(check_file(path), journal::unusable_file);
  fs::remove(path);
  CHECK(why().empty());
  CHECK_NOTHROW(check_file(path));
  {
    const file held{path, false};
    CHECK_FALSE(why().empty());
  }
  {
    journal::sqlite::database newer{path, journal::sqlite::mode::write, 1s};
    newer.run("PRAGMA user_version=2");
  }
  CHECK(why().find("newer gamehub") != std::string::npos);
  CHECK_NOTHROW(check_file(at.path / "none"));
}

}  // namespace gamehub::webhook
