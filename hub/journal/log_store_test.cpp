#include "hub/journal/log_store.hpp"

#include "hub/journal/log_writer.hpp"
#include "tests/journal/fake_log.hpp"
#include "tests/journal/log_store_contract.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

log_place file_place() {
  struct place {
    folder here;
    std::unique_ptr<sqlite_store> next;
  };
  const auto p = std::make_shared<place>();
  const auto open = [p] {
    return std::make_unique<sqlite_store>(p->here / "j.db", durability::process, quick());
  };
  return {[open] {
            auto store = open();
            store->open();
            return store;
          },
          [p, open](std::unique_ptr<log_store> before) {
            before.reset();
            p->next = open();
            return p->next->open();
          },
          [p]() -> log_store& { return *p->next; }};
}

log_place fake_place() {
  struct place {
    fake_database db;
    std::unique_ptr<fake_log> next;
  };
  const auto p = std::make_shared<place>();
  return {[p] {
            auto store = std::make_unique<fake_log>(p->db);
            store->open();
            return store;
          },
          [p](std::unique_ptr<log_store> before) {
            const auto dead = dynamic_cast<fake_log&>(*before).self();
            p->next = std::make_unique<fake_log>(p->db);
            p->next->open();
            REQUIRE(p->next->adopt(dead) == adoption::adopted);
            return p->next->recover(dead);
          },
          [p]() -> log_store& { return *p->next; }};
}

// A hub that plays on a database with faults from a seed, until it is done or another member adopts
// it. The hook acts as that member, on the writer thread.
class troubled_run {
 public:
  troubled_run(std::uint64_t seed, bool confirms_without_writing) : random_(seed), rescuer_(db_) {
    rescuer_.open();
    auto store = std::make_unique<fake_log>(db_, [this](std::string_view) { return next_fault(); });
    store->confirms_without_writing = confirms_without_writing;
    hub_ = store.get();
    std::string end;
    {
      log_writer log{std::move(store), {}, quick(), [this](std::string_view why) { note(why); }};
      play(log);
      faults_ = false;
      if (!wait(log, last_told_) && !log.fenced()) end = "a record was never told";
      self_ = hub_->self();
      fenced = log.fenced();
    }
    check("at the end", self_);
    if (!violated_) violation = end;
  }

  std::string violation;  // what was told, and is not in the log
  bool fenced = false;

 private:
  void play(log_writer& log) {
    for (std::uint64_t game = 1; game <= 3; ++game) log.open(header(game));
    for (record_number n = 1; n <= 12 && !violated_; ++n) {
      for (std::uint64_t game = 1; game <= 3; ++game)
        game == 3 && n == 9  ? end(log, game, n, heard_)
        : game == 3 && n > 9 ? void()
                             : append(log, game, n, n, heard_);
      log.flush();
      last_told_ = n;
      if (random_() % 2 == 0 && !wait(log, n)) return;
    }
  }

  // Returns false if the hub will not tell it.
  bool wait(const log_writer& log, record_number n) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < deadline && !log.fenced() && !violated_) {
      if (heard_.told(game_id{1}) >= n && heard_.told(game_id{2}) >= n) return true;
      std::this_thread::yield();
    }
    return false;
  }

  // A conflict: a batch that was told has disappeared.
  void note(std::string_view why) {
    if (why.find("batch") != why.npos) violate(std::string{why});
  }
  void violate(std::string what) {
    if (violated_.exchange(true)) return;
    violation = std::move(what);
  }

  // Only the writer thread calls it while the hub runs.
  log_fault next_fault() {
    if (!faults_) return log_fault::none;
    const auto dice = steps_() % 100;
    if (dice < 4) db_.promote();
    if (dice >= 4 && dice < 12) db_.deliver();
    if (dice == 12) rescuer_.adopt(hub_->self());
    if (dice <= 12) check("before a statement", hub_->self());
    constexpr log_fault faults[] = {log_fault::refused, log_fault::late, log_fault::answer_lost,
                                    log_fault::not_replicated};
    return steps_() % 3 == 0 ? faults[steps_() % std::size(faults)] : log_fault::none;
  }

  void check(const char* when, member_id hub) {
    const auto there = rescuer_.recover(hub);
    for (const auto& [game, told] : heard_.all()) {
      const auto ended = rescuer_.read(game, 0);
      const auto records = ended.empty() ? records_in(there, game.value) : ended;
      if (records.size() < told || !in_order(game.value, records))
        violate("game " + std::to_string(game.value) + ", " + when + ": told " +
                std::to_string(told) + ", there " + std::to_string(records.size()));
    }
    if (there.logs.damage) violate(*there.logs.damage);
    if (heard_.doubles() != 0) violate("a record was told twice");
  }

  std::mt19937_64 random_;
  std::mt19937_64 steps_{random_()};  // of the writer thread
  fake_database db_;
  fake_log rescuer_;
  fake_log* hub_ = nullptr;
  member_id self_;
  ears heard_;
  std::atomic<bool> faults_{true}, violated_{false};
  record_number last_told_ = 0;
};

