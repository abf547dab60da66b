// What a hub finds in its journal after it was away: killed in the midst of games, or drained.
#include "actors/table/replay.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <atomic>
#include <deque>
#include <stdexcept>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using actors::runtime::hand_over;
using journal::record;

namespace {

// A log of the hub's own making, to be spoiled.
struct written {
  journal::game_header header;
  std::vector<record> records;
};
written a_log() {
  two_at_a_table t;
  t.first.put(t.bob, 0, 0, t.game);
  return {t.first.log->headers().front(), t.first.records(t.game)};
}
std::unique_ptr<late_journal> journal_with(const written& w) {
  late_journal made{false};
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } nobody;
  made.open(w.header);
  made.append(w.header.id, w.records, nobody);
  return made.left_behind();
}

}  // namespace

TEST_CASE("recovery: a game goes on after a kill as if nothing had been") {
  two_at_a_table t;
  const auto before = t.bob.client->last_position()->document;
  const auto next = t.first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK(next.events.done == 1);
  CHECK(next.events.all == 1);
  CHECK(next.events.out.empty());
  const auto ann = next.enter("ann", t.ann.secret, 1);
  const auto bob = next.enter("bob", t.bob.secret, 0);
  CHECK(ann.client->last<signed_in>()->name == "ann");
  CHECK(ann.secret == t.ann.secret);
  REQUIRE(bob.client->last<started>() != nullptr);
  CHECK(bob.client->last<started>()->seat == 1);
  CHECK(bob.client->last_position()->document == before);
  CHECK(bob.client->last_position()->prompted == only(1));
  CHECK(bob.client->events.back().game == t.game);
  next.put(bob, 0, 0, t.game);
  next.put(ann, 0, 1, t.game);
  next.put(bob, 0, 2, t.game);
  next.put(ann, 2, 1, t.game);
  REQUIRE(end_seen_by(bob));
  CHECK(end_seen_by(bob)->winner == 0);
  const auto log = next.records(t.game);
  CHECK(log.back().why == end_reason::rules);
  for (std::size_t i = 0; i < log.size(); ++i) CHECK(log[i].number == i + 1);
  const auto header = next.log->headers().front();
  const auto& rules = next.hub->directory().engines[next.hub->engine("tictactoe")].rules;
  CHECK(std::holds_alternative<engines::host::match>(actors::table::replay(rules, header, log)));
}

TEST_CASE("recovery: a player who does not reconnect in time ends the game without a result") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  next.hub->advance(59s);
  CHECK_FALSE(end_seen_by(ann));
  next.hub->advance(1s);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == end_reason::interrupted);
  CHECK_FALSE(end_seen_by(ann)->winner);
  CHECK(next.records(t.game).back().why == end_reason::interrupted);
  CHECK(next.hub->sessions_open() == 1);
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK(bob.secret != t.bob.secret);
}

TEST_CASE("recovery: if no player reconnects, only the log of the game remains") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  CHECK(next.hub->actors_running() == 3);
  next.hub->advance(60s);
  CHECK(next.hub->actors_running() == 0);
  CHECK(next.records(t.game).back().why == end_reason::interrupted);
  CHECK(next.log->open_games().empty());
}

TEST_CASE(
    "recovery: leaving before all players have reconnected has no result, afterwards it loses") {
  two_at_a_table t;
  const auto all_back = GENERATE(false, true);
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  if (all_back) next.enter("bob", t.bob.secret);
  ann.client->submit(leave{t.game}), next.hub->settle();
  CHECK(ann.client->pending_replies == 0);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == (all_back ? end_reason::left : end_reason::interrupted));
  CHECK(end_seen_by(ann)->winner == (all_back ? std::optional{1} : std::nullopt));
}

TEST_CASE("recovery: no clock runs until all are back, and then it has what was left") {
  two_at_a_table t{100s};
  t.first.hub->advance(70s);
  // Something else is logged, so that the hub was alive by then.
  t.first.enter_and_wait("carl"), t.first.enter_and_wait("dora");
  const auto next = t.first.after_a_kill(100s);
  const auto ann = next.enter("ann", t.ann.secret);
  next.hub->advance(50s);
  const auto bob = next.enter("bob", t.bob.secret);
  next.hub->advance(29s);
  CHECK_FALSE(end_seen_by(ann));
  next.hub->advance(1s);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == end_reason::clock);
  CHECK(end_seen_by(ann)->winner == 0);
}

