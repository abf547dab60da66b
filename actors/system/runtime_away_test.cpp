// Players of games of days who are not connected: their games wait for them as long as the clock
// says, also over restarts, drains and takeovers.
#include "actors/game/game.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/journal.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"
#include "tests/support/onlooker.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using actors::runtime::hand_over;
using namespace std::chrono_literals;
using journal::record;

namespace {

constexpr auto day = std::chrono::hours{24};

intent seek_with(std::string clock) {
  auto out = seek_once();
  std::get<seek>(out).clock = std::move(clock);
  return out;
}

// Moves the clock by hours: a week by seconds takes long.
void pass_hours(test_hub& hub, std::chrono::hours time) {
  hub.settle();
  for (; time > 0h; --time) hub.pass(1h), hub.settle();
}

// Ann (X) and Bob have a game with that clock, in which Ann has taken the centre.
struct slow_table {
  explicit slow_table(const std::string& clock, evening at = evening{empty_journal()})
      : first(std::move(at)), ann(first.enter("ann", {}, 0)), bob(first.enter("bob", {}, 1)) {
    ann.client->submit(seek_with(clock)), first.hub->settle();
    bob.client->submit(seek_with(clock)), first.hub->settle();
    REQUIRE(first.hub->games_started() == 1);
    game = bob.client->events.back().game;
    first.put(ann, 1, 1, game);
  }
  void disconnect_both() const {
    ann.client->disconnect(), bob.client->disconnect();
    first.hub->settle();
  }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

// The hub takes over the games of `from` while it serves.
evening taken_over(const evening& from, std::chrono::hours down) {
  auto next = from.started_after(down);
  std::atomic<bool> done = false;
  std::thread adopting{[&] {
    const auto since = next.log->last_written();
    next.report = next.hub->runtime().take_over({{next.log->open_games(), since}}, next.events,
                                                [] { return true; });
    done = true;
  }};
  while (!done) next.hub->settle();
  adopting.join();
  next.hub->settle();
  return next;
}

std::vector<absence> away_at(test_hub& hub, game_id game) {
  const auto who = onlooker::of(hub.runtime().spectators_for(0), game);
  hub.settle();
  return who->presents.empty() ? std::vector<absence>{} : who->presents.back()->away;
}

std::int64_t credit(const test_hub& hub) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hub.loop_count(); ++i)
    sum += hub.cells(i)
               .loop.clock_credits[static_cast<std::size_t>(metrics::credit_cause::restart)]
               .value();
  return sum;
}

bool ended(const evening& e, game_id game) {
  return e.records(game).back().what == record::kind::ended;
}

}  // namespace

TEST_CASE("away: a game of days goes on without its players, until its clock falls") {
  slow_table t{"days:3"};
  auto& hub = *t.first.hub;
  t.bob.client->disconnect(), hub.settle();
  hub.advance(2s);
  // The clock alone bounds it, so nothing is claimed and no time is shown.
  CHECK(away_at(hub, t.game) == std::vector<absence>{{1, base::instant::max()}});
  hub.advance(limits::claim_default);
  t.ann.client->submit(claim{t.game}), hub.settle();
  REQUIRE(t.ann.client->last<refused>() != nullptr);
  t.ann.client->disconnect(), hub.settle();
  pass_hours(hub, 2 * day);
  CHECK(hub.sessions_open() == 2);
  SECTION("they come back") {
    const auto bob = t.first.enter({}, t.bob.secret, 0);
    CHECK(bob.client->last<signed_in>()->name == "bob");
    CHECK(bob.client->last_position()->prompted == only(1));
    CHECK(away_at(hub, t.game).size() == 1);
    t.first.put(bob, 0, 0, t.game);
    bob.client->disconnect();
    pass_hours(hub, 2 * day);
    const auto ann = t.first.enter({}, t.ann.secret, 1);
    t.first.put(ann, 0, 1, t.game);
    CHECK_FALSE(ended(t.first, t.game));
    CHECK(t.first.records(t.game).back().what == record::kind::moved);
  }
  SECTION("they do not") {
    pass_hours(hub, day - 1h);
    CHECK_FALSE(ended(t.first, t.game));
    pass_hours(hub, 1h);
    REQUIRE(ended(t.first, t.game));
    CHECK(t.first.records(t.game).back().why == end_reason::clock);
    CHECK(t.first.records(t.game).back().seat == 0);
    // Nothing of them is left.
    CHECK(hub.actors_running() == 0);
    CHECK(t.first.enter("bob").client->last<signed_in>()->name == "bob");
  }
}

