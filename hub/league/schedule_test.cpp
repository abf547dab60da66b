#include "hub/league/schedule.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;

struct schedule_scene {
  explicit schedule_scene(std::size_t games_per_bot = 1) : games({1h, games_per_bot}) {}

  schedule games;
  changes out;
  base::wall_time now{24h};
  std::vector<bot_record> online;

  bot_record make(std::uint64_t n, const std::string& version = "1") {
    bot_record b;
    b.id = bot_id{n};
    b.name = "bot " + std::to_string(n);
    b.version = version;
    b.engine = "tictactoe";
    b.state = bot_state::online;
    return b;
  }
  void come(const bot_record& b) {
    games.update_bot(b, now);
    games.pair(b, online, now, out);
    games.set_durable(games.last());
    std::erase_if(online, [&](const bot_record& each) { return each.id == b.id; });
    online.push_back(b);
  }
  void fail(bot_record b) {
    b.state = bot_state::faulty;
    games.update_bot(b, now);
    games.withdraw(b.id, out);
    std::erase_if(online, [&](const bot_record& each) { return each.id == b.id; });
  }
  std::vector<scheduled_match> next() { return games.next(now, 1'000); }
  void open(const scheduled_match& p) { games.opened(p.id, game_id{1'000 + p.id.value}, now, out); }
  void end(const scheduled_match& p, std::optional<seat_index> winner = {}) {
    games.ended(p.id, match_result{winner}, false, now, out);
  }
  void play(const scheduled_match& p) {
    open(p);
    end(p);
  }
  int play_all() {
    int count = 0;
    for (auto due = next(); !due.empty(); due = next())
      for (const auto& each : due) {
        play(each);
        ++count;
      }
    return count;
  }
};

TEST_CASE("schedule: a pair gets two games, X once each") {
  schedule_scene s;
  s.come(s.make(1));
  CHECK(s.next().empty());
  s.come(s.make(2));
  const auto first = s.next();
  REQUIRE(first.size() == 1);
  s.play(first[0]);
  const auto second = s.next();
  REQUIRE(second.size() == 1);
  CHECK(second[0].bots[0] == first[0].bots[1]);
  CHECK(second[0].bots[1] == first[0].bots[0]);
  s.play(second[0]);
  CHECK(s.next().empty());
}

TEST_CASE("schedule: fifty bots play 2,450 games, each with one at a time") {
  schedule_scene s;
  for (std::uint64_t n = 1; n <= 50; ++n) s.come(s.make(n));
  CHECK(s.games.waiting_count() == 2'450);
  const auto first = s.next();
  CHECK(first.size() == 25);
  for (const auto& each : first) s.play(each);
  CHECK(25 + s.play_all() == 2'450);
  CHECK(s.games.waiting_count() == 0);
}

TEST_CASE("schedule: bots of another engine are no opponents") {
  schedule_scene s;
  s.come(s.make(1));
  auto other = s.make(2);
  other.engine = "nim";
  s.come(other);
  CHECK(s.games.waiting_count() == 0);
}

TEST_CASE("schedule: a bot that returns gets no match that waits, runs or ended lately") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  s.come(s.make(1));
  CHECK(s.games.waiting_count() == 2);
  const auto p = s.next().at(0);
  s.open(p);
  s.come(s.make(2));
  CHECK(s.games.waiting_count() == 1);
  s.end(p);
  s.come(s.make(1));
  CHECK(s.games.waiting_count() == 1);
  s.play_all();
  s.now += 59min;
  s.come(s.make(1));
  CHECK(s.games.waiting_count() == 0);
  s.now += 1min;
  s.come(s.make(1));
  CHECK(s.games.waiting_count() == 2);
}

TEST_CASE("schedule: a new version plays again, also the waiting matches") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto p = s.next().at(0);
  s.open(p);
  s.come(s.make(2, "2"));
  // The game that runs is the old version's; the one that waits will be the new one's.
  CHECK(s.games.waiting_count() == 2);
  s.end(p);
  CHECK(s.play_all() == 2);
  s.come(s.make(2, "2"));
  s.come(s.make(2, "1"));
  CHECK(s.games.waiting_count() == 1);
}

TEST_CASE("schedule: waiting matches of a faulty bot are removed until it returns") {
  schedule_scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.come(s.make(n));
  s.out = {};
  s.fail(s.make(3));
  CHECK(s.out.withdrawn.size() == 4);
  CHECK(s.games.waiting_count() == 2);
  s.come(s.make(3));
  CHECK(s.games.waiting_count() == 6);
}

TEST_CASE("schedule: a match that was being opened when a bot failed is removed, too") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto p = s.next().at(0);
  s.fail(s.make(2));
  CHECK(s.games.waiting_count() == 1);
  s.games.not_opened(p.id, s.now, s.out);
  CHECK(s.games.waiting_count() == 0);
  CHECK(s.games.find(p.id) == nullptr);
}

TEST_CASE("schedule: a game that could not be opened is tried again, after a pause that grows") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto first = s.next().at(0);
  s.games.not_opened(first.id, s.now, s.out);
  // Meanwhile the other one can have its turn.
  const auto other = s.next().at(0);
  CHECK(other.id != first.id);
  s.play(other);
  CHECK(s.next().empty());
  s.now += opening_pause_min;
  REQUIRE(s.next().size() == 1);
  s.games.not_opened(first.id, s.now, s.out);
  s.now += opening_pause_min;
  CHECK(s.next().empty());
  s.now += opening_pause_min;
  CHECK(s.next().size() == 1);
}

TEST_CASE("schedule: a match without a result is repeated a limited number of times") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto id = s.next().at(0).id;
  for (std::uint32_t n = 1; n <= openings_max; ++n) {
    s.games.opened(id, game_id{n}, s.now, s.out);
    const auto* over = s.games.ended(id, {}, false, s.now, s.out);
    CHECK((over != nullptr) == (n == openings_max));
    if (over != nullptr) CHECK_FALSE(over->got);
    s.next();
  }
  CHECK(s.games.find(id) == nullptr);
}

TEST_CASE("schedule: a drain does not count against a game") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto id = s.next().at(0).id;
  for (std::uint64_t n = 1; n <= 2 * openings_max; ++n) {
    s.games.opened(id, game_id{n}, s.now, s.out);
    CHECK(s.games.ended(id, {}, true, s.now, s.out) == nullptr);
    s.next();
  }
  CHECK(s.games.find(id) != nullptr);
}

TEST_CASE("schedule: a bot may have several games at once") {
  schedule_scene s{3};
  for (std::uint64_t n = 1; n <= 4; ++n) s.come(s.make(n));
  const auto due = s.next();
  // 4 bots with 3 places each; a choice that leaves one of them empty is good enough.
  CHECK(due.size() >= 5);
  for (const auto& each : due) s.open(each);
  CHECK(s.next().empty());
  for (const auto& each : due) s.end(each);
  CHECK(s.play_all() + static_cast<int>(due.size()) == 12);
}

TEST_CASE("schedule: matches that are not durable are not returned") {
  schedule_scene s;
  s.come(s.make(1));
  s.games.update_bot(s.make(2), s.now);
  s.games.pair(s.make(2), s.online, s.now, s.out);
  CHECK(s.next().empty());
  s.games.set_durable(s.games.last());
  CHECK(s.next().size() == 1);
}

TEST_CASE("schedule: a game known to the journal alone is assigned to its waiting match") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const std::array bots{bot_id{1}, bot_id{2}};
  CHECK_FALSE(s.games.adopt(bots, game_id{9}, s.now - opened_early_max - 1ms, s.out));
  const auto id = s.games.adopt(bots, game_id{9}, s.now, s.out);
  REQUIRE(id);
  CHECK(s.games.fixture_of(game_id{9}) == id);
  CHECK(s.games.is_known(game_id{9}));
  CHECK(s.next().empty());
  CHECK_FALSE(s.games.adopt(bots, game_id{10}, s.now, s.out));
}

