// Clocks that players choose with their table: who meets, what is charged, who loses, and what a
// late hub and a restart leave.
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

using milliseconds = std::chrono::milliseconds;

seek with_clock(std::string clock, std::string engine = "tictactoe") {
  seek out;
  out.engines = {std::move(engine)};
  out.clock = std::move(clock);
  out.features.answers_offers = true;
  return out;
}

// Two players at a table with that clock.
struct clocked {
  explicit clocked(const std::string& clock, test_hub_options options = {},
                   const std::string& engine = "tictactoe")
      : hub(std::move(options)) {
    for (auto* each : {&x, &o}) {
      *each = hub.connect(test_hub::documents_wire);
      (*each)->submit(sign_in{each == &x ? "ann" : "bob", {}}), hub.settle();
      (*each)->submit(with_clock(clock, engine)), hub.settle();
    }
    REQUIRE(hub.games_started() == 1);
    game = x->events.back().game;
  }
  void play(const std::shared_ptr<test_client>& who, int row, int column) {
    who->submit(play_document(
        R"({"row":)" + std::to_string(row) + R"(,"column":)" + std::to_string(column) + "}", game));
    hub.settle();
  }
  milliseconds left(seat_index seat) const {
    return x->last_position()->clock.left_at(seat, hub.now());
  }
  std::optional<outcome> end() const { return x->last_position()->outcome; }
  std::int64_t credited(metrics::credit_cause why) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < hub.loop_count(); ++i)
      sum += hub.cells(i).loop.clock_credits[static_cast<std::size_t>(why)].value();
    return sum;
  }

  test_hub hub;
  std::shared_ptr<test_client> x, o;
  game_id game;
};

}  // namespace

TEST_CASE("runtime clocks: only players who want the same clock meet") {
  test_hub hub;
  std::vector<std::shared_ptr<test_client>> all;
  for (const auto* clock : {"fischer:180+2", "", "sudden:60", "move:30", "days:1"}) {
    all.push_back(hub.connect(test_hub::cells_wire));
    all.back()->submit(with_clock(clock)), hub.settle();
  }
  CHECK(hub.games_started() == 0);
  const auto more = [&](const char* clock) {
    const auto client = hub.connect(test_hub::cells_wire);
    client->submit(with_clock(clock)), hub.settle();
    return hub.games_started();
  };
  // However the clock is written, and also for those who name that of the hub.
  CHECK(more("fischer:180.0+2.000") == 1);
  CHECK(more("move:120") == 2);
  CHECK(more("bronstein:60+0") == 3);
  CHECK(more("move:30.1") == 3);
  REQUIRE(all[0]->last<started>() != nullptr);
  CHECK(
      (all[0]->last<started>()->terms->clock == std::get<clock_rule>(read_clock("fischer:180+2"))));
  CHECK(all[0]->last<started>()->terms->turn_time == 0s);
  // The hub's own is not named.
  CHECK_FALSE(all[1]->last<started>()->terms->clock);
  CHECK(all[1]->last<started>()->terms->turn_time == 120s);
}

TEST_CASE("runtime clocks: a clock that can't be had is refused with the reason") {
  test_hub hub;
  const auto client = hub.connect(test_hub::cells_wire);
  for (const auto* clock : {"none", "move:0", "move:0.05", "days:15", "sudden:86401", "soon",
                            "fischer:1000000000000+1", "byoyomi:1+0x1"}) {
    CAPTURE(clock);
    client->submit(with_clock(clock)), hub.settle();
    REQUIRE(client->last<refused>() != nullptr);
    CHECK(client->last<refused>()->why == refusal::bad_clock);
    CHECK_FALSE(client->last<refused>()->detail.empty());
    client->clear_events();
  }
  client->submit(with_clock("days:14")), hub.settle();
  CHECK(client->last<placed>() != nullptr);
}

TEST_CASE("runtime clocks: an engine may have another clock than the hub") {
  test_hub_options options;
  options.settings.clocks.by_engine["nim"] = std::get<clock_rule>(read_clock("sudden:60"));
  clocked t{"", options, "nim"};
  CHECK((t.x->last<started>()->terms->clock == std::get<clock_rule>(read_clock("sudden:60"))));
  CHECK(t.left(0) == 60s);
  clocked other{"", options};
  CHECK_FALSE(other.x->last<started>()->terms->clock);
}