TEST_CASE("away: a game by the second is left at once, beside a game of days that is kept") {
  test_hub_options options{.loops = 2};
  options.settings.clocks.by_engine["nim"] = std::get<clock_rule>(read_clock("days:2"));
  options.grace = GENERATE(0s, 30s);
  test_hub hub{options};
  const auto ann = hub.connect(test_hub::documents_wire);
  ann->submit(sign_in{"ann", {}}), hub.settle();
  const auto secret = ann->last<signed_in>()->secret;
  ann->submit(seek_again({"nim", "tictactoe"}, 3)), hub.settle();
  std::vector<std::shared_ptr<test_client>> others;
  for (const auto* engine : {"nim", "tictactoe"}) {
    others.push_back(hub.connect(test_hub::documents_wire, 1));
    others.back()->submit(sign_in{{}, {}}), hub.settle();
    others.back()->submit(seek_once(engine)), hub.settle();
    REQUIRE(others.back()->last<started>() != nullptr);
  }
  ann->disconnect(), hub.settle();
  if (options.grace > 0s) {
    hub.advance(options.grace - 1s);
    CHECK_FALSE(others[1]->last_position()->outcome);
    hub.advance(1s);
  }
  REQUIRE(others[1]->last_position()->outcome);
  CHECK(others[1]->last_position()->outcome->reason == end_reason::left);
  CHECK_FALSE(others[0]->last_position()->outcome);
  // Its seek is over: it is not seated while it is away.
  others.push_back(hub.connect(test_hub::documents_wire, 1));
  others.back()->submit(seek_once("tictactoe")), hub.settle();
  CHECK(others.back()->last<started>() == nullptr);
  const auto back = hub.connect(test_hub::documents_wire);
  back->submit(sign_in{{}, secret}), hub.settle();
  CHECK(back->last<signed_in>()->games == 1);
  const auto& names = back->last<started>()->players;
  CHECK(std::count(names.begin(), names.end(), "ann") == 1);
  back->submit(sign_out{}), hub.settle();
  CHECK(others[0]->last_position()->outcome->reason == end_reason::left);
}

TEST_CASE("away: a week, two kills, a drain and a takeover end no game of days") {
  slow_table t{"days:9"};
  t.disconnect_both();
  pass_hours(*t.first.hub, day);
  auto second = t.first.restarted_after(3h);
  CHECK(second.report.restored == 1);
  CHECK(away_at(*second.hub, t.game).size() == 2);
  pass_hours(*second.hub, 2 * day);
  auto third = second.restarted_after(1h);
  pass_hours(*third.hub, day);
  // Its drain does not wait for them.
  int drained = 0;
  third.hub->runtime().begin_drain([&] { ++drained; }), third.hub->settle();
  CHECK(drained == 1);
  CHECK(third.hub->actors_running() == 0);
  auto fourth = taken_over(third, 1h);
  CHECK(fourth.report.restored == 1);
  pass_hours(*fourth.hub, 3 * day);
  for (const auto* each : {&second, &third, &fourth}) CHECK_FALSE(ended(*each, t.game));
  // A week and five hours after the move.
  const auto bob = fourth.enter({}, t.bob.secret, 1);
  CHECK(bob.client->last<signed_in>()->name == "bob");
  CHECK(bob.client->last_position()->prompted == only(1));
  CHECK(bob.client->last_position()->clock.left_at(1, fourth.hub->now()) == 2 * day - 5h);
  fourth.put(bob, 0, 0, t.game);
  CHECK(away_at(*fourth.hub, t.game) == std::vector<absence>{{0, base::instant::max()}});
  const auto ann = fourth.enter({}, t.ann.secret, 0);
  fourth.put(ann, 0, 1, t.game);
  fourth.put(bob, 2, 2, t.game);
  fourth.put(ann, 2, 1, t.game);
  REQUIRE(end_seen_by(bob));
  CHECK(end_seen_by(bob)->winner == 0);
  CHECK(fourth.records(t.game).back().why == end_reason::rules);
}

