#include "actors/spectate/feed.hpp"

#include "engines/contract/call_monitor.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/watched_game.hpp"

#include <map>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

using numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("feed: tells a game from its beginning, live, to its end") {
  watched_game g;
  const auto who = g.watch(0, GENERATE(std::size_t{0}, std::size_t{1}));
  REQUIRE(who->progress.has_value());
  CHECK(who->progress->status == game_status::running);
  CHECK(who->progress->last == 3);
  CHECK(who->progress->game->engine == "tictactoe");
  CHECK(who->progress->game->marks == "XO");
  CHECK(who->progress->game->players == std::vector<std::string>{"ann", "bob"});
  CHECK(who->numbers() == numbers{1, 2, 3});
  g.put(*g.ann, 4);
  g.bob->submit(chat{g.game, "hm"}), g.hub.settle();
  g.put(*g.bob, 0);
  g.ann->submit(leave{g.game}), g.hub.settle();
  CHECK(who->lines() == std::vector<std::string>{
                            "1 opened [---------] 1",
                            "2 joined seat 0 by ann",
                            "3 joined seat 1 by bob",
                            who->lines().at(3),
                            "5 said seat 1 by bob \"hm\"",
                            who->lines().at(5),
                            "7 left seat 0 by ann",
                            "8 ended seat 1 [O---X----] 0 left 1 -1 1",
                        });
  CHECK(who->updates[3]->cell == 4);
  CHECK(who->updates[3]->then->cells == "----X----");
  CHECK(who->updates[3]->then->to_move == only(1));
  CHECK(who->updates[3]->game->players[1] == "bob");
  CHECK(who->ends == 1);
  CHECK(who->unknowns == 0);
  CHECK_FALSE(who->muddled);
}

