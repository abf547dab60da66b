#include "hub/league/postgres/cluster_store.hpp"

#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/league/postgres/league_tables.hpp"
#include "hub/league/token.hpp"
#include "tests/journal/scene.hpp"
#include "tests/journal/test_database.hpp"
#include "tests/support/catch.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::league;
using namespace gamehub::league::postgres;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using journal::adoption;
using journal::postgres::postgres_log;

namespace {

// A member of the cluster with its store, and what that said.
struct league_member {
  explicit league_member(const std::string& to)
      : target(to),
        log(std::make_unique<postgres_log>(
            journal::postgres::postgres_settings{to, "a:1", "1.0", {}})) {
    log->open();
  }

  void look(bool idle = true) {
    store = make_cluster_store({target, log->self(), {}, [this](std::string_view why) {
                                  say("trouble " + std::string{why});
                                }});
    CHECK(store->load({}).bots.empty());
    store->start(
        {[this, idle](const std::function<void()>& call) { idle ? call() : say("not idle"); },
         [this](std::optional<member_id> owner, bool here) {
           if (here) found = store->load({});
           say(owner ? std::to_string(owner->value) : "none");
         }});
  }
  void say(std::string what) {
    const std::lock_guard lock{mutex};
    said.push_back(std::move(what));
    changed.notify_all();
  }
  // Empty: nothing came.
  std::string next() {
    std::unique_lock lock{mutex};
    if (!changed.wait_for(lock, tests::patience, [this] { return !said.empty(); })) return {};
    auto out = std::move(said.front());
    said.pop_front();
    return out;
  }
  bool is_safe(std::chrono::milliseconds time = tests::patience) const {
    const auto done = std::make_shared<std::promise<void>>();
    store->when_safe([done] { done->set_value(); });
    return done->get_future().wait_for(time) == std::future_status::ready;
  }
  std::string name() const { return std::to_string(log->self().value); }

