#include "hub/cluster/membership.hpp"

#include "tests/support/catch.hpp"

#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>

using namespace gamehub;
using namespace gamehub::cluster;
using namespace std::chrono_literals;

namespace {

// The rows of a cluster in memory.
struct member_rows {
  std::mutex mutex;
  std::map<member_id, member_row> all;
  bool away = false;

  void add(std::uint64_t id) { all[member_id{id}].id = member_id{id}; }
};

class fake_table final : public member_table {
 public:
  fake_table(member_rows& rows, member_id self) : rows_(rows), self_(self) {}

  std::vector<member_row> beat(std::uint64_t games, const std::set<std::string>& engines) override {
    const std::lock_guard lock{rows_.mutex};
    if (rows_.away) throw std::runtime_error{"no database"};
    auto& self = rows_.all.at(self_);
    ++self.beats;
    self.games = games;
    self.engines = engines;
    std::vector<member_row> all;
    for (const auto& [id, r] : rows_.all) all.push_back(r);
    return all;
  }
  void leave() override {
    const std::lock_guard lock{rows_.mutex};
    if (rows_.away) throw std::runtime_error{"no database"};
    rows_.all.at(self_).left = true;
  }

 private:
  member_rows& rows_;
  const member_id self_;
};

// Member 1, with beats by hand.
struct scene {
  explicit scene(member_actions actions = {}) {
    rows.add(1), rows.add(2);
    if (!actions.games) actions.games = [] { return 3; };
    if (!actions.on_fenced) actions.on_fenced = [] {};
    actions.on_trouble = [this](const std::string& why) { troubles.push_back(why); };
    if (!actions.adopt) actions.adopt = [](member_id) {};
    self = std::make_unique<membership>(std::make_unique<fake_table>(rows, member_id{1}),
                                        member_id{1}, std::move(actions));
    self->start_adopting();
  }
  bool step() {
    now += 250ms;
    return self->step(now, [this] { return now; });
  }

  member_rows rows;
  std::vector<std::string> troubles;
  base::instant now{1h};
  std::unique_ptr<membership> self;
};

}  // namespace

TEST_CASE("membership: a beat shows the games of this member, and reads those of the others") {
  scene s;
  CHECK(s.self->others() == 0);
  CHECK(s.step());
  CHECK(s.rows.all.at(member_id{1}).games == 3);
  CHECK(s.self->others() == 1);
  CHECK(s.step());
  const auto all = s.self->members(s.now);
  REQUIRE(all.size() == 2);
  CHECK(all[0].silent_for == 0ms);
  CHECK(all[1].silent_for == 250ms);
  s.rows.all.at(member_id{2}).left = true;
  CHECK(s.step());
  CHECK(s.self->others() == 0);
}

TEST_CASE("membership: it tells the rows of each beat that was answered") {
  std::vector<std::size_t> told;
  member_actions actions;
  actions.on_rows = [&](const std::vector<member_row>& rows) { told.push_back(rows.size()); };
  scene s{actions};
  CHECK(s.step());
  s.rows.away = true;
  CHECK(s.step());
  CHECK(told == std::vector<std::size_t>{2});
}

TEST_CASE("membership: a member may be taken over that has not beaten since, or left") {
  scene s;
  CHECK(s.self->may_take_over(s.now));
  CHECK(s.step());
  const auto before = s.now;
  CHECK(s.self->may_take_over(before));
  // The first beat that is seen may have been made before the time asked for.
  ++s.rows.all.at(member_id{2}).beats;
  CHECK(s.step());
  CHECK(s.self->may_take_over(before));
  ++s.rows.all.at(member_id{2}).beats;
  CHECK(s.step());
  CHECK_FALSE(s.self->may_take_over(before));
  CHECK(s.self->may_take_over(s.now));
  // Released games are the log of a member that has left before it was seen.
  const auto asked = s.now;
  ++s.rows.all.at(member_id{2}).beats;
  CHECK(s.step());
  s.rows.add(4);
  s.rows.all.at(member_id{4}).games = 1;
  s.rows.all.at(member_id{4}).left = true;
  ++s.rows.all.at(member_id{2}).beats;
  CHECK(s.step());
  CHECK(s.self->may_take_over(asked));
  // Another member takes them over, and then has done so.
  s.rows.all.at(member_id{4}).adopted_by = member_id{2};
  ++s.rows.all.at(member_id{2}).beats;
  CHECK(s.step());
  CHECK(s.self->may_take_over(asked));
  s.rows.all.at(member_id{4}).taken = true;
  CHECK(s.step());
  CHECK_FALSE(s.self->may_take_over(asked));
}