TEST_CASE("schedule: a bot that stays offline loses its tournament matches after the patience") {
  schedule_scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.games.update_bot(s.make(n), s.now);
  const std::vector<bot_id> bots{bot_id{1}, bot_id{2}, bot_id{3}};
  s.games.add_run(run_id{1}, "tictactoe",
                  {{bots[0], bots[1]}, {bots[2], bots[0]}, {bots[1], bots[2]}}, s.now, s.out);
  s.games.set_durable(s.games.last());
  CHECK(s.next().size() == 1);
  s.fail(s.make(3));
  s.now += 59s;
  CHECK(s.games.forfeit(run_id{1}, bots, 60s, s.now, s.out).empty());
  s.now += 1s;
  const auto over = s.games.forfeit(run_id{1}, bots, 60s, s.now, s.out);
  REQUIRE(over.size() == 2);
  for (const auto& f : over) {
    CHECK(f.bots.at(static_cast<std::size_t>(*f.got->winner)) != bots[2]);
    CHECK(f.got->how == loss_reason::absent);
  }
  CHECK(s.games.waiting_count() == 1);
}

TEST_CASE("schedule: a cancelled tournament keeps begun matches, and none waits again") {
  schedule_scene s;
  for (std::uint64_t n = 1; n <= 2; ++n) s.games.update_bot(s.make(n), s.now);
  const std::array bots{bot_id{1}, bot_id{2}};
  s.games.add_run(run_id{1}, "tictactoe", {bots, bots, bots}, s.now, s.out);
  s.games.set_durable(s.games.last());
  const auto p = s.next().at(0);
  CHECK(s.games.withdraw(run_id{1}, s.out) == 2);
  s.open(p);
  CHECK(s.games.running_count() == 1);
  s.games.ended(p.id, {}, false, s.now, s.out);
  CHECK(s.games.find(p.id) == nullptr);
}

TEST_CASE("schedule: next returns at most the requested number, and no match twice") {
  schedule_scene s;
  for (std::uint64_t n = 1; n <= 10; ++n) s.come(s.make(n));
  const auto two = s.games.next(s.now, 2);
  CHECK(two.size() == 2);
  const auto rest = s.next();
  CHECK(rest.size() == 3);
  for (const auto& each : rest)
    CHECK(std::none_of(two.begin(), two.end(), [&](const auto& p) { return p.id == each.id; }));
}

TEST_CASE("schedule: repeated or unexpected reports change nothing") {
  schedule_scene s;
  s.come(s.make(1));
  s.come(s.make(2));
  const auto p = s.next().at(0);
  s.end(p);
  CHECK(s.games.waiting_count() == 2);
  s.play(p);
  const auto before = s.out.fixtures.size();
  s.play(p);
  s.games.not_opened(p.id, s.now, s.out);
  s.games.not_opened(match_id{99}, s.now, s.out);
  CHECK(s.out.fixtures.size() == before);
  CHECK(s.play_all() == 1);
}

}  // namespace
}  // namespace gamehub::league
