// Games that are asleep in a log that several members share: each is open at one of them, or
// asleep.
#include "hub/base/waiting.hpp"
#include "hub/journal/log_writer.hpp"
#include "tests/journal/fake_log.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;

namespace {

// A member whose writer makes a step when the test says so.
class sleeping_member {
 public:
  explicit sleeping_member(fake_database& db,
                           std::function<log_fault(std::string_view)> fault = {}) {
    auto store = std::make_unique<fake_log>(db, [this, fault](std::string_view step) {
      return dead_ ? log_fault::refused : fault ? fault(step) : log_fault::none;
    });
    auto* const mine = store.get();
    writer_tuning by_hand = quick();
    by_hand.by_hand = true;
    log_ = std::make_unique<log_writer>(std::move(store), retention_settings{}, by_hand, nullptr);
    log_->allow_sleep(true);
    self_ = mine->self();
  }
  void kill() {
    dead_ = true;
    log_.reset();
  }
  bool dead() const { return dead_; }
  log_writer& log() { return *log_; }
  member_id id() const { return self_; }

  void open(std::uint64_t game, record_number upto) {
    log_->open(header(game));
    append(*log_, game, 1, upto, heard_);
  }
  void move(std::uint64_t game, record_number n) { append(*log_, game, n, n, heard_); }
  bool puts_to_sleep(std::uint64_t game) {
    sleep_entry e{game_id{game}, {}, base::wall_time::max(), "tictactoe", {"dann"}};
    return log_->put_to_sleep(std::move(e), [this](game_id id) { left.insert(id.value); });
  }
  // Returns the games that were taken; nothing: it is not certain.
  std::optional<std::set<std::uint64_t>> take(std::uint64_t game = 0, std::size_t most = 9) {
    sleeper_query what;
    what.game = game_id{game};
    what.engines = {engine_name("tictactoe", "1.0.0")};
    what.most = most;
    const auto found = log_->take_asleep(what);
    if (!found.certain) return std::nullopt;
    std::set<std::uint64_t> ids;
    for (const auto& g : found.games) ids.insert(g.log.header.id.value);
    return ids;
  }
  void settle() {
    for (int tries = 0; tries < 20 && (log_->step() || log_->trouble()); ++tries) {
    }
  }
  // Returns the games of the other log and of those that it had.
  std::set<std::uint64_t> adopts(const sleeping_member& other, bool releases_them = true) {
    base::instead_of_waiting = [this] { log_->step(); };
    const auto found = log_->adopt(other.id());
    base::instead_of_waiting = nullptr;
    const auto games = found ? games_of(*found) : std::set<std::uint64_t>{};
    adopted_.assign(games.begin(), games.end());
    if (releases_them) REQUIRE(releases());
    return games;
  }
  bool releases() {
    base::instead_of_waiting = [this] { log_->step(); };
    std::vector<game_id> all;
    for (const auto g : adopted_) all.push_back({g});
    log_->replayed(all);
    const bool released = log_->release_adopted();
    base::instead_of_waiting = nullptr;
    return released;
  }
  std::set<std::uint64_t> left;

 private:
  ears heard_;
  bool dead_ = false;
  std::vector<std::uint64_t> adopted_;
  std::unique_ptr<log_writer> log_;
  member_id self_;
};

using game_set = std::set<std::uint64_t>;

}  // namespace

TEST_CASE("log_writer: a game that falls asleep is taken by one member, and goes on there") {
  fake_database db;
  sleeping_member ann{db}, bob{db}, cid{db};
  ann.open(1, 3), ann.open(2, 3), ann.settle();
  REQUIRE(ann.puts_to_sleep(1));
  CHECK(ann.left.empty());
  ann.settle();
  CHECK(ann.left == game_set{1});
  CHECK(open_ids(ann.log()) == std::vector<std::uint64_t>{2});
  CHECK(ann.log().report().games_open == 1);
  CHECK(ann.log().asleep() == 0);
  CHECK_FALSE(ann.log().bring_back(game_id{1}));
  // It is read where the database may be waited for.
  CHECK(in_order(1, bob.log().read(game_id{1}, 0)));
  CHECK(bob.log().find(game_id{1})->records.size() == 3);
  CHECK_FALSE(bob.log().find_open(game_id{1}));
  CHECK(bob.take(1) == game_set{1});
  CHECK(cid.take(1) == game_set{});
  CHECK(ann.take(1) == game_set{});
  bob.move(1, 4), bob.settle();
  CHECK(bob.log().find_open(game_id{1})->records.size() == 4);
  ann.kill(), bob.kill();
  CHECK(cid.adopts(ann) == game_set{2});
  CHECK(cid.adopts(bob) == game_set{1});
  CHECK(cid.log().read(game_id{1}, 0).size() == 4);
}

