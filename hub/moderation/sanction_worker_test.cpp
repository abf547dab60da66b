#include "hub/moderation/sanction_worker.hpp"

#include "hub/core/limits.hpp"
#include "tests/moderation/fake_sanctions.hpp"
#include "tests/support/catch.hpp"

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::moderation {
namespace {

using kind = sanction::kind;

struct scene {
  tests::shared_sanctions table;
  ban_list bans;
  sanction_store store{std::make_unique<tests::fake_sanctions>(table), bans};
  int refreshed = 0;
  std::vector<std::string> troubles;
  sanction_worker worker{
      store,
      {[this] { ++refreshed; }, [this](const std::string& why) { troubles.push_back(why); }}};

  // Another hub bans a name.
  void other_bans(const std::string& name) {
    table.list.all.push_back({kind::banned_name, name, "", ""});
    ++table.list.generation;
  }
};

TEST_CASE(
    "sanction_worker: reads the table again when its generation is another one, and else not") {
  scene s;
  s.worker.notice(0);
  CHECK_FALSE(s.worker.step());
  s.other_bans("eve");
  s.worker.notice(1);
  CHECK(s.worker.step());
  CHECK(s.bans.bans("eve"));
  CHECK(s.refreshed == 1);
  s.worker.notice(1);
  CHECK_FALSE(s.worker.step());
  // A standby without the latest change was promoted.
  s.table.list = {};
  s.worker.notice(0);
  CHECK(s.worker.step());
  CHECK_FALSE(s.bans.bans("eve"));
}

TEST_CASE("sanction_worker: after the database was away it reads the table in any case") {
  scene s;
  const auto before = s.table.reads;
  s.worker.notice(std::nullopt);
  CHECK(s.worker.step());
  CHECK(s.table.reads == before + 1);
}

TEST_CASE("sanction_worker: changes are carried out in order, and apply those of other hubs") {
  scene s;
  s.other_bans("eve");
  s.worker.notice(1);
  CHECK(s.worker.run([&] { s.store.add({kind::muted_name, "bob", "", ""}); }));
  CHECK(s.worker.run([&] { s.store.remove(kind::muted_name, "bob"); }));
  CHECK(s.worker.step());
  CHECK(s.bans.bans("eve"));
  CHECK(s.bans.mutes("bob"));
  CHECK(s.refreshed == 1);
  CHECK(s.worker.step());
  CHECK_FALSE(s.bans.mutes("bob"));
  CHECK(s.worker.step());
  CHECK_FALSE(s.worker.step());
}

TEST_CASE("sanction_worker: no more changes wait than the limit") {
  scene s;
  int done = 0;
  for (std::size_t i = 0; i < limits::sanction_changes_max; ++i)
    CHECK(s.worker.run([&] { ++done; }));
  CHECK_FALSE(s.worker.run([&] { ++done; }));
  CHECK(s.worker.step());
  CHECK(s.worker.run([&] { ++done; }));
  while (s.worker.step()) continue;
  CHECK(done == static_cast<int>(limits::sanction_changes_max) + 1);
}

TEST_CASE("sanction_worker: a table that can't be read is reported once, and when it can again") {
  scene s;
  s.other_bans("eve");
  s.table.away = true;
  for (int i = 0; i < 3; ++i) {
    s.worker.notice(1);
    CHECK(s.worker.step());
  }
  CHECK(s.troubles == std::vector<std::string>{"no database"});
  CHECK(s.refreshed == 0);
  s.table.away = false;
  s.worker.notice(1);
  CHECK(s.worker.step());
  CHECK(s.bans.bans("eve"));
  CHECK(s.troubles == std::vector<std::string>{"no database", ""});
}

TEST_CASE("sanction_worker: the thread carries out what comes, and ends") {
  scene s;
  s.worker.start();
  std::promise<void> done;
  CHECK(s.worker.run([&] {
    s.store.add({kind::banned_name, "eve", "", ""});
    done.set_value();
  }));
  done.get_future().wait();
  s.worker.stop();
  CHECK(s.bans.bans("eve"));
}

}  // namespace
}  // namespace gamehub::moderation
