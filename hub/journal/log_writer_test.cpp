// Adoption: nothing that was told is missing in the journal of the next member, wherever members
// die.
#include "hub/journal/log_writer.hpp"

#include "tests/journal/fake_log.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

using namespace gamehub;
using namespace gamehub::journal;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

bool gives(log_writer& from, game_id game, commit_listener& listener) {
  const handed_game one{game, &listener};
  return from.hand_over({&one, 1}).empty();
}

// A member with a journal, which can be killed.
class adopting_member {
 public:
  explicit adopting_member(fake_database& db, ears& heard) : heard_(heard) {
    auto store = std::make_unique<fake_log>(db, [dead = dead_](std::string_view) {
      return *dead ? log_fault::refused : log_fault::none;
    });
    auto* const mine = store.get();
    log_ = std::make_unique<log_writer>(std::move(store), retention_settings{}, quick(),
                                        std::function<void(std::string_view)>{});
    self_ = mine->self();
  }
  ~adopting_member() { kill(); }

  // Nothing that is pending is written any more.
  void kill() {
    *dead_ = true;
    log_.reset();
  }
  bool dead() const { return *dead_; }

  log_writer& log() { return *log_; }
  member_id id() const { return self_; }

  void open(std::uint64_t game, record_number upto) {
    log_->open(header(game));
    append(*log_, game, 1, upto, heard_);
  }
  void move(std::uint64_t game, record_number n) { append(*log_, game, n, n, heard_); }
  void finish(std::uint64_t game, record_number n) { end(*log_, game, n, heard_); }
  // Waits until all is written.
  void sync() {
    // A claim is a transaction that waits for those before it.
    const std::array none{game_id{1'000'000}};
    log_->announce_replay(none);
  }
  // Returns the games that this adoption gave, by id.
  std::set<std::uint64_t> adopt(const adopting_member& other) {
    const auto found = log_->adopt(other.id());
    REQUIRE(found);
    return games_of(*found);
  }
  void report_replayed(const std::set<std::uint64_t>& games) {
    std::vector<game_id> all;
    for (const auto g : games) all.push_back(game_id{g});
    log_->replayed(all);
  }
  std::size_t records(std::uint64_t game) const { return log_->read(game_id{game}, 0).size(); }

 private:
  ears& heard_;
  std::shared_ptr<std::atomic<bool>> dead_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<log_writer> log_;
  member_id self_;
};

using game_set = std::set<std::uint64_t>;

}  // namespace

TEST_CASE("log_writer: the games of the other log go on in this one, which then has them whole") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard};
  ann.open(1, 3), ann.open(2, 3), ann.open(3, 3);
  ann.finish(2, 4);
  ann.sync();
  REQUIRE(bob.adopt(ann) == game_set{1, 3});
  CHECK(open_ids(bob.log()) == std::vector<std::uint64_t>{1, 3});
  CHECK(in_order(1, bob.log().read(game_id{1}, 0)));
  CHECK(bob.records(1) == 3);
  CHECK_FALSE(bob.log().release_adopted());  // they are not replayed
  bob.report_replayed({1, 3});
  CHECK(bob.log().release_adopted());
  CHECK(db.look([&](const auto& s) { return s.members.at(ann.id()).batches.empty(); }));
  bob.move(1, 4), bob.sync();
  bob.kill();
  adopting_member cid{db, heard};
  REQUIRE(cid.adopt(bob) == game_set{1, 3});
  CHECK(cid.records(1) == 4);
  CHECK(in_order(1, cid.log().read(game_id{1}, 0)));
  CHECK(cid.records(3) == 3);
  CHECK(cid.records(2) == 4);
}