TEST_CASE("feed: a resumed watcher receives exactly the missing updates, from any update") {
  watched_game g;
  std::map<std::uint64_t, std::shared_ptr<onlooker>> all;
  for (std::uint64_t after = 0; after <= 12; ++after) all[after] = g.watch(after);
  const auto whole = g.watch();
  int move = 0;
  for (const auto cell : {0, 3, 1, 4, 2}) {
    g.put(move++ % 2 == 0 ? *g.ann : *g.bob, cell);
    for (std::uint64_t after = 0; after <= whole->updates.size(); ++after) {
      const auto late = g.watch(after, after % 2);
      CHECK(late->progress->last == whole->updates.size());
      CHECK(late->lines() == lines_after(*whole, after));
    }
  }
  CHECK(whole->numbers() == numbers{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(whole->updates[7]->then->outcome->winner == 0);
  for (const auto& [after, who] : all) {
    CAPTURE(after);
    CHECK_FALSE(who->muddled);
    CHECK(who->ends == 1);
    CHECK(who->numbers().size() == (after < 9 ? 9 - after : 0));
  }
}

TEST_CASE("feed: tells nothing before it is committed") {
  watched_game g;
  const auto early = g.watch();
  g.journal.be_late(true);
  g.put(*g.ann, 4);
  CHECK(early->updates.size() == 3);
  // Who comes now has to wait as well.
  const auto late = g.watch(0, 1);
  const auto resumed = g.watch(3, 1);
  CHECK(late->updates.empty());
  CHECK_FALSE(late->progress.has_value());
  g.journal.commit_all(), g.hub.settle();
  CHECK(early->numbers() == numbers{1, 2, 3, 4});
  CHECK(late->lines() == early->lines());
  CHECK(resumed->numbers() == numbers{4});
  g.put(*g.bob, 0);
  g.bob->submit(leave{g.game}), g.hub.settle();
  CHECK(early->updates.size() == 4);
  g.journal.commit(g.game, 5), g.hub.settle();
  CHECK(early->updates.size() == 5);
  CHECK(early->ends == 0);
  g.journal.commit_all(), g.hub.settle();
  for (const auto& who : {early, late, resumed}) {
    CHECK(who->updates.back()->number == 7);
    CHECK(who->ends == 1);
    CHECK_FALSE(who->muddled);
  }
}

TEST_CASE(
    "feed: a game that waits for an opponent has its id, and is quiet until it "
    "begins") {
  test_hub hub{{.loops = 2}};
  const auto ann = hub.connect(test_hub::cells_wire, 0);
  const auto bob = hub.connect(test_hub::cells_wire, 1);
  ann->submit(sign_in{"ann", {}}), ann->submit(seek_reserving()), hub.settle();
  REQUIRE(ann->last<placed>() != nullptr);
  const auto game = ann->events.back().game;
  REQUIRE(game);
  CHECK(ann->last<placed>()->seat == 0);
  const auto who = onlooker::of(hub.runtime().spectators_for(1), game);
  const auto other = onlooker::of(hub.runtime().spectators_for(0), game);
  hub.settle();
  REQUIRE(who->progress.has_value());
  CHECK(who->progress->status == game_status::waiting);
  CHECK(who->progress->last == 0);
  CHECK(who->progress->game->players == std::vector<std::string>{"ann", ""});
  CHECK(look_at(hub, game)->progress.status == game_status::waiting);
  CHECK_FALSE(replay_of(hub, game));
  ann->submit(play_cell(0, game)), hub.settle();
  CHECK(ann->last<refused>()->why == refusal::not_your_turn);
  ann->submit(chat{game, "hello?"}), hub.settle();
  CHECK(ann->last<refused>()->why == refusal::not_your_turn);
  bob->submit(seek_reserving()), hub.settle();
  // Who comes second is told of the game that is there.
  CHECK(bob->last<started>() != nullptr);
  for (const auto& e : bob->events)
    if (std::holds_alternative<placed>(e.what)) CHECK(e.game == game);
  CHECK(bob->events.back().game == game);
  CHECK(ann->events.back().game == game);
  ann->submit(play_cell(8, game)), hub.settle();
  for (const auto& each : {who, other}) {
    CHECK(each->numbers() == numbers{1, 2, 3, 4});
    CHECK_FALSE(each->muddled);
  }
}

TEST_CASE("feed: a stopped watcher receives nothing, a paused one the rest later") {
  watched_game g;
  const auto stopped = g.watch(), paused = g.watch();
  stopped->stop();
  paused->pause(true);
  g.put(*g.ann, 4);
  CHECK(stopped->updates.size() == 3);
  CHECK(paused->updates.size() == 3);
  g.put(*g.bob, 0);
  paused->pause(false), g.hub.settle();
  CHECK(paused->numbers() == numbers{1, 2, 3, 4, 5});
  paused->enough = 6;
  g.put(*g.ann, 1);
  g.put(*g.bob, 2);
  CHECK(paused->updates.size() == 6);
  CHECK(paused->ends == 0);
}

TEST_CASE("feed: removes a feed without watchers after a while, and can create it again") {
  watched_game g;
  const auto first = g.watch();
  first->stop();
  g.hub.advance(limits::unwatched_kept + 1s);
  g.put(*g.ann, 4);
  g.put(*g.bob, 0);
  CHECK(first->updates.size() == 3);
  const auto again = g.watch(3);
  CHECK(again->numbers() == numbers{4, 5});
  g.put(*g.ann, 1);
  CHECK(again->numbers() == numbers{4, 5, 6});
  CHECK(again->updates.back()->then->cells == "OX--X----");
}

TEST_CASE("feed: keeps nothing of a game that had ended when its last reader leaves") {
  watched_game g;
  auto live = g.watch();
  g.play_to_the_end();
  CHECK(live->ends == 1);
  const std::weak_ptr<const game_update> last = live->updates.back();
  live.reset(), g.hub.settle();
  // Those who polled while it ran come for its end.
  CHECK_FALSE(last.expired());
  CHECK(g.watch(8)->ends == 1);
  g.hub.advance(limits::unwatched_kept + 1s);
  CHECK(last.expired());
  auto late = g.watch();
  CHECK(late->ends == 1);
  CHECK(late->updates.size() == 9);
  const std::weak_ptr<const game_update> read = late->updates.back();
  late.reset(), g.hub.settle();
  CHECK(read.expired());
}

TEST_CASE("feed: what is told live is what the log tells, for every engine") {
  for (const auto* engine :
       {"tictactoe", "connect-four", "gomoku", "othello", "nim", "kuhn-poker",
        "rock-paper-scissors", "hex", "checkers", "backgammon", "battleship"}) {
    CAPTURE(engine);
    late_journal journal{false};
    test_hub hub{{.loops = 2, .log = &journal}};
    const auto ann = hub.connect(test_hub::documents_wire);
    const auto bob = hub.connect(test_hub::documents_wire, 1);
    ann->submit(seek_once(engine)), hub.settle();
    bob->submit(seek_once(engine)), hub.settle();
    REQUIRE(bob->last<started>() != nullptr);
    const auto game = bob->events.back().game;
    const auto live = onlooker::of(hub.runtime().spectators_for(1), game);
    hub.settle();
    for (int i = 0; i < 4'000 && live->ends == 0; ++i)
      for (const seat_index seat : {0, 1}) {
        const auto seen = look_at(hub, game, seat);
        if (seen->actions.empty()) continue;
        const auto& word = seen->actions[static_cast<std::size_t>(i) % seen->actions.size()].text;
        (seat == 0 ? ann : bob)->submit(play{game, {move::form::word, 0, word}}), hub.settle();
      }
    CHECK(live->ends == 1);
    CHECK_FALSE(live->muddled);
    const auto logged = replay_of(hub, game);
    REQUIRE(logged.has_value());
    CHECK(lines_of(logged->updates) == live->lines());
    for (const auto& u : live->updates) CHECK((!u->hidden || (u->text.empty() && !u->seat)));
  }
}

TEST_CASE("feed: a game that goes on after a kill is watched on from where it was") {
  auto g = std::make_unique<watched_game>();
  g->journal.be_durable();
  const auto before = g->watch();
  g->put(*g->ann, 4);
  const auto secret = g->ann->last<signed_in>()->secret;
  const auto kept = g->journal.left_behind();
  struct : actors::system::recovery_listener {
    void on_progress(std::size_t, std::size_t) override {}
    void on_quarantined(game_id, const std::string&) override {}
  } events;
  test_hub next{{.settings = {0s, 0s, 0s, 100, 100, 60s}, .log = kept.get()}};
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  const auto after = onlooker::of(next.runtime().spectators_for(0), g->game);
  const auto resumed = onlooker::of(next.runtime().spectators_for(0), g->game, 3);
  next.settle();
  CHECK(after->progress->status == game_status::running);
  CHECK(after->lines() == before->lines());
  CHECK(resumed->numbers() == numbers{4});
  const auto ann = next.connect(test_hub::cells_wire);
  ann->submit(sign_in{"ann", secret}), next.settle();
  ann->submit(chat{g->game, "anybody there?"}), next.settle();
  CHECK(after->updates.back()->text == "anybody there?");
  next.advance(60s);
  CHECK(after->ends == 1);
  CHECK(after->updates.back()->then->outcome->reason == end_reason::interrupted);
  CHECK(after->updates.back()->then->cells == "----X----");
  CHECK(resumed->numbers() == numbers{4, 5, 6});
}

TEST_CASE("feed: a move with any number of watchers takes one application") {
  using engines::contract::function;
  engines::contract::current_call note;
  engines::contract::call_monitor monitor{&note, {}};
  const auto rules =
      engines::contract::monitored(spoiled_engine("tictactoe", "counted", [](auto&) {}), monitor);
  test_hub hub{{.loops = 2, .more_engines = {rules}}};
  const auto x = hub.connect(test_hub::cells_wire, 0), o = hub.connect(test_hub::cells_wire, 1);
  x->submit(seek_once("counted")), hub.settle();
  o->submit(seek_once("counted")), hub.settle();
  const auto game = o->events.back().game;
  const auto put = [&](test_client& who, std::int64_t cell) {
    monitor.times = {};
    who.submit(play_cell(cell, game)), hub.settle();
  };
  const auto calls = [&](function f) { return monitor.of(f).count(); };
  put(*x, 4);
  CHECK(calls(function::apply) == 1);
  CHECK(calls(function::cells_glyphs) == 1);
  CHECK(calls(function::action_to_text) == 0);
  std::vector<std::shared_ptr<onlooker>> watchers;
  for (std::size_t i = 0; i < 6; ++i)
    watchers.push_back(onlooker::of(hub.runtime().spectators_for(i % 2), game, 3));
  hub.settle();
  put(*o, 0);
  CHECK(calls(function::clone) == 0);
  CHECK(calls(function::apply) == 1);
  CHECK(calls(function::cells_glyphs) == 1);
  CHECK(calls(function::view_json) == 0);
  CHECK(calls(function::to_move) == 1);
  for (const auto& each : watchers) {
    REQUIRE(each->updates.size() == 2);
    CHECK(each->updates[1] == watchers[0]->updates[1]);
    CHECK(each->updates[1]->then.get() == x->last_position());
    each->stop();
  }
  hub.advance(limits::unwatched_kept + 1s);
  put(*x, 1);
  CHECK(calls(function::apply) == 1);
  CHECK(calls(function::action_to_text) == 0);
}

TEST_CASE("feed: an update goes to all watchers before the next one") {
  watched_game g;
  const auto first = g.watch(), second = g.watch();
  std::vector<std::pair<int, std::uint64_t>> order;
  first->on_each = [&](const game_update& u) { order.emplace_back(1, u.number); };
  second->on_each = [&](const game_update& u) { order.emplace_back(2, u.number); };
  g.journal.be_late(true);
  g.put(*g.ann, 4);
  g.bob->submit(leave{g.game}), g.hub.settle();
  g.journal.commit_all(), g.hub.settle();
  CHECK(order ==
        std::vector<std::pair<int, std::uint64_t>>{{1, 4}, {2, 4}, {1, 5}, {2, 5}, {1, 6}, {2, 6}});
  CHECK(first->ends + second->ends == 2);
}

TEST_CASE("feed: an engine that fails at the end is told from the log") {
  test_hub hub{{.loops = 1, .more_engines = {engine_that_fails_at_the_end()}}};
  const auto x = hub.connect(test_hub::documents_wire), o = hub.connect(test_hub::cells_wire);
  x->submit(seek_once("fails-at-the-end")), hub.settle();
  o->submit(seek_once("fails-at-the-end")), hub.settle();
  const auto game = o->events.back().game;
  const auto live = onlooker::of(hub.runtime().spectators_for(0), game);
  hub.settle();
  for (const auto cell : {0, 3, 1, 4, 2}) {
    (cell < 3 ? x : o)->submit(play_cell(cell, game)), hub.settle();
  }
  CHECK(live->ends == 1);
  CHECK_FALSE(live->muddled);
  CHECK(live->updates.back()->what == game_update::kind::ended);
  CHECK(live->lines() == lines_of(replay_of(hub, game)->updates));
}

TEST_CASE("feed: who reads gets the clock of now, and later that of each change") {
  watched_game g;
  g.hub.advance(5s);
  const auto first = g.watch();
  CHECK(first->latest == 3);
  REQUIRE(first->presents.size() == 1);
  const auto& clock = first->presents[0]->clock;
  CHECK(first->presents[0]->number == 3);
  CHECK(clock.running == only(0));
  CHECK(clock.left_at(0, g.hub.now()) == 115s);
  CHECK(clock.left_at(1, g.hub.now()) == 120s);
  g.hub.advance(10s);
  // One that comes later, with nothing left to read.
  const auto late = g.watch(3, 1);
  CHECK(late->updates.empty());
  REQUIRE(late->presents.size() == 1);
  CHECK(late->presents[0]->clock.left_at(0, g.hub.now()) == 105s);
  CHECK(late->stands->cells == "---------");
  CHECK(shows_same(late->presents[0]->clock, clock));
  g.put(*g.ann, 4);
  for (const auto& who : {first, late}) {
    CHECK(who->latest == 4);
    REQUIRE(who->presents.size() == 2);
    CHECK(who->presents[1]->clock.running == only(1));
    CHECK(who->presents[1]->clock.left_at(1, g.hub.now()) == 120s);
    CHECK(who->presents[1]->actions == nullptr);
  }
  const auto seen = look_at(g.hub, g.game);
  CHECK(shows_same(seen->clock, first->presents[1]->clock));
  CHECK(seen->away.empty());
  // A refused move changes nothing.
  g.put(*g.ann, 5);
  CHECK(first->presents.size() == 2);
  g.ann->submit(leave{g.game}), g.hub.settle();
  CHECK(first->presents.size() == 2);
  CHECK(first->ends == 1);
  CHECK_FALSE(look_at(g.hub, g.game)->clock);
  CHECK_FALSE(first->muddled);
}

TEST_CASE("feed: a paused reader gets the present state once, and the latest") {
  watched_game g;
  const auto who = g.watch();
  who->pause(true);
  g.put(*g.ann, 4), g.put(*g.bob, 0), g.put(*g.ann, 8);
  CHECK(who->presents.size() == 1);
  who->pause(false), g.hub.settle();
  CHECK(who->numbers() == numbers{1, 2, 3, 4, 5, 6});
  REQUIRE(who->presents.size() == 2);
  CHECK(who->latest == 6);
  CHECK(who->presents[1]->clock.running == only(1));
  CHECK_FALSE(who->muddled);
}

TEST_CASE("feed: the clock and the moves are told after the commit, with full time") {
  watched_game g;
  const auto who = onlooker::of(g.hub.runtime().spectators_for(0), g.game, 3, seat_index{1});
  g.hub.settle();
  REQUIRE(who->presents.size() == 1);
  CHECK(who->presents[0]->actions == nullptr);
  g.journal.be_late(true);
  g.put(*g.ann, 4);
  game_clock asked;
  g.hub.runtime().spectators_for(0).query_clock(g.game, [&](const game_clock& c) { asked = c; });
  g.hub.advance(30s);
  CHECK(who->presents.size() == 1);
  CHECK_FALSE(asked);
  g.journal.commit_all(), g.hub.settle();
  REQUIRE(who->presents.size() == 2);
  CHECK(who->latest == 4);
  CHECK(who->presents[1]->clock.left_at(1, g.hub.now()) == 120s);
  CHECK(asked.left_at(1, g.hub.now()) == 120s);
  REQUIRE(who->presents[1]->actions != nullptr);
  CHECK(who->presents[1]->actions->size() == 8);
  CHECK_FALSE(who->muddled);
  g.journal.be_late(false);
}

TEST_CASE("feed: chat that waits for its commit gives the player to move no more time") {
  watched_game g;
  const auto who = g.watch();
  g.hub.advance(30s);
  g.journal.be_late(true);
  g.bob->submit(chat{g.game, "hm"}), g.hub.settle();
  g.journal.commit_all(), g.hub.settle();
  CHECK(who->numbers().back() == 4);
  CHECK(who->presents.back()->clock.left_at(0, g.hub.now()) == 90s);
  g.journal.be_late(false);
}

TEST_CASE("feed: a player reads its own view, live and replayed, after a fold too") {
  test_hub hub{{.loops = 2}};
  const auto ann = hub.connect(test_hub::documents_wire, 0);
  const auto bob = hub.connect(test_hub::cells_wire, 1);
  ann->submit(seek_once("kuhn-poker")), hub.settle();
  bob->submit(seek_once("kuhn-poker")), hub.settle();
  const auto game = bob->events.back().game;
  const auto read = [&](std::optional<seat_index> as, std::size_t loop) {
    auto who = onlooker::of(hub.runtime().spectators_for(loop), game, 0, as);
    hub.settle();
    return who;
  };
  const auto say = [&](test_client& who, const char* word) {
    who.submit(play{game, {move::form::word, 0, word}}), hub.settle();
  };
  const auto mine = read(0, 1), yours = read(1, 0), guest = read({}, 0);
  CHECK(mine->presents.at(0)->actions->size() == 2);
  CHECK(yours->presents.at(0)->actions == nullptr);
  say(*ann, "bet");
  CHECK(mine->presents.back()->actions == nullptr);
  CHECK(yours->presents.back()->actions->size() == 2);
  CHECK(guest->presents.back()->actions == nullptr);
  say(*bob, "pass");
  const auto card = [](const position_ref& p, std::size_t seat) {
    REQUIRE(p != nullptr);
    const auto& view = p->document;
    const auto start = view.find('[') + 1;
    const auto comma = view.find(',', start);
    return seat == 0 ? view.substr(start, comma - start)
                     : view.substr(comma + 1, view.find(']') - comma - 1);
  };
  const auto last = [](const onlooker& who) { return who.updates.back()->then; };
  CHECK(card(last(*mine), 0).size() > 4);
  CHECK(card(last(*mine), 1) == "null");
  CHECK(card(last(*yours), 1).size() > 4);
  CHECK(card(last(*yours), 0) == "null");
  CHECK(card(last(*guest), 0) == "null");
  CHECK(card(last(*guest), 1) == "null");
  // Read again: from the log, and as a snapshot.
  hub.advance(limits::unwatched_kept + 1s);
  ann->disconnect(), bob->disconnect(), hub.settle();
  const std::pair<std::optional<seat_index>, std::shared_ptr<onlooker>> all[] = {
      {0, mine}, {1, yours}, {std::nullopt, guest}};
  for (const auto& [as, live] : all) {
    const auto again = read(as, 1);
    CHECK(again->lines() == live->lines());
    CHECK(again->ends == 1);
    CHECK(look_at(hub, game, as)->position.document == last(*live)->document);
    std::optional<game_replay> replay;
    hub.runtime().spectators_for(0).replay(game, as, [&](auto found) { replay = found; });
    hub.settle();
    REQUIRE(replay.has_value());
    CHECK(lines_of(replay->updates) == live->lines());
  }
}

TEST_CASE("feed: an iteration serves some of many readers, and each reads all in its order") {
  watched_game g;
  // One feed is served twice in an iteration at most: by a post, and as a part of long work.
  constexpr std::size_t readers = 200, at_once = 2 * 64;
  std::vector<std::shared_ptr<onlooker>> all;
  for (std::size_t i = 0; i < readers; ++i) all.push_back(g.watch());
  const auto read = [&] {
    std::size_t sum = 0;
    for (const auto& each : all) sum += each->updates.size();
    return sum;
  };
  const auto until = [&](std::size_t wanted) {
    int steps = 0;
    for (auto before = read(); before < wanted; ++steps, before = read()) {
      REQUIRE(steps < 1'000);
      g.hub.step(0), g.hub.step(1);
      CHECK(read() - before <= at_once);
    }
    return steps;
  };
  g.ann->submit(play_cell(4, g.game));
  CHECK(until(readers * 4) >= 2);
  // Updates that follow each other at once, of which the last one ends the game.
  g.bob->submit(chat{g.game, "hm"}), g.bob->submit(leave{g.game});
  until(readers * 7);
  g.hub.settle();
  for (const auto& each : all) {
    CHECK(each->numbers() == numbers{1, 2, 3, 4, 5, 6, 7});
    CHECK(each->ends == 1);
    CHECK_FALSE(each->muddled);
  }
}

TEST_CASE("feed: an iteration sends a part of a long history") {
  watched_game g;
  constexpr std::size_t said = 300, at_once = 2 * 64;
  for (std::size_t i = 0; i < said; ++i) g.bob->submit(chat{g.game, "hm"}), g.hub.settle();
  const bool ended = GENERATE(false, true);
  if (ended) g.play_to_the_end();
  const auto live = g.watch();
  const auto whole = live->updates.size();
  CHECK(whole > said);
  const auto late = onlooker::of(g.hub.runtime().spectators_for(0), g.game, 0);
  for (std::size_t steps = 0, before = 0; before < whole; ++steps, before = late->updates.size()) {
    REQUIRE(steps < 1'000);
    g.hub.step(0), g.hub.step(1);
    CHECK(late->updates.size() - before <= at_once);
  }
  g.hub.settle();
  CHECK(late->lines() == live->lines());
  CHECK(late->ends == (ended ? 1 : 0));
  CHECK_FALSE(late->muddled);
}