TEST_CASE("recovery: a game with a player who can't come back ends when all others have") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  const auto game = stranger->events.back().game;
  const auto next = first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK_FALSE(next.records(game).back().what == record::kind::ended);
  const auto back = next.enter("ann", ann.secret);
  REQUIRE(end_seen_by(back));
  CHECK(end_seen_by(back)->reason == end_reason::interrupted);
}

TEST_CASE("recovery: a game to which no player can come back ends at the start") {
  evening first{empty_journal()};
  const auto x = first.hub->connect(test_hub::cells_wire);
  const auto o = first.hub->connect(test_hub::cells_wire, 1);
  SECTION("of two players") {
    x->submit(seek_once()), first.hub->settle();
    o->submit(seek_once()), first.hub->settle();
  }
  SECTION("against an engine") { o->submit(seek_engine()), first.hub->settle(); }
  const auto game = o->events.back().game;
  const auto next = first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK(next.records(game).back().what == record::kind::ended);
  CHECK(next.records(game).back().why == end_reason::interrupted);
  CHECK(next.log->open_games().empty());
  CHECK(next.hub->actors_running() == 0);
}

TEST_CASE("drain: a restored game that not all can come back to ends at once, without a result") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  const auto game = stranger->events.back().game;
  const auto next = first.after_a_kill();
  REQUIRE(next.records(game).back().what != record::kind::ended);
  next.hub->runtime().begin_drain([] {});
  next.hub->settle();
  CHECK(next.records(game).back().why == end_reason::interrupted);
}

TEST_CASE("recovery: players wait for further games again once they are back") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  ann.client->submit(seek_again({"tictactoe"}, 2)), next.hub->settle();
  REQUIRE(ann.client->last<placed>() != nullptr);
  const auto carl = next.enter_and_wait("carl");
  REQUIRE(carl.client->last<started>() != nullptr);
  CHECK(carl.client->last<started>()->players == std::vector<std::string>{"ann", "carl"});
  // Two are as many as Ann wants.
  const auto dora = next.enter_and_wait("dora");
  CHECK(dora.client->last<started>() == nullptr);
}

TEST_CASE("recovery: numbers of games and players are not used again") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  next.enter_and_wait("carl");
  const auto dora = next.enter_and_wait("dora");
  const auto fresh = dora.client->events.back().game;
  CHECK(fresh > t.game);
  for (const auto& r : next.records(fresh))
    if (r.what == record::kind::joined)
      for (const auto& old : next.records(t.game))
        if (old.what == record::kind::joined) CHECK(r.action > old.action);
}

TEST_CASE("recovery: no client has received an uncommitted event") {
  two_at_a_table t;
  t.first.log->be_late(true);
  t.ann.client->clear_events(), t.bob.client->clear_events();
  t.first.put(t.bob, 0, 0, t.game);
  CHECK(t.ann.client->events.empty());
  CHECK(t.bob.client->events.empty());
  const auto next = t.first.after_a_kill();
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK(bob.client->last_position()->prompted == only(1));
  next.put(bob, 2, 2, t.game);
  CHECK(bob.client->pending_replies == 0);
  t.first.log->be_late(false);
}

TEST_CASE("recovery: a log whose engine is not there is kept, and reported") {
  auto w = a_log();
  SECTION("an unknown engine") { w.header.engine = "chess"; }
  SECTION("another version") { w.header.engine_version = "0.0.9"; }
  evening next{journal_with(w)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.without_engine.size() == 1);
  CHECK(report.restored == 0);
  REQUIRE(next.events.out.contains(w.header.id));
  CHECK(next.events.out[w.header.id].find("its log is kept") != std::string::npos);
  CHECK(next.log->put_aside.empty());
}

TEST_CASE("recovery: a game goes on in its own version beside a newer one") {
  two_at_a_table t;
  const auto left = t.first.log->left_behind();
  auto options = hub_on(*left);
  options.more_engines = {tictactoe_of_version(1, 1), tictactoe_of_version(0, 9)};
  test_hub next{options};
  recovery_events events;
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  CHECK(left->headers().front().engine_version == "1.0.0");
  CHECK(events.out.empty());
}