constexpr std::uint64_t seeds = 300;

// Takes the last fault that is left; none after the first one.
log_fault last_of(std::vector<log_fault>& left) {
  if (left.empty()) return log_fault::none;
  const auto fault = left.back();
  left.pop_back();
  return fault;
}

}  // namespace

TEST_CASE("log_store: a SQLite file keeps the contract") { check_log_store(file_place); }

TEST_CASE("log_store: the store with faults keeps the contract") { check_log_store(fake_place); }

TEST_CASE("log_store: the store with faults keeps the contract of shared logs") {
  fake_database db;
  check_shared_log([&]() -> std::unique_ptr<shared_log> {
    auto member = std::make_unique<fake_log>(db);
    member->open();
    return member;
  });
}

TEST_CASE("log_store: games are asleep in the store with faults as in all shared logs") {
  const auto db = std::make_shared<fake_database>();
  check_shared_sleepers([db]() -> std::unique_ptr<shared_log> {
    auto store = std::make_unique<fake_log>(*db);
    store->open();
    return store;
  });
}

TEST_CASE("log_store: a change of keys of a cut connection is not executed after a later one") {
  fake_database db;
  auto next = log_fault::none;
  fake_log log{db, [&](std::string_view) { return std::exchange(next, log_fault::none); }};
  fake_log other{db};
  log.open(), other.open();
  next = log_fault::late;
  CHECK_FALSE(log.change_keys({key_kind::claim, {"n-ann"}}));
  SECTION("it is freed meanwhile") {
    REQUIRE(log.change_keys({key_kind::free, {"n-ann"}}));
    db.deliver();
    CHECK(claimed(other, {"n-ann"}).size() == 1);
  }
  SECTION("it is executed before") {
    db.deliver();
    CHECK(claimed(other, {"n-ann"}).empty());
    CHECK(claimed(log, {"n-ann"}).size() == 1);
  }
  SECTION("no promotion takes away what was answered") {
    CHECK(claimed(log, {"n-ann"}).size() == 1);
    db.promote();
    CHECK(claimed(other, {"n-ann"}).empty());
  }
  SECTION("what only the primary has was not answered") {
    next = log_fault::not_replicated;
    CHECK_FALSE(log.change_keys({key_kind::claim, {"n-ann"}}));
    db.promote();
    CHECK(claimed(other, {"n-ann"}).size() == 1);
  }
}

TEST_CASE("log_store: a batch of a cut connection that is executed later is there once") {
  fake_database db;
  auto next = log_fault::late;
  fake_log log{db, [&](std::string_view) { return std::exchange(next, log_fault::none); }};
  log.open();
  sample_batch one{1};
  one.opens(1, 1);
  CHECK(log.append(one.content()).what == append_outcome::unknown);
  SECTION("before the second try") {
    db.deliver();
    CHECK(log.append(one.content()).what == append_outcome::present);
    CHECK(log.confirm().what == append_outcome::written);
  }
  SECTION("after the second try") {
    CHECK(log.append(one.content()).what == append_outcome::written);
    db.deliver();
  }
  SECTION("after another member owns the log") {
    fake_log other{db};
    other.open();
    REQUIRE(other.adopt(log.self()) == adoption::adopted);
    db.deliver();
    CHECK(log.append(one.content()).what == append_outcome::fenced);
    CHECK_FALSE(log.find_batch(1));
    return;
  }
  CHECK(append_surely(log, sample_batch{2}.content()).what == append_outcome::written);
}

TEST_CASE("log_store: a batch that is executed after it was deleted writes nothing") {
  fake_database db;
  std::vector<log_fault> next{log_fault::late, log_fault::none};
  fake_log log{db, [&](std::string_view) { return last_of(next); }};
  log.open();
  REQUIRE(stores(log, std::move(sample_batch{1}.opens(1, 2).opens(2, 1).opens(3, 1))));
  sample_batch two{2};
  two.ends(2, 2).releases(3, 1).keeps(1, 2);
  REQUIRE(append_known(log, two.content()).what == append_outcome::written);
  REQUIRE(stores(log, std::move(sample_batch{3}.continues(1, 3, 3).keeps(1, 3))));
  REQUIRE(stores(log, std::move(sample_batch{4}.frees(4))));
  db.deliver();
  CHECK(db.look([](const auto& s) { return s.games.size(); }) == 1);
  CHECK(db.look([](const auto& s) { return s.members.size(); }) == 2);
  fake_log other{db};
  other.open();
  REQUIRE(other.adopt(log.self()) == adoption::adopted);
  const auto found = other.recover(log.self());
  CHECK_FALSE(found.logs.damage);
  CHECK(records_in(found, 1).size() == 3);
}