TEST_CASE("log_writer: an adopter that dies before it replayed everything leaves a chain") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard}, cid{db, heard};
  for (std::uint64_t g = 1; g <= 4; ++g) ann.open(g, 3);
  ann.sync();
  REQUIRE(bob.adopt(ann) == game_set{1, 2, 3, 4});
  bob.move(1, 4);
  bob.finish(2, 4);
  bob.log().quarantine(game_id{3}, "no good");
  bob.sync();
  bob.kill();
  REQUIRE(cid.adopt(bob) == game_set{1, 4});
  CHECK(cid.records(1) == 4);
  CHECK(in_order(1, cid.log().read(game_id{1}, 0)));
  CHECK(cid.records(4) == 3);
  cid.report_replayed({1, 4});
  CHECK(cid.log().release_adopted());
}

TEST_CASE("log_writer: a replay that its member did not survive is a suspicion of the next one") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard}, cid{db, heard};
  ann.open(1, 3), ann.open(2, 3), ann.sync();
  bob.adopt(ann);
  const std::array first{game_id{1}};
  bob.log().announce_replay(first);
  CHECK(bob.log().suspicions(game_id{1}) == 0);
  bob.kill();
  REQUIRE(cid.adopt(bob) == game_set{1, 2});
  CHECK(cid.log().suspicions(game_id{1}) == 1);
  CHECK(cid.log().suspicions(game_id{2}) == 0);
  cid.log().announce_replay(first);
  cid.kill();
  adopting_member dan{db, heard};
  dan.adopt(cid);
  CHECK(dan.log().suspicions(game_id{1}) == 2);
}

TEST_CASE("log_writer: a first move that its member did not survive is a suspicion, too") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard};
  for (std::uint64_t g = 1; g <= 2; ++g) {
    ann.open(g, 3), ann.sync();
    REQUIRE(heard.wait(game_id{g}, 3));
  }
  ears announced;
  for (std::uint64_t g = 1; g <= 2; ++g) {
    REQUIRE(ann.log().announce_move(game_id{g}, announced) == journal::journal::announced::pending);
    ann.log().flush();
    REQUIRE(announced.wait(game_id{g}, 3));
  }
  CHECK(ann.log().announce_move(game_id{9}, announced) == journal::journal::announced::no);
  ann.move(2, 4), ann.log().move_survived(game_id{2}), ann.sync();
  ann.kill();
  REQUIRE(bob.adopt(ann) == game_set{1, 2});
  CHECK(bob.log().suspicions(game_id{1}) == 1);
  CHECK(bob.log().suspicions(game_id{2}) == 0);
  CHECK(bob.records(1) == 3);
  CHECK(bob.records(2) == 4);
}

TEST_CASE("log_writer: a second call gives nothing twice, and one that is taken nothing at all") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard}, cid{db, heard};
  ann.open(1, 3), ann.sync();
  CHECK(bob.adopt(ann) == game_set{1});
  bob.finish(1, 4), bob.sync();
  CHECK(bob.adopt(ann) == game_set{});
  CHECK_FALSE(cid.log().adopt(ann.id()));
  CHECK_FALSE(ann.log().adopt(bob.id()));
  CHECK(open_ids(bob.log()).empty());
  // Who got nothing can hand its own games over.
  cid.open(2, 3), cid.sync();
  REQUIRE(heard.wait(game_id{2}, 3));
  CHECK(gives(cid.log(), game_id{2}, heard));
  CHECK_FALSE(gives(cid.log(), game_id{2}, heard));
}