TEST_CASE("log_writer: a game that is wanted stays, until another member may take it") {
  fake_database db;
  auto next = log_fault::none;
  sleeping_member ann{
      db, [&](std::string_view step) { return step == "append" ? next : log_fault::none; }};
  ann.open(1, 3), ann.settle();
  REQUIRE(ann.puts_to_sleep(1));
  CHECK(ann.log().bring_back(game_id{1}));
  ann.move(1, 4), ann.settle();
  CHECK(ann.left.empty());
  REQUIRE(ann.puts_to_sleep(1));
  next = log_fault::answer_lost;
  ann.settle();
  // The database has it asleep, or not.
  CHECK_FALSE(ann.log().bring_back(game_id{1}));
  SECTION("it leaves when that is known") {
    next = log_fault::none;
    ann.settle();
    CHECK(ann.left == game_set{1});
    CHECK(open_ids(ann.log()).empty());
    CHECK(ann.take(1) == game_set{1});
    CHECK(open_ids(ann.log()) == std::vector<std::uint64_t>{1});
  }
  SECTION("it is taken back before that is known, and stays") {
    CHECK(ann.take(1) == game_set{1});
    next = log_fault::none;
    ann.settle();
    CHECK(ann.left.empty());
    CHECK(open_ids(ann.log()) == std::vector<std::uint64_t>{1});
  }
  ann.move(1, 5), ann.settle();
  ann.kill();
  sleeping_member bob{db};
  CHECK(bob.adopts(ann) == game_set{1});
  CHECK(in_order(1, bob.log().read(game_id{1}, 0)));
  CHECK(bob.log().read(game_id{1}, 0).size() == 5);
}

TEST_CASE("log_writer: who does not hear what it took has it with the next answer") {
  const auto lost = GENERATE(log_fault::late, log_fault::answer_lost, log_fault::not_replicated);
  fake_database db;
  auto next = log_fault::none;
  sleeping_member ann{db}, bob{db, [&](std::string_view step) {
                                 return step == "take_asleep" ? next : log_fault::none;
                               }};
  ann.open(1, 3), ann.open(2, 3), ann.settle();
  REQUIRE(ann.puts_to_sleep(1));
  ann.settle();
  next = lost;
  CHECK(bob.take(1) == std::nullopt);
  CHECK(bob.take(1) == std::nullopt);
  next = log_fault::none;
  SECTION("whatever it asks then") {
    db.deliver();
    CHECK(bob.take(9) == game_set{1});
    CHECK(bob.take(9) == game_set{});
    CHECK(ann.take(1) == game_set{});
  }
  SECTION("or another one, if that was before") {
    const auto by_ann = *ann.take(1);
    db.deliver();
    const auto by_bob = *bob.take(9);
    CHECK(by_ann.size() + by_bob.size() == 1);
    db.deliver();
    CHECK(bob.take(9) == game_set{});
  }
}

TEST_CASE("log_writer: nothing falls asleep while it may be in two logs, or not all know it") {
  fake_database db;
  sleeping_member ann{db}, bob{db};
  ann.open(1, 3), ann.settle(), ann.kill();
  bob.open(2, 3), bob.settle();
  bob.log().allow_sleep(false);
  CHECK_FALSE(bob.log().may_put_to_sleep());
  CHECK_FALSE(bob.puts_to_sleep(2));
  bob.log().allow_sleep(true);
  REQUIRE(bob.adopts(ann, false) == game_set{1});
  CHECK_FALSE(bob.puts_to_sleep(1));
  CHECK_FALSE(bob.puts_to_sleep(2));
  CHECK(bob.releases());
  CHECK(bob.puts_to_sleep(1));
  CHECK(bob.puts_to_sleep(2));
  bob.settle();
  CHECK(bob.left == game_set{1, 2});
}