TEST_CASE("membership: each failure of the database is reported once, and its end") {
  scene s;
  s.rows.away = true;
  CHECK(s.step());
  CHECK(s.step());
  CHECK_FALSE(s.self->leave());
  s.rows.away = false;
  CHECK(s.step());
  CHECK(s.step());
  CHECK(s.troubles == std::vector<std::string>{"no database", ""});
  CHECK(s.self->leave());
  CHECK(s.rows.all.at(member_id{1}).left);
}

TEST_CASE("membership: a broken link lets it adopt a dead member two beats sooner") {
  scene s;
  const auto beats_until_adopting = [&] {
    for (int beats = 1; beats < 10; ++beats) {
      CHECK(s.step());
      if (s.self->adopting()) return beats;
    }
    return 0;
  };
  CHECK(s.step());
  SECTION("the link works") { CHECK(beats_until_adopting() == 4); }
  SECTION("the link broke") {
    s.self->on_link_broken(member_id{2});
    CHECK(beats_until_adopting() == 2);
  }
  SECTION("the link broke and works again") {
    s.self->on_link_broken(member_id{2});
    s.self->on_link_up(member_id{2});
    CHECK(beats_until_adopting() == 4);
  }
}

TEST_CASE("membership: a member that is adopted stops beating") {
  scene s;
  CHECK(s.step());
  s.rows.all.at(member_id{1}).adopted_by = member_id{2};
  CHECK_FALSE(s.step());
}

TEST_CASE("membership: it adopts one member at a time, and goes on beating") {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<member_id> adopted;
  bool may_end = false, fenced = false;
  member_rows rows;
  rows.add(1), rows.add(2), rows.add(3);
  rows.all.at(member_id{2}).left = rows.all.at(member_id{3}).left = true;
  member_actions actions;
  actions.games = [] { return 0; };
  actions.on_trouble = [](const std::string&) {};
  actions.on_fenced = [&] {
    const std::lock_guard lock{mutex};
    fenced = true;
    changed.notify_all();
  };
  actions.adopt = [&](member_id who) {
    std::unique_lock lock{mutex};
    adopted.push_back(who);
    changed.notify_all();
    changed.wait(lock, [&] { return may_end; });
    const std::lock_guard rows_lock{rows.mutex};
    rows.all.erase(who);
  };
  membership self{std::make_unique<fake_table>(rows, member_id{1}),
                  member_id{1},
                  std::move(actions),
                  {.interval = 1ms, .rank_delay = 1ms}};
  self.start();
  self.start_adopting();
  const auto beats = [&] {
    const std::lock_guard lock{rows.mutex};
    return rows.all.at(member_id{1}).beats;
  };
  {
    std::unique_lock lock{mutex};
    REQUIRE(changed.wait_for(lock, 30s, [&] { return !adopted.empty(); }));
  }
  const auto before = beats();
  while (beats() < before + 20) std::this_thread::yield();
  {
    std::unique_lock lock{mutex};
    CHECK(adopted == std::vector{member_id{2}});
    may_end = true;
    changed.notify_all();
    REQUIRE(changed.wait_for(lock, 30s, [&] { return adopted.size() == 2; }));
    CHECK(adopted.back() == member_id{3});
  }
  {
    const std::lock_guard lock{rows.mutex};
    rows.all.at(member_id{1}).adopted_by = member_id{9};
  }
  std::unique_lock lock{mutex};
  CHECK(changed.wait_for(lock, 30s, [&] { return fenced; }));
}