TEST_CASE("log_writer: a game that is handed over goes on elsewhere, while its hub goes on") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard};
  ann.open(1, 4), ann.open(2, 3), ann.sync();
  REQUIRE(heard.wait(game_id{1}, 4));
  ears released;
  REQUIRE(gives(ann.log(), game_id{1}, released));
  CHECK_FALSE(gives(ann.log(), game_id{1}, released));
  CHECK_FALSE(gives(ann.log(), game_id{9}, released));
  ann.log().flush();
  REQUIRE(released.wait(game_id{1}, 4));
  CHECK(open_ids(ann.log()) == std::vector<std::uint64_t>{2});
  CHECK(ann.log().report().games_released == 1);
  const member_id parcel{bob.id().value + 1};
  const auto found = bob.log().adopt(parcel);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().games.size() == 1);
  CHECK(bob.records(1) == 4);
  // Bob has it from another log, which still has it: so he can't give it away.
  CHECK_FALSE(gives(bob.log(), game_id{1}, released));
  bob.report_replayed({1});
  CHECK_FALSE(gives(bob.log(), game_id{1}, released));
  REQUIRE(bob.log().release_adopted());
  bob.move(1, 5), bob.sync();
  REQUIRE(heard.wait(game_id{1}, 5));
  ann.move(2, 4), ann.sync();
  CHECK(ann.records(2) == 4);
  // And on to a third one.
  REQUIRE(gives(bob.log(), game_id{1}, released));
  bob.log().flush();
  REQUIRE(released.wait(game_id{1}, 5));
  ann.kill(), bob.kill();
  adopting_member cid{db, heard};
  CHECK(cid.adopt(ann) == game_set{2});
  CHECK(cid.adopt(bob) == game_set{});
  const auto second = cid.log().adopt(member_id{parcel.value + 1});
  REQUIRE(second);
  CHECK(second->front().games.size() == 1);
  CHECK(in_order(1, cid.log().read(game_id{1}, 0)));
  CHECK(cid.records(1) == 5);
}

TEST_CASE("log_writer: adopted games that this hub can't replay go on elsewhere, as suspects") {
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard};
  ann.open(1, 4), ann.open(2, 3), ann.sync();
  REQUIRE(heard.wait(game_id{1}, 4));
  ann.log().announce_replay(std::array{game_id{1}});
  ann.kill();
  CHECK(bob.adopt(ann) == game_set{1, 2});
  REQUIRE(bob.log().suspicions(game_id{1}) == 1);
  bob.report_replayed({2});
  // Bob's log does not have it yet.
  const std::array unplayed{log_writer::unplayed_game{game_id{1}, {}}};
  CHECK_FALSE(bob.log().release_adopted());
  bob.log().keep_adopted(std::array{game_id{1}});
  CHECK_FALSE(bob.log().hand_over_unplayed(unplayed));
  REQUIRE(bob.log().release_adopted());
  REQUIRE(bob.log().hand_over_unplayed(unplayed));
  bob.sync();
  CHECK(open_ids(bob.log()) == std::vector<std::uint64_t>{2});
  CHECK(bob.log().suspicions(game_id{1}) == 0);
  CHECK(bob.log().report().games_released == 1);
  const member_id parcel{bob.id().value + 1};
  db.look([&](const fake_database::state& s) {
    CHECK(s.members.at(parcel).needs.size() == 1);
    CHECK_FALSE(s.members.at(bob.id()).announced.contains(game_id{1}));
  });
  bob.kill();
  adopting_member cid{db, heard};
  CHECK(cid.adopt(bob) == game_set{2});
  const auto found = cid.log().adopt(parcel);
  REQUIRE(found);
  CHECK(found->front().games.size() == 1);
  CHECK(cid.log().suspicions(game_id{1}) == 1);
  CHECK(cid.records(1) == 4);
}

TEST_CASE("log_writer: an adoption that fails between two logs gives the games of both later") {
  struct failing_log final : fake_log {
    using fake_log::fake_log;
    log_contents recover(member_id other) override {
      if (reads_left-- == 0) throw std::runtime_error{"the connection was lost"};
      return fake_log::recover(other);
    }
    int reads_left = 1;
  };
  fake_database db;
  ears heard;
  adopting_member ann{db, heard}, bob{db, heard};
  ann.open(1, 3), ann.sync();
  REQUIRE(bob.adopt(ann) == game_set{1});
  bob.open(2, 3), bob.sync();
  bob.kill();
  log_writer cid{std::make_unique<failing_log>(db), retention_settings{}, quick(),
                 std::function<void(std::string_view)>{}};
  CHECK_THROWS(cid.adopt(bob.id()));
  const auto found = cid.adopt(bob.id());
  REQUIRE(found);
  game_set games;
  for (const auto& each : *found)
    for (const auto& h : each.games) games.insert(h.id.value);
  CHECK(games == game_set{1, 2});
}