TEST_CASE("recovery: a log that its engine does not agree with is put aside") {
  auto w = a_log();
  std::string says;
  SECTION("a cell taken twice") {
    w.records[4].action = w.records[3].action;
    says = "record 5 is refused by the engine: space-not-empty";
  }
  SECTION("another state") {
    w.records[3].state ^= 1;
    says = "record 4 leads to another state";
  }
  SECTION("options that the engine does not take") {
    w.header.options = "[]";
    says = "record 0 the engine refuses its options";
  }
  evening next{journal_with(w)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.quarantined == 1);
  CHECK(report.mismatches == 1);
  CHECK(next.log->put_aside[w.header.id].find(says) == 0);
  CHECK(next.hub->actors_running() == 0);
}

namespace {

// A Tic-Tac-Toe under its own name whose apply() throws while `throws` is set.
bool apply_throws = false;
engines::host::engine tictactoe_that_throws() {
  apply_throws = false;
  return spoiled_engine("tictactoe", "throws-in-apply", [](gamehub_engine_abi& abi) {
    abi.apply = [](gamehub_match* m, std::int32_t seat, std::int64_t a) -> gamehub_reason {
      if (apply_throws) throw std::runtime_error{"a test"};
      return healthy_engine("tictactoe").apply(m, seat, a);
    };
  });
}

struct heard_engine_faults final : fault_listener {
  void on_engine_fault(const engine_fault& f) override { all.push_back(f); }
  void on_fault(std::string_view, std::string_view) override { ++others; }
  void on_essential_actor_lost(std::string_view) override { ++others; }

  std::vector<engine_fault> all;
  int others = 0;
};

}  // namespace

TEST_CASE("recovery: an engine that throws in a replay puts its game aside, others go on") {
  const bool at_start = GENERATE(true, false);
  CAPTURE(at_start);
  const auto rules = tictactoe_that_throws();
  auto w = a_log();
  w.header.engine = "throws-in-apply";
  two_at_a_table t;
  late_journal made{false};
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } nobody;
  auto other = t.first.log->headers().front();
  other.id = game_id{w.header.id.value + 1};
  made.open(w.header);
  made.append(w.header.id, w.records, nobody);
  made.open(other);
  made.append(other.id, t.first.records(t.game), nobody);
  const auto left = made.left_behind();
  heard_engine_faults heard;
  auto options = hub_on(*left);
  options.more_engines = {rules};
  options.settings.faults = &heard;
  test_hub next{options};
  recovery_events events;
  actors::system::recovery_report report;
  apply_throws = true;
  if (at_start) {
    report = next.runtime().recover(events);
  } else {
    std::atomic<bool> done = false;
    std::thread adopting{[&] {
      report = next.runtime().take_over({{left->open_games(), left->last_written()}}, events,
                                        [] { return true; });
      done = true;
    }};
    while (!done) next.settle();
    adopting.join();
  }
  apply_throws = false;
  next.settle();
  CHECK(report.restored == 1);
  CHECK(report.mismatches == 1);
  CHECK(report.quarantined == 1);
  CHECK(left->put_aside[w.header.id].find("the engine failed") != std::string::npos);
  CHECK_FALSE(left->put_aside.contains(other.id));
  REQUIRE(heard.all.size() == 1);
  CHECK(heard.all.front().engine == "throws-in-apply");
  CHECK(heard.all.front().game == w.header.id);
  CHECK(heard.all.front().function == "apply");
  CHECK(heard.all.front().what == "a test");
  CHECK(heard.others == 0);
  CHECK(next.games_started() == 1);
}

TEST_CASE("recovery: suspects are replayed one by one, and after the second time no more") {
  evening first{empty_journal()};
  for (const auto* name : {"a", "b", "c", "d", "e", "f"}) first.enter_and_wait(name);
  auto left = first.log->left_behind();
  const auto games = left->headers();
  REQUIRE(games.size() == 3);
  left->suspected = {{games[0].id, 2}, {games[1].id, 1}};
  evening next{std::move(left)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.quarantined == 1);
  CHECK(report.mismatches == 0);
  CHECK(report.restored == 2);
  CHECK(next.log->put_aside.contains(games[0].id));
  CHECK(next.log->lots == std::vector<std::vector<game_id>>{{games[1].id}, {games[2].id}});
  CHECK(next.log->safe == std::vector<game_id>{games[1].id, games[2].id});
}