TEST_CASE("runtime clocks: an increment is for the player who has moved") {
  clocked t{"fischer:60+5"};
  CHECK(t.left(0) == 60s);
  CHECK(t.left(1) == 60s);
  CHECK(t.x->last_position()->clock.running == only(0));
  t.hub.advance(20s);
  t.play(t.x, 0, 0);
  CHECK(t.left(0) == 45s);
  CHECK(t.left(1) == 60s);
  CHECK(t.x->last_position()->clock.running == only(1));
  t.hub.advance(10s);
  // A move that the rules refuse stops nothing.
  t.play(t.o, 0, 0);
  t.hub.advance(10s);
  t.play(t.o, 0, 1);
  CHECK(t.left(1) == 45s);
  t.hub.advance(45s - 1ms);
  CHECK_FALSE(t.end());
  t.hub.advance(1ms);
  REQUIRE(t.end());
  CHECK(t.end()->reason == end_reason::clock);
  CHECK(t.end()->winner == 1);
}

TEST_CASE("runtime clocks: a store of time may end before the turn before would have") {
  clocked t{"sudden:60"};
  t.hub.advance(50s);
  t.play(t.x, 0, 0);
  t.play(t.o, 0, 1);
  t.hub.advance(10s - 1ms);
  CHECK_FALSE(t.end());
  t.hub.advance(1ms);
  REQUIRE(t.end());
  CHECK(t.end()->winner == 1);
}

TEST_CASE("runtime clocks: a move per turn and days per turn have the whole time each time") {
  for (const auto& [clock, time] :
       {std::pair{"move:30", milliseconds{30s}}, std::pair{"days:2", milliseconds{48h}},
        std::pair{"move:0.5", 500ms}}) {
    CAPTURE(clock);
    clocked t{clock};
    t.hub.pass(time - 1ms), t.hub.settle();
    t.play(t.x, 0, 0);
    t.hub.pass(time - 1ms), t.hub.settle();
    CHECK_FALSE(t.end());
    CHECK(t.left(1) == 1ms);
    t.hub.advance(1ms);
    REQUIRE(t.end());
    CHECK(t.end()->winner == 0);
    CHECK((t.x->last<started>()->terms->clock == std::get<clock_rule>(read_clock(clock))));
    CHECK(t.x->last<started>()->terms->turn_time == time);
  }
}

TEST_CASE("runtime clocks: a game without a clock never ends by it") {
  test_hub_options options;
  options.settings.clocks.allows_none = true;
  clocked t{"none", options};
  CHECK_FALSE(t.x->last_position()->clock);
  t.hub.pass(24h * 365), t.hub.settle();
  CHECK_FALSE(t.end());
  t.play(t.x, 0, 0);
  CHECK(t.o->last_position()->prompted == only(1));
}

TEST_CASE("runtime clocks: in a simultaneous turn each clock runs until its player has chosen") {
  clocked t{"sudden:10", {}, "rock-paper-scissors"};
  const auto choose = [&](const std::shared_ptr<test_client>& who) {
    who->submit(play_document(R"({"choice":"rock"})", t.game)), t.hub.settle();
  };
  t.hub.advance(4s);
  choose(t.o);
  CHECK(t.x->last_position()->clock.running == only(0));
  t.hub.advance(6s - 1ms);
  CHECK(t.left(1) == 6s);
  CHECK_FALSE(t.end());
  t.hub.advance(1ms);
  REQUIRE(t.end());
  CHECK(t.end()->winner == 1);
}

TEST_CASE("runtime clocks: the engine's own player has all the time that it needs") {
  test_hub hub;
  const auto client = hub.connect(test_hub::cells_wire);
  auto what = with_clock("sudden:10");
  what.against_engine = true;
  what.seat = 0;
  client->submit(what), hub.settle();
  const auto* now = client->last_position();
  REQUIRE(now != nullptr);
  CHECK(now->clock.left_at(1, hub.now()) == 10s);
  hub.advance(3s);
  client->submit(play_cell(0)), hub.settle();
  CHECK(client->last_position()->clock.left_at(0, hub.now()) == 7s);
  CHECK(client->last_position()->clock.left_at(1, hub.now()) == 10s);
  hub.advance(7s - 1ms);
  CHECK_FALSE(client->last_position()->outcome);
  hub.advance(1ms);
  REQUIRE(client->last_position()->outcome);
  CHECK(client->last_position()->outcome->winner == 1);
}

