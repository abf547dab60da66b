// What a call costs while many players wait who can't meet: counted in steps, not in time.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>

using namespace gamehub;
using namespace std::chrono_literals;
using namespace gamehub::actors::lobby;

namespace {

constexpr std::uint64_t crowd_size = 10'000;
// A player has two entries in the index of its queue. Each search visits the kinds of players (by
// seat and reported id) that wait, at most six here.
constexpr std::uint64_t steps_max = 64;

struct crowd {
  // Calls `work` and counts its steps.
  template <class Work>
  auto counted(Work work) {
    const auto before = m.steps();
    const auto done = finally{[&] { most = std::max(most, m.steps() - before); }};
    return work();
  }
  template <class Run>
  struct finally {
    Run run;
    ~finally() { run(); }
  };
  template <class Run>
  finally(Run) -> finally<Run>;

  std::vector<pairing> place(const open_seek& o) {
    return counted([&] { return std::get<placement>(m.place(o, now)).tables; });
  }
  std::vector<pairing> advance() {
    std::vector<pairing> tables;
    counted([&] { m.advance(now, tables); });
    return tables;
  }

  matchmaker m{{2, 2}};
  base::instant now{1h};
  std::uint64_t most = 0;
};

open_seek seek_of(std::uint64_t who) {
  open_seek o{{who}, {{0, {}}}};
  o.name = "p" + std::to_string(who);
  return o;
}

}  // namespace

TEST_CASE("matchmaker: a call costs the same beside 10,000 players who can't meet") {
  const auto kind = GENERATE(0, 1, 2, 3, 4);
  CAPTURE(kind);
  crowd c;
  const auto waiter = [&](std::uint64_t who) {
    auto o = seek_of(who);
    switch (kind) {
      case 0: o.opponent = "absent" + std::to_string(who); break;
      case 1: o.seat = 0; break;
      case 2: o.seat = 0, o.seat_at_once = true; break;
      case 3: o.opponent = "absent", o.again = true, o.games_max = 5; break;
      default: o.queues.front().options = std::to_string(who);
    }
    return o;
  };
  for (std::uint64_t who = 1; who <= crowd_size; ++who) {
    REQUIRE(c.place(waiter(who)).empty());
    if (kind == 2) c.counted([&] { c.m.reserve({who}, game_id{who}); });
    c.now += 10us;
  }
  CHECK(c.m.waiting(0) == crowd_size);
  // Others come and go, are paired, and wait for the end of their pause.
  auto ann = seek_of(20'000), bob = seek_of(20'001);
  ann.again = bob.again = true;
  ann.opponent = bob.name;
  ann.seat = 1;
  CHECK(c.place(ann).empty());
  CHECK(c.place(bob).size() == 1);
  std::vector<pairing> tables;
  for (const auto* each : {&ann, &bob})
    c.counted([&] { c.m.game_ended(each->player, c.now, tables); });
  // bob needs no seat and no opponent, so it may be paired with one of the crowd.
  if (tables.empty()) {
    REQUIRE(c.m.next());
    c.now = *c.m.next();
    tables = c.advance();
  }
  CHECK(tables.size() == 1);
  c.now += 1h;
  while (c.m.next() && *c.m.next() <= c.now) CHECK(c.advance().empty());
  c.counted([&] { c.m.set_away({2}, true, c.now, tables); });
  c.counted([&] { c.m.set_away({2}, false, c.now, tables); });
  for (std::uint64_t who = 1; who <= crowd_size; ++who) c.counted([&] { c.m.withdraw({who}); });
  CHECK(c.m.waiting(0) <= 2);
  CHECK(c.most <= steps_max);
}

TEST_CASE("matchmaker: the pauses of 10,000 players end in calls of bounded cost, none is lost") {
  crowd c;
  const auto opponent_of = [](std::uint64_t who) { return who % 2 == 0 ? who - 1 : who + 1; };
  std::vector<pairing> tables;
  for (std::uint64_t who = 1; who <= crowd_size; ++who) {
    auto o = seek_of(who);
    o.again = true;
    o.opponent = "p" + std::to_string(opponent_of(who));
    CHECK(c.place(o).size() == (who % 2 == 0 ? 1 : 0));
  }
  for (std::uint64_t who = 1; who <= crowd_size; ++who)
    c.counted([&] { c.m.game_ended({who}, c.now, tables); });
  CHECK(tables.empty());
  CHECK(c.most <= steps_max);
  REQUIRE(c.m.next() == c.now + limits::rematch_pause);
  c.now += limits::rematch_pause;
  std::size_t paired = 0, calls = 0;
  for (; c.m.next() && *c.m.next() <= c.now && calls < crowd_size; ++calls) {
    const auto now_paired = c.advance().size();
    CHECK(now_paired <= matchmaker::retries_per_call_max);
    paired += now_paired;
  }
  CHECK(paired == crowd_size / 2);
  CHECK(c.most <= steps_max * matchmaker::retries_per_call_max);
}