TEST_CASE(
    "recovery: a suspect is tried first, and only what the trial does not survive is put aside") {
  using actors::system::trial_outcome;
  evening first{empty_journal()};
  for (const auto* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
    first.enter_and_wait(name);
  auto left = first.log->left_behind();
  const auto games = left->headers();
  REQUIRE(games.size() == 5);
  // Any number of hubs may have been killed during the replay of an innocent game.
  left->suspected = {{games[0].id, 9}, {games[1].id, 1}, {games[2].id, 1}, {games[3].id, 2}};
  evening next{std::move(left)};
  std::vector<game_id> tried;
  next.hub->runtime().use_trials([&](std::span<const actors::system::suspect> all) {
    std::vector<trial_outcome> out;
    for (const auto& each : all) {
      CHECK(each.records.size() == 3);
      tried.push_back(each.header.id);
      const auto how = each.header.id == games[1].id   ? trial_outcome::way::died
                       : each.header.id == games[0].id ? trial_outcome::way::survived
                                                       : trial_outcome::way::not_tried;
      out.push_back({how, "was ended by SIGSEGV"});
    }
    return out;
  });
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(tried.size() == 4);
  CHECK(report.quarantined == 2);
  CHECK(report.restored == 3);
  CHECK(next.events.done == 5);
  CHECK(next.log->put_aside[games[1].id] ==
        "the hub went down while this game was replayed, and so did another process, which was "
        "ended by SIGSEGV");
  // Without a trial, two times are too many.
  CHECK(next.log->put_aside.contains(games[3].id));
  CHECK(next.log->lots ==
        std::vector<std::vector<game_id>>{{games[4].id}, {games[0].id}, {games[2].id}});
}

// Two who are back after a kill, at a hub that announces first moves.
struct pair_before_its_first_move : two_at_a_table {
  struct hub_after_the_kill {
    evening next;
    evening::guest ann, bob;
    std::size_t records = 0;
  };

  pair_before_its_first_move() : back{first.after_a_kill(), {}, {}} {
    auto& next = back.next;
    next.log->announces_moves = true;
    back.ann = next.enter("ann", ann.secret), back.bob = next.enter("bob", bob.secret);
    back.records = next.records(game).size();
  }

  hub_after_the_kill back;
};

TEST_CASE("recovery: the first move of a restored game is announced before it is played") {
  pair_before_its_first_move t;
  auto& [next, ann, bob, before] = t.back;
  auto& log = *next.log;
  next.put(bob, 1, 1, t.game), next.put(bob, 0, 0, t.game);
  CHECK(log.moves_announced == std::vector{t.game});
  CHECK(next.records(t.game).size() == before);
  log.commit_note(t.game), next.hub->settle();
  // The first one was refused. Both are answered in their order.
  CHECK(bob.client->pending_replies == 0);
  CHECK(bob.client->unexpected_replies == 0);
  CHECK(next.records(t.game).size() == before + 1);
  CHECK(log.moves_survived == std::vector{t.game});
  next.put(ann, 0, 1, t.game);
  CHECK(next.records(t.game).size() == before + 2);
  CHECK(log.moves_announced.size() == 1);
  CHECK(log.moves_survived.size() == 1);
}

TEST_CASE("recovery: a first move is played at once if its announcement needs no transaction") {
  pair_before_its_first_move t;
  auto& [next, ann, bob, before] = t.back;
  auto& log = *next.log;
  log.announces_at_once = true;
  next.put(bob, 1, 1, t.game);
  CHECK(next.records(t.game).size() == before);
  CHECK(log.moves_survived.size() == 1);
  next.put(bob, 0, 0, t.game);
  CHECK(next.records(t.game).size() == before + 1);
  CHECK(log.moves_announced.size() == 2);
  CHECK(log.moves_survived.size() == 2);
  next.put(ann, 0, 1, t.game);
  CHECK(log.moves_announced.size() == 2);
}

TEST_CASE("recovery: a first move that is refused leaves no suspicion, and the next is announced") {
  pair_before_its_first_move t;
  auto& [next, ann, bob, before] = t.back;
  auto& log = *next.log;
  next.put(bob, 1, 1, t.game), log.commit_note(t.game), next.hub->settle();
  CHECK(bob.client->pending_replies == 0);
  CHECK(next.records(t.game).size() == before);
  CHECK(log.moves_survived == std::vector{t.game});
  next.put(bob, 0, 0, t.game);
  CHECK(log.moves_announced.size() == 2);
  CHECK(next.records(t.game).size() == before);
  log.commit_note(t.game), next.hub->settle();
  CHECK(next.records(t.game).size() == before + 1);
  CHECK(log.moves_survived.size() == 2);
}

TEST_CASE(
    "recovery: a move that waits for its announcement is not played once the game is parked") {
  pair_before_its_first_move t;
  auto& [next, ann, bob, before] = t.back;
  auto& log = *next.log;
  next.put(bob, 0, 0, t.game);
  next.hub->runtime().begin_drain([] {}), next.hub->settle();
  CHECK_FALSE(bob.client->closed.has_value());
  log.commit_note(t.game), next.hub->settle();
  CHECK(bob.client->closed == close_reason::draining);
  CHECK(next.records(t.game).size() == before);
  CHECK(log.moves_survived == std::vector{t.game});
}

TEST_CASE("recovery: a hub that is killed again and again loses nothing") {
  two_at_a_table t;
  std::deque<evening> evenings;
  evenings.push_back(t.first.after_a_kill());
  for (const auto& [row, column] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{0, 2}}) {
    const auto& now = evenings.back();
    const auto ann = now.enter("ann", t.ann.secret);
    const auto bob = now.enter("bob", t.bob.secret);
    now.put(row + column == 1 ? ann : bob, row, column, t.game);
    auto next = now.after_a_kill();
    CHECK(next.records(t.game).size() == now.records(t.game).size());
    evenings.push_back(std::move(next));
  }
  CHECK(evenings.back().records(t.game).size() == 7);
}