// Members open games, move, end them, die, and adopt who died, in an order drawn from a seed.
TEST_CASE("log_writer: nothing that was told is lost or changed, wherever members die") {
  const char* const given = std::getenv("GAMEHUB_SEED");
  const auto first = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  for (auto seed = first; seed < first + (given == nullptr ? 150 : 1); ++seed) {
    INFO("GAMEHUB_SEED=" << seed);
    std::mt19937_64 random{seed};
    fake_database db;
    ears heard;
    auto now = std::make_unique<adopting_member>(db, heard);
    std::map<std::uint64_t, record_number> open;  // with their numbers of records
    std::set<std::uint64_t> unreported;
    std::uint64_t next = 0;
    for (int step = 0; step < 60; ++step) {
      const auto what = random() % 12;
      if (what == 0 || (what < 4 && open.size() < 3)) {
        now->open(++next, 3);
        open[next] = 3;
      } else if (what < 8 && !open.empty()) {
        auto& [game, n] = *std::next(open.begin(), static_cast<long>(random() % open.size()));
        now->move(game, ++n);
      } else if (what == 8 && !open.empty()) {
        const auto at = std::next(open.begin(), static_cast<long>(random() % open.size()));
        now->finish(at->first, at->second + 1);
        open.erase(at);
      } else if (what == 9) {
        now->sync();
      } else if (what == 10 && !unreported.empty()) {
        now->report_replayed(unreported);
        unreported.clear();
        if (random() % 2 == 0) CHECK(now->log().release_adopted());
      } else if (what == 11) {
        const auto dead = std::move(now);
        dead->kill();
        now = std::make_unique<adopting_member>(db, heard);
        unreported = now->adopt(*dead);
        // What was not told may be gone: the game goes on from what is there.
        for (auto& [game, n] : open) n = now->records(game);
        std::erase_if(open, [](const auto& g) { return g.second == 0; });
        for (const auto game : unreported) open[game] = now->records(game);
      }
      for (const auto& [game, told] : heard.all()) {
        if (game.value > next) continue;
        const auto records = now->log().read(game, 0);
        REQUIRE(records.size() >= told);
        REQUIRE(in_order(game.value, records));
      }
    }
  }
}

TEST_CASE(
    "log_writer: only a large batch is followed by a pause, which does not grow with failures") {
  CHECK(pause_after(1, 10ms) == 0ns);
  CHECK(pause_after(7, 10ms) == 0ns);
  CHECK(pause_after(8, 1ms) == 500us);
  CHECK(pause_after(1'000, 1ms) == 500us);
  CHECK(pause_after(8, 10s) == 2ms);
}

TEST_CASE("log_writer: by hand, each step makes one attempt to write") {
  fake_database db;
  ears heard;
  bool refuses = true;
  auto tuning = quick();
  tuning.by_hand = true;
  log_writer log{
      std::make_unique<fake_log>(
          db, [&](std::string_view) { return refuses ? log_fault::refused : log_fault::none; }),
      retention_settings{}, tuning, std::function<void(std::string_view)>{}};
  CHECK_FALSE(log.step());
  log.open(header(1));
  append(log, 1, 1, 2, heard);
  CHECK_FALSE(log.step());
  CHECK(log.trouble());
  refuses = false;
  bool did = false;
  log.on_store([&](log_store&) { did = true; });
  CHECK(log.step());
  CHECK_FALSE(log.trouble());
  CHECK(log.report().transactions == 1);
  CHECK_FALSE(did);
  CHECK(log.step());
  CHECK(did);
  CHECK_FALSE(log.step());
}