TEST_CASE("matchmaker: without room no one is paired, then those who waited first") {
  crowd c;
  std::vector<pairing> tables;
  auto ann = seek_of(1), bob = seek_of(2), cid = seek_of(3);
  for (auto* each : {&ann, &bob, &cid}) each->again = true;
  c.place(ann), c.place(bob);
  c.m.set_room(0);
  CHECK(c.place(cid).empty());
  for (const std::uint64_t who : {1u, 2u}) c.m.game_ended({who}, c.now, tables);
  CHECK(tables.empty());
  CHECK(c.m.waits_for_room());
  CHECK(c.m.waiting(0) == 3);
  CHECK_FALSE(c.m.next());
  c.now += 5s;
  CHECK(c.advance().empty());
  SECTION("room for one table") {
    c.m.set_room(1);
    REQUIRE(c.m.next());
    CHECK(*c.m.next() <= c.now);
    const auto opened = c.advance();
    REQUIRE(opened.size() == 1);
    CHECK(opened.front().players == std::vector<player_id>{{3}, {1}});
    CHECK(c.m.waits_for_room());
    CHECK_FALSE(c.m.next());
  }
  SECTION("one of them goes") {
    c.m.withdraw({3});
    c.m.set_room(1'000);
    // The other two are alone, and need no pause.
    const auto opened = c.advance();
    REQUIRE(opened.size() == 1);
    CHECK(opened.front().players.size() == 2);
    CHECK_FALSE(c.m.waits_for_room());
    CHECK(c.m.waiting(0) == 0);
  }
}

TEST_CASE("matchmaker: the calls of one turn open 16 tables together, later turns the others") {
  crowd c;
  c.m.begin_turn();
  for (std::uint64_t who = 1; who <= 100; ++who) {
    auto o = seek_of(who);
    o.seat = 0;
    c.place(o);
  }
  const auto many = [](std::uint64_t who) {
    auto o = seek_of(who);
    o.seat = 1;
    o.again = true;
    o.games_max = 40;
    return o;
  };
  auto paired = c.place(many(1'000)).size();
  CHECK(paired == matchmaker::tables_per_turn_max);
  // The first game of a player does not wait.
  for (std::uint64_t who = 1'001; who <= 1'002; ++who) {
    CHECK(c.place(many(who)).size() == 1);
    ++paired;
  }
  std::vector<pairing> tables;
  c.m.game_ended({1'000}, c.now, tables);
  CHECK(tables.empty());
  // A turn in which nothing is left opens nothing, whatever asks.
  CHECK(c.advance().empty());
  int turns = 0;
  for (; c.m.next() && *c.m.next() <= c.now && turns < 100; ++turns) {
    c.m.begin_turn();
    const auto opened = c.advance().size() + c.advance().size();
    CHECK(opened <= matchmaker::tables_per_turn_max);
    paired += opened;
  }
  CHECK(turns < 100);
  CHECK(paired == 100);
}

TEST_CASE("matchmaker: who has no game is served at once, beside players who want many") {
  crowd c;
  c.m.begin_turn();
  for (std::uint64_t who = 1; who <= 50; ++who) {
    auto o = seek_of(who);
    o.again = true;
    o.games_max = 1'000;
    c.place(o);
  }
  CHECK(c.m.waits_for_room());
  // A pair that plays another game, in the turn that has opened its tables.
  for (std::uint64_t who = 101; who <= 102; ++who) {
    auto o = seek_of(who);
    o.queues.front().engine = 1;
    const auto opened = c.place(o);
    REQUIRE(opened.size() == (who == 102 ? 1 : 0));
  }
  // The next game of a standing seek for one game is its only one.
  for (std::uint64_t who = 103; who <= 104; ++who) {
    auto o = seek_of(who);
    o.queues.front().engine = 1;
    o.again = true;
    CHECK(c.place(o).size() == (who == 104 ? 1 : 0));
  }
  std::vector<pairing> tables;
  c.m.game_ended({103}, c.now, tables);
  CHECK(tables.empty());
  for (std::uint64_t who = 105; who <= 106; ++who) {
    auto o = seek_of(who);
    o.queues.front().engine = 1;
    CHECK(c.place(o).size() == (who == 105 ? 1 : 0));
  }
  c.m.game_ended({104}, c.now, tables);
  CHECK(tables.size() == 1);
}