  std::string target;
  std::unique_ptr<postgres_log> log;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> said;
  saved found;
  std::unique_ptr<cluster_store> store;
};

bot_record bot(std::uint64_t id, std::string name) {
  bot_record b;
  b.id = bot_id{id};
  b.registration = 3;
  b.name = std::move(name);
  b.version = "1.0", b.engine = "nim", b.endpoint = "http://a/", b.language = "C";
  b.website = "w", b.description = std::string("d\0e", 3), b.signing_secret = "s";
  b.owner = "ann", b.account = "acc", b.secret = "secret", b.state = bot_state::online;
  b.registered_at = base::wall_time{5ms}, b.since = base::wall_time{4ms}, b.has_answered = true;
  return b;
}

changes some_changes() {
  changes all;
  all.bots = {bot(1, "Dot"), bot(2, "Dash"), bot(3, "Dip")};
  scheduled_match played;
  played.id = match_id{7}, played.run = run_id{2}, played.engine = "nim";
  played.bots = {bot_id{1}, bot_id{2}}, played.versions = {"1.0", "2.0"};
  played.state = match_state::ended, played.game = game_id{99}, played.openings = 2;
  played.at = base::wall_time{9ms};
  played.got = match_result{1, loss_reason::timeout};
  auto drawn = played;
  drawn.id = match_id{8};
  drawn.got = match_result{std::nullopt, loss_reason::rules};
  scheduled_match waits;
  waits.id = match_id{9}, waits.engine = "nim", waits.bots = {bot_id{2}, bot_id{1}};
  all.fixtures = {played, drawn, waits};
  all.failures = {{bot_id{1}, {bot_error_code::timeout, "late", game_id{5}}, base::wall_time{6ms}}};
  all.ratings = {{"nim", bot_id{1}, {1500.0 / 7, 49.5, 0.06}, 4, 1, 2, 1, base::wall_time{3ms}}};
  tournament run{run_id{2}, "nim", run_format::gauntlet, 4, {bot_id{1}, bot_id{2}}, 9s};
  run.made_at = base::wall_time{2ms};
  all.runs = {run};
  return all;
}

void check_is_kept(const saved& all) {
  REQUIRE(all.bots.size() == 3);
  const auto& b = all.bots[0];
  CHECK((b.id == bot_id{1} && b.name == "Dot" && b.registration == 3 && b.version == "1.0"));
  CHECK((b.engine == "nim" && b.endpoint == "http://a/" && b.language == "C"));
  CHECK((b.website == "w" && b.description == std::string("d\0e", 3) && b.signing_secret == "s"));
  CHECK((b.owner == "ann" && b.account == "acc" && b.secret == "secret" && b.has_answered));
  CHECK((b.state == bot_state::online && b.registered_at == base::wall_time{5ms}));
  CHECK(b.since == base::wall_time{4ms});
  REQUIRE(all.fixtures.size() == 3);
  for (const auto& m : all.fixtures) {
    if (m.id == match_id{9}) {
      CHECK((m.state == match_state::waiting && !m.got && !m.run && m.bots[0] == bot_id{2}));
      continue;
    }
    CHECK((m.run == run_id{2} && m.engine == "nim" && m.versions[1] == "2.0"));
    CHECK((m.state == match_state::ended && m.game == game_id{99} && m.openings == 2));
    REQUIRE(m.got);
    CHECK((m.got->winner.has_value() == (m.id == match_id{7})));
  }
  REQUIRE(all.failures.size() == 1);
  CHECK((all.failures[0].what.text == "late" && all.failures[0].what.game == game_id{5}));
  REQUIRE(all.ratings.size() == 1);
  const auto& r = all.ratings[0];
  CHECK((r.now.rating == 1500.0 / 7 && r.now.deviation == 49.5 && r.games == 4 && r.draws == 2));
  REQUIRE(all.runs.size() == 1);
  const auto& run = all.runs[0];
  CHECK((run.format == run_format::gauntlet && run.bots.size() == 2 && run.patience == 9s));
  CHECK((run.games == 4 && run.made_at == base::wall_time{2ms}));
  CHECK((all.last_bot == bot_id{3} && all.last_fixture == match_id{9}));
}

}  // namespace

TEST_CASE("cluster_store: one member has the league, and who adopts its log gets all of it") {
  const auto target = test_database{}.target();
  league_member a{target}, b{target}, c{target};
  a.look();
  REQUIRE(a.next() == a.name());
  b.look();
  CHECK(b.next() == a.name());
  a.store->write(some_changes());
  REQUIRE(a.is_safe());
  REQUIRE(b.log->adopt(a.log->self()) == adoption::adopted);
  c.look();
  CHECK(c.next() == a.name());
  CHECK(b.next() == b.name());
  check_is_kept(b.found);
  CHECK(c.next() == b.name());
  // By a chain.
  REQUIRE(c.log->adopt(b.log->self()) == adoption::adopted);
  CHECK(c.next() == c.name());
  check_is_kept(c.found);
}

TEST_CASE("cluster_store: who has lost the league writes nothing any more") {
  const auto target = test_database{}.target();
  league_member a{target}, b{target};
  a.look();
  REQUIRE(a.next() == a.name());
  REQUIRE(b.log->adopt(a.log->self()) == adoption::adopted);
  b.look();
  REQUIRE(b.next() == b.name());
  a.store->write(some_changes());
  CHECK(a.next() == "trouble another hub has the arena of the cluster");
  CHECK(a.store->trouble());
  changes one;
  one.bots = {bot(5, "Pip")};
  b.store->write(one);
  REQUIRE(b.is_safe());
  a.store->close();
  connection db{target, {}};
  const auto all = load(db, {});
  REQUIRE(all.bots.size() == 1);
  CHECK(all.bots[0].name == "Pip");
}