TEST_CASE("away: after a restart the clock of days decides, and names are those of the players") {
  slow_table t{"days:3"};
  t.disconnect_both();
  pass_hours(*t.first.hub, day);
  const auto next = t.first.restarted_after(1h);
  CHECK(next.enter("bob").client->last<signed_in>()->name != "bob");
  pass_hours(*next.hub, 2 * day - 2h);
  CHECK_FALSE(ended(next, t.game));
  pass_hours(*next.hub, 1h);
  REQUIRE(ended(next, t.game));
  CHECK(next.records(t.game).back().why == end_reason::clock);
  CHECK(credit(*next.hub) == 0);
}

TEST_CASE("away: the last twelve hours of a turn of days pass only while the hub runs") {
  slow_table t{"days:3"};
  t.disconnect_both();
  pass_hours(*t.first.hub, 3 * day - 8h);
  // It was alive eight hours before the end.
  const auto carl = t.first.enter_and_wait("carl"), dora = t.first.enter_and_wait("dora");
  const auto next = t.first.restarted_after(30h);
  CHECK(credit(*next.hub) == std::chrono::microseconds{30h}.count());
  const auto bob = next.enter({}, t.bob.secret, 1);
  CHECK(bob.client->last_position()->clock.left_at(1, next.hub->now()) == 8h);
  pass_hours(*next.hub, 7h);
  CHECK_FALSE(end_seen_by(bob));
  pass_hours(*next.hub, 1h);
  REQUIRE(end_seen_by(bob));
  CHECK(end_seen_by(bob)->reason == end_reason::clock);
}

// An offer, a message or a name does not begin the turn again.
TEST_CASE("away: a turn that no hub has seen the end of is due by the rule of a restart") {
  const base::wall_time begin{100h};
  const std::vector<journal::pause> pauses{{begin, begin + 20h}};
  const auto due = [&](std::chrono::seconds left) {
    return actors::game::due_after(pauses, begin + left) - begin;
  };
  CHECK(due(40h) == 40h);
  // The last twelve hours pass only while the hub runs.
  CHECK(due(30h) == 32h);
  CHECK(due(6h) == 26h);
  CHECK(due(0s) == 20h + actors::game::least_after_restart);
  CHECK(actors::game::due_after(pauses, base::wall_time::max()) == base::wall_time::max());
  CHECK(actors::game::due_after({}, begin) == begin);
  const std::vector<journal::pause> two{{begin, begin + 1h}, {begin + 2h, begin + 3h}};
  CHECK(actors::game::due_after(two, begin + 6h) == begin + 8h);
}

TEST_CASE("away: a message does not lengthen a turn over a restart") {
  slow_table t{"days:3"};
  pass_hours(*t.first.hub, 2 * day);
  t.ann.client->submit(chat{t.game, "hello"}), t.first.hub->settle();
  REQUIRE(t.first.records(t.game).back().what == record::kind::said);
  const auto next = t.first.restarted_after(0h);
  const auto bob = next.enter({}, t.bob.secret, 1);
  CHECK(bob.client->last_position()->clock.left_at(1, next.hub->now()) == day);
}

TEST_CASE("away: a drain does not wait for clients that could not come back to other games") {
  slow_table t{"days:3"};
  bool drained = false;
  t.first.hub->runtime().begin_drain([&] { drained = true; }, hand_over::of_returning),
      t.first.hub->settle();
  CHECK(t.ann.client->closed == close_reason::draining);
  CHECK(t.bob.client->closed == close_reason::draining);
  CHECK(drained);
  CHECK_FALSE(ended(t.first, t.game));
}