TEST_CASE("drain: a game that all can come back to is parked, and goes on after the restart") {
  two_at_a_table t;
  int drained = 0;
  t.first.hub->runtime().begin_drain([&] { ++drained; });
  t.first.hub->settle();
  CHECK(t.ann.client->closed == close_reason::draining);
  CHECK(t.bob.client->closed == close_reason::draining);
  CHECK(drained == 1);
  CHECK(t.first.hub->actors_running() == 0);
  CHECK(t.first.records(t.game).back().what == record::kind::moved);
  const auto next = t.first.after_a_kill();
  const auto bob = next.enter("bob", t.bob.secret);
  next.enter("ann", t.ann.secret);
  next.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
}

TEST_CASE("drain: a parked game first says what the journal still held back") {
  two_at_a_table t;
  t.first.log->be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  t.first.hub->runtime().begin_drain([] {});
  t.first.hub->settle();
  CHECK_FALSE(t.bob.client->closed);
  CHECK(t.bob.client->pending_replies == 1);
  t.first.log->be_late(false);
  t.first.hub->settle();
  CHECK(t.bob.client->pending_replies == 0);
  CHECK(t.bob.client->closed == close_reason::draining);
}

TEST_CASE("drain: a game is handed over to another hub before its players are sent there") {
  two_at_a_table t;
  auto& log = *t.first.log;
  log.hands_over = true;
  log.be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  const auto waits = GENERATE(false, true);
  if (waits) t.bob.client->clear_events();
  bool drained = false;
  t.first.hub->runtime().begin_drain([&] { drained = true; }, hand_over::of_returning),
      t.first.hub->settle();
  // The other hub gets nothing that is not committed.
  CHECK(log.handed_over.empty());
  log.commit_all(), t.first.hub->settle();
  CHECK(t.ann.client->last_position()->by == 1);
  CHECK(log.handed_over == std::vector{t.game});
  CHECK_FALSE(t.ann.client->closed.has_value());
  CHECK_FALSE(drained);
  // Nothing happens in it any more.
  t.first.put(t.ann, 0, 1, t.game);
  CHECK(t.first.records(t.game).size() == 5);
  log.commit_note(t.game), t.first.hub->settle();
  CHECK(t.ann.client->closed == close_reason::draining);
  CHECK(t.bob.client->closed == close_reason::draining);
  CHECK(drained);
  CHECK(log.handed_over.size() == 1);
  CHECK(t.first.hub->actors_running() == 0);
}