TEST_CASE("cluster_store: rows are replaced and removed, and no id is used twice") {
  const auto target = test_database{}.target();
  league_member a{target};
  a.look();
  REQUIRE(a.next() == a.name());
  a.store->write(some_changes());
  changes more;
  more.bots = {bot(1, "Dot2")};
  more.withdrawn = {match_id{9}};
  more.dropped = {run_id{2}};
  more.removed = {bot_id{3}};
  for (std::size_t i = 0; i < 2 * failures_kept; ++i)
    more.failures.push_back({bot_id{2},
                             {bot_error_code::timeout, std::to_string(i), {}},
                             base::wall_time{std::chrono::milliseconds{i}}});
  a.store->write(more);
  REQUIRE(a.is_safe());
  connection db{target, {}};
  const auto all = load(db, {});
  REQUIRE(all.bots.size() == 2);
  CHECK(all.bots[0].name == "Dot2");
  CHECK((all.fixtures.empty() && all.runs.empty()));
  CHECK(all.last_bot == bot_id{3});
  CHECK(all.failures.size() == 1 + failures_kept);
  // The name of a bot that is removed is another one's at once.
  changes renewed;
  renewed.removed = {bot_id{1}};
  renewed.bots = {bot(4, "Dot2")};
  a.store->write(renewed);
  REQUIRE(a.is_safe());
  const auto after = load(db, {});
  REQUIRE(after.bots.size() == 2);
  CHECK(after.bots[1].id == bot_id{4});
  CHECK(after.failures.size() == failures_kept);
}

TEST_CASE("cluster_store: a member that adopts a log does not take the league") {
  const auto target = test_database{}.target();
  league_member a{target}, b{target};
  a.look(false);
  CHECK(a.next() == "not idle");
  b.look();
  CHECK(b.next() == b.name());
}

TEST_CASE("cluster_store: a drained member leaves the league to who has its games") {
  const auto target = test_database{}.target();
  league_member a{target}, b{target}, c{target};
  a.look();
  REQUIRE(a.next() == a.name());
  // A log that a has handed over, and b has adopted.
  const league_member parcel{target};
  REQUIRE(b.log->adopt(parcel.log->self()) == adoption::adopted);
  connection{target, {}}.run("UPDATE gamehub.league SET heir = $1::bigint",
                             {journal::postgres::number(parcel.log->self().value)});
  c.look();
  CHECK(c.next() == a.name());
  b.look();
  CHECK(b.next() == a.name());
  a.store->close();
  REQUIRE(c.log->adopt(a.log->self()) == adoption::adopted);
  CHECK(b.next() == b.name());
}

TEST_CASE("cluster_store: tokens are those of the cluster, and a revoked one has no owner") {
  const auto target = test_database{}.target();
  league_member a{target};
  a.look();
  REQUIRE(a.next() == a.name());
  connection db{target, {}};
  add_token(db, {"ann", digest_of_token("mine"), base::wall_time{5ms}, {}});
  const auto owner = [&](const std::string& token) {
    const auto said = std::make_shared<std::promise<std::optional<std::string>>>();
    a.store->find_owner(token, [said](const auto& found) { said->set_value(found); });
    auto answer = said->get_future();
    REQUIRE(answer.wait_for(tests::patience) == std::future_status::ready);
    return answer.get();
  };
  CHECK(owner("mine") == "ann");
  CHECK_FALSE(owner("yours"));
  CHECK(revoke_tokens(db, "ann", base::wall_time{7ms}) == 1);
  CHECK(revoke_tokens(db, "ann", base::wall_time{8ms}) == 0);
  CHECK_FALSE(owner("mine"));
  const auto all = tokens(db);
  REQUIRE(all.size() == 1);
  CHECK((all[0].owner == "ann" && all[0].made == base::wall_time{5ms}));
  CHECK(all[0].revoked == base::wall_time{7ms});
}

TEST_CASE("cluster_store: a lost connection is made again, and nothing is lost") {
  const auto target = test_database{}.target();
  league_member a{target};
  a.look();
  REQUIRE(a.next() == a.name());
  connection db{target, {}};
  db.run(
      "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity"
      " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  a.store->write(some_changes());
  REQUIRE(a.is_safe());
  check_is_kept(load(db, {}));
}