namespace {

// Members that play, sleep, take, die and adopt by a seed.
class sleepy_run {
 public:
  explicit sleepy_run(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 3; ++i) start();
  }
  ~sleepy_run() {
    for (auto& m : members_)
      if (!m->dead()) m->kill();
  }
  sleepy_run(const sleepy_run&) = delete;
  sleepy_run& operator=(const sleepy_run&) = delete;

  void play() {
    for (int i = 0; i < 120; ++i) act();
    faults_ = false;
    db_.deliver();
    for (auto* m : living()) m->settle(), m->take(1'000'000), m->settle();
  }
  // Where each game is: the members that have it open, and asleep.
  std::map<std::uint64_t, int> places() {
    std::map<std::uint64_t, int> found;
    for (std::uint64_t g = 1; g <= games_; ++g) found[g];
    for (auto* m : living())
      for (const auto id : open_ids(m->log())) ++found[id];
    db_.look([&](const auto& s) {
      for (const auto& [id, row] : s.asleep) ++found[id.value];
    });
    return found;
  }
  bool is_whole(std::uint64_t game) {
    const auto all = living().front()->log().find(game_id{game});
    for (auto* m : living())
      if (const auto log = m->log().find_open(game_id{game}))
        return in_order(game, log->records) && log->records.size() == records_[game];
    return all && in_order(game, all->records) && all->records.size() == records_[game];
  }
  std::uint64_t games() const { return games_; }
  std::size_t slept = 0, taken = 0, adopted = 0;

 private:
  void start() {
    members_.push_back(std::make_unique<sleeping_member>(db_, [this](std::string_view step) {
      if (!faults_ || (step != "append" && step != "take_asleep") || random_() % 4 != 0)
        return log_fault::none;
      constexpr std::array all{log_fault::refused, log_fault::late, log_fault::answer_lost,
                               log_fault::not_replicated};
      return all[random_() % all.size()];
    }));
  }
  std::vector<sleeping_member*> living() {
    std::vector<sleeping_member*> all;
    for (auto& m : members_)
      if (!m->dead()) all.push_back(m.get());
    return all;
  }
  void act() {
    const auto all = living();
    auto& m = *all[random_() % all.size()];
    const auto open = open_ids(m.log());
    const auto some = open.empty() ? 0 : open[random_() % open.size()];
    switch (random_() % 8) {
      case 0:
        if (games_ < 6) m.open(++games_, 3), records_[games_] = 3, m.settle();
        return;
      case 1:
      case 2:
        // All records of a game that falls asleep are committed.
        if (some != 0 && is_settled(m)) slept += m.puts_to_sleep(some) ? 1U : 0U, m.log().step();
        return;
      case 3:
        if (some != 0 && is_settled(m) && m.log().bring_back(game_id{some}))
          m.move(some, ++records_[some]), m.settle();
        return;
      case 4:
      case 5:
        if (const auto got = m.take(random_() % 3 == 0 ? 0 : 1 + random_() % 6, 1 + random_() % 2))
          taken += got->size();
        return;
      case 6: db_.deliver(); return;
      default:
        if (random_() % 4 == 0) die(m);
    }
  }
  // What is not committed when it dies is not told.
  bool is_settled(sleeping_member& m) {
    m.settle();
    return m.log().report().pending_records == 0 && !m.log().trouble();
  }
  void die(sleeping_member& m) {
    if (!is_settled(m)) return;
    const auto quiet = std::exchange(faults_, false);
    db_.deliver();
    m.kill();
    start();
    auto* const heir = living().back();
    heir->adopts(m);
    ++adopted;
    faults_ = quiet;
  }

  std::mt19937_64 random_;
  fake_database db_;
  bool faults_ = true;
  std::vector<std::unique_ptr<sleeping_member>> members_;
  std::uint64_t games_ = 0;
  std::map<std::uint64_t, record_number> records_;
};

}  // namespace

TEST_CASE("log_writer: a game is open at one member or asleep, wherever answers are lost") {
  std::size_t slept = 0, taken = 0, adopted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    sleepy_run run{seed};
    run.play();
    for (const auto& [game, places] : run.places()) {
      CAPTURE(game);
      REQUIRE(places == 1);
      REQUIRE(run.is_whole(game));
    }
    slept += run.slept, taken += run.taken, adopted += run.adopted;
  }
  CHECK(slept > 1'000);
  CHECK(taken > 500);
  CHECK(adopted > 100);
}