TEST_CASE("away: a player without a secret leaves a game of days with its connection") {
  evening e{empty_journal()};
  const auto ann = e.enter("ann");
  const auto stranger = e.hub->connect(test_hub::documents_wire);
  for (const auto& each : {ann.client, stranger})
    each->submit(seek_with("days:3")), e.hub->settle();
  const auto game = ann.client->events.back().game;
  SECTION("at once") {
    stranger->disconnect(), e.hub->settle();
    REQUIRE(end_seen_by(ann));
    CHECK(end_seen_by(ann)->reason == end_reason::left);
  }
  SECTION("after a restart") {
    const auto next = e.restarted_after(1h);
    const auto back = next.enter({}, ann.secret);
    REQUIRE(end_seen_by(back));
    CHECK(end_seen_by(back)->reason == end_reason::interrupted);
    CHECK(ended(next, game));
  }
}

TEST_CASE("away: a banned player loses its games of days") {
  slow_table t{"days:3"};
  t.bob.client->disconnect(), t.first.hub->settle();
  const auto bob = t.first.enter({}, t.bob.secret);
  bob.client->submit(leave{t.game, false, leave_cause::banned}), t.first.hub->settle();
  REQUIRE(end_seen_by(t.ann));
  CHECK(end_seen_by(t.ann)->winner == 0);
}

TEST_CASE("away: without a clock a player may be away for the operator's time") {
  const auto bound = GENERATE(0s, std::chrono::seconds{day});
  test_hub_options options{.loops = 2};
  options.settings.clocks.allows_none = true;
  options.settings.clocks.none_away = bound;
  test_hub hub{options};
  std::vector<std::shared_ptr<test_client>> both;
  for (int i = 0; i < 2; ++i) {
    both.push_back(hub.connect(test_hub::documents_wire, static_cast<std::size_t>(i)));
    both.back()->submit(sign_in{{}, {}}), hub.settle();
    both.back()->submit(seek_with("none")), hub.settle();
  }
  both[1]->disconnect(), hub.settle();
  if (bound > 0s) {
    hub.advance(2s);
    CHECK(away_at(hub, both[0]->events.back().game).at(0).kept_until < hub.now() + bound);
    pass_hours(hub, 23h);
    CHECK_FALSE(both[0]->last_position()->outcome);
    pass_hours(hub, 1h);
  }
  REQUIRE(both[0]->last_position()->outcome);
  CHECK(both[0]->last_position()->outcome->reason == end_reason::left);
}

TEST_CASE("away: games of days take only a part of the hub's room") {
  test_hub_options options{.loops = 2};
  options.settings.clocks.lasting_max = 1;
  test_hub hub{options};
  const auto player = [&](const std::string& clock) {
    auto c = hub.connect(test_hub::documents_wire);
    c->submit(sign_in{{}, {}}), c->submit(seek_with(clock)), hub.settle();
    return c;
  };
  const auto gauge = [&] { return hub.cells(0).loop.lasting_games.value(); };
  const auto a = player("days:1"), c = player("days:2"), b = player("days:1");
  REQUIRE(b->last<started>() != nullptr);
  CHECK(gauge() == 1);
  // One that asks, and one that waited already: its opponent can't come.
  const auto d = player("days:2");
  REQUIRE(d->last<refused>() != nullptr);
  CHECK(d->last<refused>()->why == refusal::hub_full);
  CHECK_FALSE(d->last<refused>()->detail.empty());
  CHECK(hub.cells(0).loop.lasting_games_refused.value() == 1);
  // Other games go on, and games of days once there is room.
  const auto e = player(""), f = player("");
  CHECK(f->last<started>() != nullptr);
  a->submit(leave{a->events.back().game}), hub.settle();
  CHECK(gauge() == 0);
  CHECK(player("days:2")->last<started>() != nullptr);
  CHECK(c->last<started>() != nullptr);
}