TEST_CASE("log_store: a batch that only the primary has does not count before it is confirmed") {
  fake_database db;
  std::vector<log_fault> next{log_fault::not_replicated};
  fake_log log{db, [&](std::string_view) { return last_of(next); }};
  log.open();
  sample_batch one{1};
  CHECK(log.append(one.content()).what == append_outcome::unknown);
  SECTION("the promotion is before the confirmation") {
    CHECK(log.append(one.content()).what == append_outcome::present);
    db.promote();
    CHECK(log.confirm().what == append_outcome::unknown);
    CHECK_FALSE(log.find_batch(1));
    CHECK(append_surely(log, one.content()).what == append_outcome::written);
  }
  SECTION("the promotion is after the confirmation") {
    CHECK(append_surely(log, one.content()).what == append_outcome::written);
    db.promote();
  }
  SECTION("the confirmation fails") {
    next = {log_fault::refused, log_fault::none};
    CHECK(append_surely(log, one.content()).what == append_outcome::unknown);
    CHECK(append_surely(log, one.content()).what == append_outcome::written);
  }
  db.promote();
  CHECK(log.find_batch(1) == one.content().sum);
}

TEST_CASE("log_store: a batch after one that failed is refused") {
  fake_database db;
  auto next = log_fault::refused;
  fake_log log{db, [&](std::string_view) { return std::exchange(next, log_fault::none); }};
  log.open();
  CHECK(log.append(sample_batch{1}.content()).what == append_outcome::unknown);
  CHECK(log.append(sample_batch{2}.content()).what == append_outcome::conflict);
  CHECK(log.append(sample_batch{1}.content()).what == append_outcome::written);
}

TEST_CASE("log_writer: what was told is in the log, whatever happens to the database") {
  int fenced = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    const troubled_run run{seed, false};
    CHECK(run.violation == "");
    fenced += run.fenced ? 1 : 0;
  }
  CHECK(fenced > 0);
}

TEST_CASE("log_writer: the test finds a store that counts a row without a later transaction") {
  bool found = false;
  for (std::uint64_t seed = 1; seed <= seeds && !found; ++seed)
    found = !troubled_run{seed, true}.violation.empty();
  CHECK(found);
}

TEST_CASE("log_writer: runs functions with the store between batches") {
  fake_database db;
  ears heard;
  std::promise<std::uint64_t> claimed;
  log_writer log{std::make_unique<fake_log>(db), {}, quick(), {}};
  log.on_store([&](log_store& store) {
    claimed.set_value(dynamic_cast<shared_log&>(store).claim_ids(id_kind::games)->first);
  });
  CHECK(claimed.get_future().get() == 1);
  log.open(header(1));
  append(log, 1, 1, 3, heard);
  log.flush();
  CHECK(heard.wait(game_id{1}, 3));
}

TEST_CASE("log_writer: says once that another member owns the log") {
  fake_database db;
  log_writer log{std::make_unique<fake_log>(db), {}, quick(), {}};
  std::vector<std::string> said;
  SECTION("later") {
    log.at_fencing([&](const std::string& why) { said.push_back(why); });
    CHECK(said.empty());
    log.fence("adopted");
  }
  SECTION("before") {
    log.fence("adopted");
    log.at_fencing([&](const std::string& why) { said.push_back(why); });
  }
  log.fence("again");
  CHECK(said == std::vector<std::string>{"adopted"});
  CHECK(log.fenced());
  CHECK(log.report().fenced);
}

TEST_CASE("log_writer: an adopted hub commits nothing more, and ends") {
  fake_database db;
  fake_log other{db};
  other.open();
  auto store = std::make_unique<fake_log>(db);
  auto* const mine = store.get();
  ears heard;
  {
    auto tuning = quick();
    tuning.pending_max = 2;
    log_writer log{std::move(store), {}, tuning, {}};
    log.open(header(1));
    append(log, 1, 1, 3, heard);
    log.flush();
    REQUIRE(heard.wait(game_id{1}, 3));
    CHECK_FALSE(log.fenced());
    REQUIRE(other.adopt(mine->self()) == adoption::adopted);
    append(log, 1, 4, 5, heard);
    // Returns, because nothing that is announced now is written.
    const std::array game{game_id{1}};
    log.announce_replay(game);
    CHECK(log.fenced());
    CHECK_THAT(*log.trouble(), Catch::Matchers::Contains("another member"));
    // Loops read on, for clients whose games are elsewhere.
    CHECK_FALSE(log.congested());
    // What may not be in the log is known here.
    CHECK(log.find(game_id{1})->records.size() == 3);
    CHECK(log.find_appended(game_id{1})->records.size() == 5);
  }
  CHECK(heard.told(game_id{1}) == 3);
}