TEST_CASE("drain: a game that no other hub can take is parked, also if others live") {
  two_at_a_table t;
  bool drained = false;
  t.first.hub->runtime().begin_drain([&] { drained = true; }, hand_over::of_returning),
      t.first.hub->settle();
  CHECK(drained);
  CHECK(t.ann.client->closed == close_reason::draining);
  CHECK(t.first.log->open_games().size() == 1);
}

TEST_CASE("drain: what is suspended when the time is over is handed over as well") {
  two_at_a_table t;
  t.first.log->hands_over = true;
  const auto plays_on = t.first.hub->connect(test_hub::cells_wire, 0);
  plays_on->submit(sign_in{"carl", {}}), t.first.hub->settle();
  bool drained = false;
  t.first.hub->runtime().begin_drain([&] { drained = true; }, hand_over::of_returning),
      t.first.hub->settle();
  t.first.hub->runtime().end_games(end_reason::drained), t.first.hub->settle();
  CHECK(t.first.log->handed_over == std::vector{t.game});
  CHECK_FALSE(drained);
  t.first.log->commit_note(t.game), t.first.hub->settle();
  CHECK(drained);
}

// As over the protocol of bots, which the hub that has the arena calls.
TEST_CASE("drain: a game of players that only this hub serves is handed over at the end") {
  const auto log = empty_journal();
  auto options = hub_on(*log);
  options.crossing = hub_crossing::none;
  test_hub hub{std::move(options)};
  log->be_durable();
  log->hands_over = true;
  const auto ann = hub.connect(test_hub::documents_wire),
             bob = hub.connect(test_hub::documents_wire);
  for (const auto& each : {ann, bob}) {
    each->submit(sign_in{each == ann ? "ann" : "bob", {}}), hub.settle();
    each->submit(seek_once()), hub.settle();
  }
  REQUIRE(ann->last<started>() != nullptr);
  const auto game = bob->events.back().game;
  hub.runtime().begin_drain([] {}, hand_over::of_all), hub.settle();
  CHECK(log->handed_over.empty());
  ann->submit(play_cell(4, game)), hub.settle();
  CHECK(bob->last_position()->by == 0);
  hub.runtime().end_games(end_reason::drained), hub.settle();
  CHECK(log->handed_over == std::vector{game});
  log->commit_note(game), hub.settle();
}

TEST_CASE("drain: a game that someone could not come back to is played on") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  first.hub->runtime().begin_drain([] {});
  first.hub->settle();
  CHECK_FALSE(ann.client->closed);
  CHECK_FALSE(stranger->closed);
}

TEST_CASE("runtime: an operator ends a game, in words that its log keeps") {
  two_at_a_table t;
  std::vector<bool> found;
  const auto tell = [&](bool is) { found.push_back(is); };
  t.first.hub->runtime().end_game(game_id{t.game.value + 1}, "a typo", tell);
  t.first.hub->settle();
  t.first.hub->runtime().end_game(t.game, "cheating", tell);
  t.first.hub->settle();
  CHECK(found == std::vector<bool>{false, true});
  REQUIRE(end_seen_by(t.bob));
  CHECK(end_seen_by(t.bob)->reason == end_reason::operator_);
  CHECK(t.first.records(t.game).back().text == "cheating");
}

TEST_CASE("runtime: no new games while the journal can't write") {
  two_at_a_table t;
  t.first.log->be_in_trouble("the disk is full");
  const auto carl = t.first.enter_and_wait("carl");
  REQUIRE(carl.client->last<refused>() != nullptr);
  CHECK(carl.client->last<refused>()->why == refusal::hub_full);
  t.first.log->be_in_trouble(std::nullopt);
  carl.client->submit(seek_again({"tictactoe"})), t.first.hub->settle();
  CHECK(carl.client->last<placed>() != nullptr);
}

TEST_CASE("game: a turn whose prompt waits for the journal does not expire") {
  two_at_a_table t{10s};
  t.first.log->be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  t.first.hub->advance(25s);
  CHECK_FALSE(end_seen_by(t.ann));
  t.first.log->commit_all();
  t.first.hub->settle();
  t.first.hub->advance(9s);
  CHECK_FALSE(end_seen_by(t.ann));
  t.first.hub->advance(1s);
  t.first.log->be_late(false);
  t.first.hub->settle();
  REQUIRE(end_seen_by(t.ann));
  CHECK(end_seen_by(t.ann)->reason == end_reason::clock);
  CHECK(end_seen_by(t.ann)->winner == 1);
}