TEST_CASE("runtime clocks: a loop that is held up costs the player nothing") {
  clocked t{GENERATE("sudden:10", "move:10")};
  t.hub.advance(9s);
  t.hub.loop(0).hold_up(5s);
  t.hub.settle();
  CHECK_FALSE(t.end());
  SECTION("a move that comes in the player's time counts") {
    t.hub.advance(900ms);
    t.play(t.x, 0, 0);
    CHECK_FALSE(t.end());
    CHECK(t.x->last_position()->to_move == only(1));
    CHECK(t.credited(metrics::credit_cause::loop) > 0);
  }
  SECTION("one that comes later does not, and the time of its player is over") {
    t.hub.advance(999ms);
    CHECK_FALSE(t.end());
    t.hub.advance(2ms);
    REQUIRE(t.end());
    CHECK(t.end()->reason == end_reason::clock);
  }
}

TEST_CASE(
    "runtime clocks: a move that was received in time is in time, though the timer is first") {
  test_hub_options options;
  options.loops = 2;
  test_hub hub{options};
  const auto clock = GENERATE("sudden:10", "move:10");
  const auto x = hub.connect(test_hub::documents_wire, 0);
  const auto o = hub.connect(test_hub::documents_wire, 1);
  x->submit(with_clock(clock)), hub.settle();
  o->submit(with_clock(clock)), hub.settle();
  const auto game = x->events.back().game;
  const auto put = [&](const auto& who, int column) {
    who->submit(play_document(R"({"row":0,"column":)" + std::to_string(column) + "}", game));
  };
  put(x, 0), hub.settle();
  // The game runs on loop 0, whose clock is first, and the player who is to move lives on loop 1,
  // which reads the move when the timer of the game was up.
  hub.pass(9'999ms);
  const auto pass_on = [&](std::size_t loop) {
    hub.loop(loop).set_clock(hub.loop(loop).clock() + 2ms);
  };
  pass_on(0);
  // What the other player sends meanwhile ends no turn.
  put(x, 2);
  while (hub.step(0)) continue;
  CHECK(x->last<refused>() != nullptr);
  CHECK_FALSE(x->last_position()->outcome);
  const bool in_time = GENERATE(true, false);
  if (!in_time) pass_on(1);
  put(o, 1), hub.settle();
  CHECK(x->last_position()->outcome.has_value() == !in_time);
  if (!in_time) {
    CHECK(x->last_position()->outcome->reason == end_reason::clock);
    CHECK(x->last_position()->outcome->winner == 0);
    CHECK(o->pending_replies == 0);
    return;
  }
  CHECK(x->last_position()->prompted == only(0));
}

TEST_CASE("runtime clocks: a timer that is up with the move of its turn leaves none behind") {
  clocked t{GENERATE("sudden:10", "move:10")};
  t.hub.pass(9'999ms);
  // The move is in the mailbox of the game when its timer is up.
  t.x->submit(play_document(R"({"row":0,"column":0})", t.game));
  t.hub.pass(2ms);
  t.hub.settle();
  CHECK_FALSE(t.end());
  CHECK(t.hub.loop(0).timers().pending() == 1);
  t.x->submit(leave{t.game}), t.hub.settle();
  REQUIRE(t.end());
  CHECK(t.hub.loop(0).timers().pending() == 0);
  t.hub.advance(30s);
}

TEST_CASE("runtime clocks: a clock waits until the prompt is committed") {
  late_journal log;
  test_hub_options options;
  options.log = &log;
  test_hub hub{options};
  const auto x = hub.connect(test_hub::documents_wire);
  const auto o = hub.connect(test_hub::documents_wire);
  x->submit(with_clock("sudden:10")), hub.settle();
  o->submit(with_clock("sudden:10")), hub.settle();
  hub.advance(30s);
  log.commit_all(), hub.settle();
  REQUIRE(x->last_position() != nullptr);
  hub.advance(9s);
  CHECK_FALSE(x->last_position()->outcome);
  x->submit(play_document(R"({"row":0,"column":0})", x->events.back().game)), hub.settle();
  hub.advance(30s);
  log.commit_all(), hub.settle();
  REQUIRE(o->last_position()->prompted == only(1));
  CHECK(o->last_position()->clock.left[0] == 1s);
  hub.advance(10s - 1ms);
  CHECK_FALSE(o->last_position()->outcome);
  hub.advance(1ms);
  log.commit_all(), hub.settle();
  REQUIRE(o->last_position()->outcome);
  CHECK(o->last_position()->outcome->winner == 0);
  const auto& credits = hub.cells(0).loop.clock_credits;
  CHECK(credits[static_cast<std::size_t>(metrics::credit_cause::journal)].value() == 60'000'000);
}

namespace {

// Two players on a durable journal.
struct clocked_evening {
  explicit clocked_evening(const std::string& clock) : first(empty_journal(), 120s) {
    for (auto* each : {&ann, &bob}) {
      *each = first.enter(each == &ann ? "ann" : "bob", {}, each == &ann ? 0 : 1);
      auto what = with_clock(clock);
      what.again = true;
      each->client->submit(what), first.hub->settle();
    }
    game = bob.client->events.back().game;
  }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

milliseconds shown_to(const evening& at, const evening::guest& g, seat_index seat) {
  return g.client->last_position()->clock.left_at(seat, at.hub->now());
}

}  // namespace

TEST_CASE("runtime clocks: what is left survives a kill, and no clock runs until all are back") {
  clocked_evening t{"fischer:60+2"};
  t.first.hub->advance(10s);
  t.first.put(t.ann, 1, 1, t.game);
  t.first.hub->advance(20s);
  t.first.put(t.bob, 0, 0, t.game);
  t.first.hub->advance(5s);
  // Something else is logged, so that the hub was alive by then.
  t.first.enter_and_wait("carl"), t.first.enter_and_wait("dora");
  CHECK(t.first.records(t.game).front().text == "fischer:60+2");
  const auto next = t.first.after_a_kill(120s);
  const auto ann = next.enter("ann", t.ann.secret);
  next.hub->advance(30s);
  CHECK(shown_to(next, ann, 0) == 47s);
  CHECK(shown_to(next, ann, 1) == 42s);
  CHECK(ann.client->last_position()->clock.running == 0);
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK((bob.client->last<started>()->terms->clock ==
         std::get<clock_rule>(read_clock("fischer:60+2"))));
  next.hub->advance(7s);
  next.put(ann, 0, 1, t.game);
  CHECK(shown_to(next, bob, 0) == 42s);
  next.hub->advance(42s - 1ms);
  CHECK_FALSE(end_seen_by(bob));
  next.hub->advance(1ms);
  REQUIRE(end_seen_by(bob));
  CHECK(end_seen_by(bob)->reason == end_reason::clock);
  CHECK(end_seen_by(bob)->winner == 0);
  std::int64_t credited = 0;
  for (std::size_t i = 0; i < next.hub->loop_count(); ++i)
    credited += next.hub->cells(i)
                    .loop.clock_credits[static_cast<std::size_t>(metrics::credit_cause::restart)]
                    .value();
  CHECK(credited > 0);
}

TEST_CASE("runtime clocks: a turn that a kill interrupted has five seconds left, or what it had") {
  const auto [clock, left] =
      GENERATE(std::pair{"sudden:60", milliseconds{5s}}, std::pair{"sudden:3", milliseconds{3s}},
               std::pair{"move:60", milliseconds{5s}}, std::pair{"move:3", milliseconds{3s}});
  CAPTURE(clock);
  clocked_evening t{clock};
  t.first.put(t.ann, 1, 1, t.game);
  t.first.hub->pass(std::string_view{clock}.ends_with('3') ? 2'900ms : 59'900ms);
  t.first.enter_and_wait("carl"), t.first.enter_and_wait("dora");
  const auto next = t.first.after_a_kill(120s);
  const auto ann = next.enter("ann", t.ann.secret);
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK(shown_to(next, bob, 1) == left);
}

TEST_CASE("runtime clocks: games of the hub's own clock have the log that they had") {
  clocked_evening t{""};
  t.first.put(t.ann, 1, 1, t.game);
  for (const auto& r : t.first.records(t.game))
    if (r.what != journal::record::kind::joined) CHECK(r.text.empty());
}

TEST_CASE("runtime clocks: a takeback gives back the time of the turn that it ends") {
  late_journal log{false};
  test_hub_options options;
  options.log = &log;
  test_hub hub{options};
  std::shared_ptr<test_client> x, o;
  for (auto* each : {&x, &o}) {
    *each = hub.connect(test_hub::documents_wire);
    auto what = with_clock("sudden:60");
    what.features.answers_offers = true;
    (*each)->submit(what), hub.settle();
  }
  const auto game = x->events.back().game;
  hub.advance(5s);
  x->submit(play_document(R"({"row":0,"column":0})", game)), hub.settle();
  hub.advance(7s);
  x->submit(offer{game, offer_kind::takeback}), hub.settle();
  o->submit(offer{game, offer_kind::takeback, offer_step::accepted}), hub.settle();
  const auto* now = x->last_position();
  REQUIRE(now->to_move == only(0));
  CHECK(now->clock.left[0] == 55s);
  CHECK(now->clock.left[1] == 60s);
  CHECK(now->clock.running == only(0));
}

TEST_CASE("runtime clocks: of three players the one without time is replaced, and stays away") {
  test_hub hub;
  std::vector<std::shared_ptr<test_client>> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(hub.connect(test_hub::documents_wire));
    auto what = with_clock("sudden:10", "oh-hell");
    all.back()->submit(what), hub.settle();
  }
  if (hub.games_started() == 0) {
    // It is played by four.
    all.push_back(hub.connect(test_hub::documents_wire));
    all.back()->submit(with_clock("sudden:10", "oh-hell")), hub.settle();
  }
  REQUIRE(hub.games_started() == 1);
  const auto game = all[0]->events.back().game;
  const auto late = static_cast<std::size_t>(std::countr_zero(all[0]->last_position()->to_move));
  hub.advance(10s + 2ms);
  const auto* end = all[late]->last_position();
  REQUIRE(end->outcome);
  CHECK(end->outcome->reason == end_reason::clock);
  CHECK(end->outcome->forfeits == only(static_cast<seat_index>(late)));
  const auto& other = all[late == 0 ? 1 : 0];
  CHECK_FALSE(other->last_position()->outcome);
  CHECK(holds(other->last_position()->substituted, static_cast<seat_index>(late)));
  all[late]->submit(play_document("{}", game)), hub.settle();
  REQUIRE(all[late]->last<refused>() != nullptr);
}

TEST_CASE("runtime clocks: a rematch has the clock of the game") {
  clocked t{"fischer:60+5"};
  t.x->submit(leave{t.game}), t.hub.settle();
  t.x->submit(rematch{t.game}), t.hub.settle();
  t.o->submit(rematch{t.game}), t.hub.settle();
  REQUIRE(t.hub.games_started() == 2);
  CHECK((t.x->last<started>()->terms->clock == std::get<clock_rule>(read_clock("fischer:60+5"))));
}

TEST_CASE("runtime clocks: who joins a waiting game plays with its clock") {
  test_hub hub;
  const auto host = hub.connect(test_hub::documents_wire);
  auto what = with_clock("fischer:60+5");
  what.closed = GENERATE(true, false);
  what.reserve_game = what.seat_at_once = true;
  host->submit(what), hub.settle();
  REQUIRE(host->last<placed>() != nullptr);
  CHECK((host->last<placed>()->clock == std::get<clock_rule>(read_clock("fischer:60+5"))));
  const auto guest = hub.connect(test_hub::documents_wire);
  seek join;
  join.clock = "sudden:5";
  if (what.closed)
    join.invitation = host->last<placed>()->invitation;
  else
    join.join = host->events.back().game;
  guest->submit(join), hub.settle();
  REQUIRE(guest->last<started>() != nullptr);
  CHECK((guest->last<started>()->terms->clock == std::get<clock_rule>(read_clock("fischer:60+5"))));
}

TEST_CASE("runtime clocks: a bot that is asked for by name plays with any clock, or with its own") {
  test_hub hub;
  const bool any = GENERATE(true, false);
  const bool bot_first = GENERATE(true, false);
  CAPTURE(any, bot_first);
  const auto bot = hub.connect(test_hub::documents_wire);
  bot->submit(sign_in{"robot", {}}), hub.settle();
  const auto bot_waits = [&] {
    auto what = with_clock("");
    what.again = what.only_by_name = true;
    what.any_clock = any;
    bot->submit(what), hub.settle();
  };
  if (bot_first) bot_waits();
  const auto person = hub.connect(test_hub::documents_wire);
  auto what = with_clock("fischer:60+5");
  what.opponent = "robot";
  person->submit(what), hub.settle();
  if (!bot_first) bot_waits();
  CHECK(hub.games_started() == (any ? 1 : 0));
  if (any) {
    CHECK((bot->last<started>()->terms->clock == std::get<clock_rule>(read_clock("fischer:60+5"))));
  } else if (bot_first) {
    REQUIRE(person->last<refused>() != nullptr);
    CHECK(person->last<refused>()->why == refusal::unfit_engine);
    CHECK(person->last<refused>()->detail == "is played by robot with another clock only");
  }
}