TEST_CASE("membership: by hand, an adoption that a beat decided is carried out once") {
  std::vector<member_id> adopted;
  member_actions actions;
  actions.adopt = [&](member_id who) { adopted.push_back(who); };
  scene s{std::move(actions)};
  CHECK(s.step());
  CHECK_FALSE(s.self->adopting());
  CHECK_FALSE(s.self->adopt_next());
  s.rows.all.at(member_id{2}).left = true;
  CHECK(s.step());
  CHECK(s.self->adopting());
  CHECK(s.self->adopt_next());
  CHECK_FALSE(s.self->adopt_next());
  CHECK(adopted == std::vector{member_id{2}});
}

TEST_CASE("membership: from the start it beats, and it adopts nothing until it may") {
  member_rows rows;
  rows.add(1), rows.add(2);
  rows.all.at(member_id{2}).left = true;
  std::promise<member_id> adopted;
  member_actions actions;
  actions.games = [] { return 0; };
  actions.on_trouble = [](const std::string&) {};
  actions.on_fenced = [] {};
  actions.adopt = [&](member_id who) {
    const std::lock_guard lock{rows.mutex};
    rows.all.at(who).taken = true;
    adopted.set_value(who);
  };
  // The second beat comes only because it may adopt.
  membership self{std::make_unique<fake_table>(rows, member_id{1}),
                  member_id{1},
                  std::move(actions),
                  {.interval = 24h}};
  self.start();
  while (self.members({}).empty()) std::this_thread::yield();
  CHECK_FALSE(self.adopting());
  self.start_adopting();
  auto who = adopted.get_future();
  REQUIRE(who.wait_for(30s) == std::future_status::ready);
  CHECK(who.get() == member_id{2});
  self.stop();
  CHECK(rows.all.at(member_id{1}).beats == 2);
}

static member_actions no_actions() {
  return {.games = [] { return 0; },
          .adopt = [](member_id) {},
          .on_fenced = [] {},
          .on_trouble = [](const std::string&) {}};
}

TEST_CASE("membership: a hub that drains adopts nothing, whatever comes first") {
  member_rows rows;
  rows.add(1), rows.add(2);
  rows.all.at(member_id{2}).left = true;
  membership self{std::make_unique<fake_table>(rows, member_id{1}), member_id{1}, no_actions()};
  base::instant now{1h};
  const auto adopts_after_a_beat = [&] {
    now += 250ms;
    CHECK(self.step(now, [&] { return now; }));
    return self.adopting();
  };
  CHECK_FALSE(adopts_after_a_beat());
  SECTION("it may adopt") {
    self.start_adopting();
    CHECK(adopts_after_a_beat());
  }
  SECTION("it drains later") {
    self.start_adopting();
    self.stop_adopting();
    CHECK_FALSE(adopts_after_a_beat());
  }
  SECTION("it drains before") {
    self.stop_adopting();
    self.start_adopting();
    CHECK_FALSE(adopts_after_a_beat());
  }
}

TEST_CASE("membership: a member that was silent before is adopted with the first beat that may") {
  member_rows rows;
  rows.add(1), rows.add(2);
  membership self{std::make_unique<fake_table>(rows, member_id{1}), member_id{1}, no_actions()};
  base::instant now{1h};
  const auto step = [&] {
    now += 250ms;
    CHECK(self.step(now, [&] { return now; }));
  };
  for (int beats = 0; beats < 6; ++beats) step();
  CHECK_FALSE(self.adopting());
  self.start_adopting();
  step();
  CHECK(self.adopting());
}

TEST_CASE("membership: games that wait for an engine keep no request waiting") {
  member_actions actions;
  actions.engines = [] { return std::set<std::string>{"nim 1.0.0"}; };
  scene s{std::move(actions)};
  auto& other = s.rows.all.at(member_id{2});
  other.left = true;
  other.games = 1;
  other.engines = {"pig 1.0.0"};
  CHECK(s.step());
  CHECK_FALSE(s.self->may_take_over(s.now));
  // Those too that this member had not taken over completely.
  s.rows.add(4);
  s.rows.all.at(member_id{4}).adopted_by = member_id{2};
  CHECK(s.step());
  CHECK_FALSE(s.self->may_take_over(s.now));
  other.engines = {"nim 1.0.0"};
  CHECK(s.step());
  CHECK(s.self->may_take_over(s.now));
}
