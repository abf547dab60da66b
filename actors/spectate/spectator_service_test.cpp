#include "actors/spectate/spectator_service.hpp"

#include "actors/system/runtime.hpp"
#include "engines/contract/call_monitor.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/direct_line.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

#include <map>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

using numbers = std::vector<std::uint64_t>;

intent seek_reserving(std::string engine = "tictactoe") {
  auto what = seek_once(std::move(engine));
  std::get<seek>(what).reserve_game = true;
  return what;
}

std::vector<std::string> lines_after(const onlooker& who, std::uint64_t number) {
  auto lines = who.lines();
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(number));
  return lines;
}

// Ann (X) plays bob, on two loops.
struct watched_game {
  watched_game() {
    ann->submit(sign_in{"ann", {}}), ann->submit(seek_once()), hub.settle();
    bob->submit(sign_in{"bob", {}}), bob->submit(seek_once()), hub.settle();
    REQUIRE(bob->last<started>() != nullptr);
    game = bob->events.back().game;
  }
  void put(test_client& who, std::int64_t cell) { who.submit(play_cell(cell, game)), hub.settle(); }
  void play_to_the_end() {
    for (const auto cell : {0, 3, 1, 4, 2}) put(cell < 3 ? *ann : *bob, cell);
  }
  std::shared_ptr<onlooker> watch(std::uint64_t after = 0, std::size_t loop = 0) {
    auto who = onlooker::of(hub.runtime().spectators_for(loop), game, after);
    hub.settle();
    CHECK_FALSE(who->muddled);
    return who;
  }

  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
  std::shared_ptr<test_client> ann = hub.connect(test_hub::documents_wire, 0);
  std::shared_ptr<test_client> bob = hub.connect(test_hub::cells_wire, 1);
  game_id game;
};

std::optional<game_snapshot> look_at(test_hub& hub, game_id game, std::optional<seat_index> as = {},
                                     std::size_t loop = 0) {
  std::optional<std::optional<game_snapshot>> got;
  hub.runtime().spectators_for(loop).query_snapshot(game, as, [&](auto found) {
    CHECK_FALSE(got.has_value());
    got = std::move(found);
  });
  CHECK_FALSE(got.has_value());
  hub.settle();
  REQUIRE(got.has_value());
  return *got;
}

std::optional<game_replay> replay_of(test_hub& hub, game_id game, std::size_t loop = 0) {
  std::optional<std::optional<game_replay>> got;
  hub.runtime().spectators_for(loop).replay(game, {}, [&](auto found) { got = std::move(found); });
  CHECK_FALSE(got.has_value());
  hub.settle();
  REQUIRE(got.has_value());
  return *got;
}

}  // namespace

TEST_CASE("spectator_service: tells a game from its beginning, live, to its end") {
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

TEST_CASE(
    "spectator_service: a resumed watcher receives exactly the missing updates, from any update") {
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

TEST_CASE("spectator_service: an ended game is told like a running one, also by the next hub") {
  auto g = std::make_unique<watched_game>();
  const auto live = g->watch();
  g->play_to_the_end();
  g->ann->disconnect(), g->bob->disconnect(), g->hub.advance(limits::unwatched_kept + 1s);
  const auto late = g->watch(0, 1);
  CHECK(late->lines() == live->lines());
  CHECK(late->ends == 1);
  CHECK(late->progress->status == game_status::ended);
  const auto all = replay_of(g->hub, g->game);
  REQUIRE(all.has_value());
  CHECK(lines_of(all->updates) == live->lines());
  CHECK(all->game->engine_version == "1.0.0");
  const auto kept = g->journal.left_behind();
  test_hub next{{.log = kept.get()}};
  const auto again = onlooker::of(next.runtime().spectators_for(0), g->game, 4);
  next.settle();
  CHECK(again->lines() == lines_after(*live, 4));
  CHECK(again->ends == 1);
}

TEST_CASE("spectator_service: tells nothing before it is committed") {
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
    "spectator_service: a game that waits for an opponent has its id, and is quiet until it "
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

TEST_CASE("spectator_service: a withdrawn waiting game is unavailable, and its id is not reused") {
  const bool leaves = GENERATE(true, false);
  late_journal journal{false};
  journal.be_durable();
  game_id lost;
  {
    test_hub hub{{.log = &journal}};
    const auto ann = hub.connect(test_hub::cells_wire);
    ann->submit(seek_reserving()), hub.settle();
    lost = ann->events.back().game;
    const auto who = onlooker::of(hub.runtime().spectators_for(0), lost);
    hub.settle();
    if (leaves)
      ann->submit(leave{lost}), hub.settle();
    else
      ann->disconnect(), hub.settle();
    CHECK(who->unknowns == 1);
    CHECK_FALSE(who->muddled);
    CHECK_FALSE(look_at(hub, lost));
    if (leaves) {
      CHECK(ann->last<done>() != nullptr);
      ann->submit(seek_reserving()), hub.settle();
      CHECK(ann->events.back().game > lost);
    }
  }
  const auto kept = journal.left_behind();
  test_hub next{{.log = kept.get()}};
  const auto bob = next.connect(test_hub::cells_wire);
  bob->submit(seek_engine()), next.settle();
  CHECK(bob->events.back().game.value > lost.value + 1);
}

TEST_CASE("spectator_service: two players with reported game ids are not paired") {
  test_hub hub;
  const auto ann = hub.connect(test_hub::cells_wire), bob = hub.connect(test_hub::cells_wire);
  const auto cat = hub.connect(test_hub::cells_wire), dan = hub.connect(test_hub::cells_wire);
  auto first = seek_reserving();
  std::get<seek>(first).seat = 0;
  ann->submit(first), bob->submit(first), hub.settle();
  const auto mine = ann->events.back().game, yours = bob->events.back().game;
  CHECK(mine != yours);
  cat->submit(seek_reserving()), hub.settle();
  dan->submit(seek_reserving()), hub.settle();
  CHECK(cat->events.back().game == mine);
  CHECK(dan->events.back().game == yours);
  CHECK(ann->last<started>() != nullptr);
  CHECK(bob->last<started>() != nullptr);
}

TEST_CASE("spectator_service: says so where there is no such game") {
  watched_game g;
  const auto nobody = onlooker::of(g.hub.runtime().spectators_for(0), game_id{77});
  g.hub.settle();
  CHECK(nobody->unknowns == 1);
  CHECK_FALSE(nobody->progress.has_value());
  CHECK_FALSE(look_at(g.hub, game_id{77}));
  CHECK_FALSE(replay_of(g.hub, game_id{77}));
  CHECK_FALSE(replay_of(g.hub, g.game));
}

TEST_CASE("spectator_service: a stopped watcher receives nothing, a paused one the rest later") {
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

TEST_CASE(
    "spectator_service: removes a feed without watchers after a while, and can create it again") {
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

TEST_CASE("spectator_service: shows a game as it stands, and a seat what it may do") {
  watched_game g;
  g.put(*g.ann, 4);
  const auto seen = look_at(g.hub, g.game, {}, 1);
  REQUIRE(seen.has_value());
  CHECK(seen->progress.status == game_status::running);
  CHECK(seen->progress.last == 4);
  CHECK(seen->position.cells == "----X----");
  CHECK(seen->position.rows == 3);
  CHECK(seen->position.to_move == only(1));
  CHECK(seen->position.document.starts_with("{"));
  CHECK(seen->actions.empty());
  CHECK(seen->visits.size() == 2);
  const auto mine = look_at(g.hub, g.game, 1);
  CHECK(mine->actions.size() == 8);
  CHECK(mine->actions.front().cell == 0);
  CHECK_FALSE(mine->actions.front().text.empty());
  CHECK(mine->position.document.starts_with("{"));
  CHECK(look_at(g.hub, g.game, 0)->actions.empty());
  CHECK(look_at(g.hub, g.game, 7)->position.document == seen->position.document);
  g.journal.be_late(true);
  g.put(*g.bob, 0);
  bool told = false;
  g.hub.runtime().spectators_for(0).query_snapshot(g.game, {}, [&](auto found) {
    told = true;
    CHECK(found->position.cells == "O---X----");
  });
  g.hub.settle();
  CHECK_FALSE(told);
  g.journal.be_late(false), g.hub.settle();
  CHECK(told);
  g.ann->submit(leave{g.game}), g.hub.settle();
  const auto over = look_at(g.hub, g.game, 1);
  CHECK(over->progress.status == game_status::ended);
  CHECK(over->position.outcome->winner == 1);
  CHECK(over->position.cells == "O---X----");
  CHECK(over->actions.empty());
}

TEST_CASE("spectator_service: says how long a turn may last, and what is left of it") {
  using namespace std::chrono_literals;
  test_hub hub{{.settings = {30s, 0s, 0s, 100, 100, 60s}}};
  const auto c = hub.connect(test_hub::cells_wire);
  c->submit(seek_engine());
  hub.settle();
  REQUIRE(c->last<started>() != nullptr);
  const auto game = c->events.back().game;
  hub.advance(10s);
  const auto seen = look_at(hub, game);
  CHECK(seen->turn_time == 30s);
  CHECK(seen->turn_left == 20s);
  c->submit(leave{});
  hub.settle();
  CHECK(look_at(hub, game)->turn_time == 0s);
}

TEST_CASE(
    "spectator_service: lists what waits, runs and has ended, the newest first, page by page") {
  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
  std::vector<std::shared_ptr<test_client>> players;
  const auto seat = [&](intent what) {
    players.push_back(hub.connect(test_hub::cells_wire));
    players.back()->submit(std::move(what)), hub.settle();
    return players.back()->events.back().game;
  };
  std::vector<game_id> games;
  for (int i = 0; i < 7; ++i) {
    const auto engine = i % 2 == 0 ? "tictactoe" : "connect-four";
    games.push_back(seat(seek_engine(engine)));
    if (i < 4) players.back()->submit(leave{games.back()}), hub.settle();
  }
  games.push_back(seat(seek_reserving()));
  const auto page = [&](list_query what) {
    std::optional<game_page> got;
    hub.runtime().spectators_for(1).list(what, [&](game_page p) { got = std::move(p); });
    CHECK_FALSE(got.has_value());
    hub.settle();
    REQUIRE(got.has_value());
    return *got;
  };
  const auto ids = [](const game_page& p) {
    std::vector<game_id> out;
    for (const auto& g : p.games) out.push_back(g.progress.game->id);
    return out;
  };
  const std::vector<game_id> newest(games.rbegin(), games.rend());
  const auto all = page({});
  CHECK(ids(all) == newest);
  CHECK_FALSE(all.next);
  CHECK(all.games[0].progress.status == game_status::waiting);
  CHECK(all.games[1].progress.status == game_status::running);
  CHECK(all.games[1].progress.game->players.size() == 2);
  CHECK(all.games.back().progress.status == game_status::ended);
  CHECK(all.games.back().outcome->winner == 1);
  for (std::size_t limit = 1; limit <= 9; ++limit) {
    CAPTURE(limit);
    std::vector<game_id> seen;
    list_query next{"", {}, {}, limit};
    do {
      const auto part = page(next);
      CHECK(part.games.size() <= limit);
      for (const auto id : ids(part)) seen.push_back(id);
      next.before = part.next;
    } while (next.before);
    CHECK(seen == newest);
  }
  CHECK(ids(page({"connect-four", {}, {}, 50})) ==
        std::vector<game_id>{games[5], games[3], games[1]});
  CHECK(ids(page({"", game_status::running, {}, 50})) ==
        std::vector<game_id>{games[6], games[5], games[4]});
  CHECK(ids(page({"tictactoe", game_status::ended, {}, 50})) ==
        std::vector<game_id>{games[2], games[0]});
  CHECK(page({"chess", {}, {}, 50}).games.empty());
}

TEST_CASE("spectator_service: lists show waiting and running games however many newer ones ended") {
  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
  std::vector<std::shared_ptr<test_client>> players;
  const auto seat = [&](intent what) {
    players.push_back(hub.connect(test_hub::cells_wire));
    players.back()->submit(std::move(what)), hub.settle();
    return players.back()->events.back().game;
  };
  const auto old_four = seat(seek_engine("connect-four"));
  players.back()->submit(leave{old_four}), hub.settle();
  const auto waits = seat(seek_reserving()), runs = seat(seek_engine("connect-four"));
  const auto ended = [&](int count) {
    const auto c = hub.connect(test_hub::cells_wire);
    for (int i = 0; i < count; ++i) {
      c->submit(seek_engine("tictactoe")), hub.settle();
      c->submit(leave{c->events.back().game}), hub.settle();
    }
    c->disconnect(), hub.settle();
  };
  const auto page = [&](const list_query& what) {
    std::optional<game_page> got;
    hub.runtime().spectators_for(1).list(what, [&](game_page p) { got = std::move(p); });
    hub.settle();
    REQUIRE(got.has_value());
    std::vector<game_id> ids;
    for (const auto& g : got->games) ids.push_back(g.progress.game->id);
    return std::pair{ids, got->next};
  };
  using first_page = std::pair<std::vector<game_id>, game_id>;
  for (int i = 0; i < 2; ++i) {
    ended(250);
    CHECK(page({"", game_status::waiting, {}, 1}) == first_page{{waits}, {}});
    CHECK(page({"", game_status::running, {}, 20}) == first_page{{runs}, {}});
    CHECK(page({"connect-four", {}, {}, 20}) == first_page{{runs, old_four}, {}});
    CHECK(page({"connect-four", {}, {}, 1}) == first_page{{runs}, runs});
    CHECK(page({"connect-four", game_status::ended, {}, 1}) == first_page{{old_four}, {}});
    CHECK(page({"", {}, {}, 20}).first.size() == 20);
  }
}

TEST_CASE("spectator_service: closed games do not shorten the list of running ones") {
  test_hub hub;
  std::vector<std::shared_ptr<test_client>> players;
  const auto sit = [&](seek what) {
    what.seat_at_once = what.reserve_game = true;
    players.push_back(hub.connect(test_hub::cells_wire));
    players.back()->submit(std::move(what)), hub.settle();
    return players.back()->last<placed>()->invitation;
  };
  players.push_back(hub.connect(test_hub::cells_wire));
  players.back()->submit(seek_engine()), hub.settle();
  const auto open = players.back()->events.back().game;
  for (int i = 0; i < 5; ++i) {
    seek closed, joins;
    closed.engines = {"tictactoe"};
    closed.closed = true;
    joins.invitation = sit(closed);
    sit(joins);
  }
  CHECK(hub.games_started() == 6);
  std::optional<game_page> got;
  hub.runtime().spectators_for(0).list({"", game_status::running, {}, 2},
                                       [&](game_page p) { got = std::move(p); });
  hub.settle();
  REQUIRE(got);
  REQUIRE(got->games.size() == 1);
  CHECK(got->games.front().progress.game->id == open);
  CHECK_FALSE(got->next);
}

TEST_CASE("spectator_service: what is told live is what the log tells, for every engine") {
  for (const auto* engine : {"tictactoe", "connect-four", "gomoku", "othello", "nim", "kuhn-poker",
                             "rock-paper-scissors"}) {
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
    for (int i = 0; i < 400 && live->ends == 0; ++i)
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

TEST_CASE("spectator_service: a game that goes on after a kill is watched on from where it was") {
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

TEST_CASE("spectator_service: the loop of an engine process replays its games") {
  const distant_engine far{spoiled_engine("tictactoe", "far-shown", [](auto&) {})};
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::cells_wire);
  x->submit(seek_once("far-shown")), hub.settle();
  o->submit(seek_once("far-shown")), hub.settle();
  const auto game = o->events.back().game;
  const auto live = onlooker::of(hub.runtime().spectators_for(0), game);
  const auto asked = far.by.asked;
  while (hub.step(0)) continue;
  CHECK(far.by.asked == asked);
  hub.settle();
  x->submit(play_cell(4)), hub.settle();
  CHECK(live->updates.back()->then->cells == "----X----");
  CHECK(look_at(hub, game, 1)->actions.size() == 8);
  o->submit(leave{}), hub.settle();
  CHECK(live->ends == 1);
  CHECK(lines_of(replay_of(hub, game)->updates) == live->lines());
  // Without its process the log tells what it can.
  far.by.stop();
  const auto bare = replay_of(hub, game);
  REQUIRE(bare.has_value());
  CHECK(bare->updates.size() == live->updates.size());
  CHECK(bare->updates[3]->text == "4");
  CHECK(bare->updates[3]->then == nullptr);
  CHECK(bare->updates.back()->then->outcome->winner == 0);
}

TEST_CASE("spectator_service: a move with any number of watchers takes one application") {
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

TEST_CASE("spectator_service: an update goes to all watchers before the next one") {
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

TEST_CASE("spectator_service: an engine that fails at the end is told from the log") {
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

TEST_CASE("spectator_service: who reads gets the clock of now, and later that of each change") {
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

TEST_CASE("spectator_service: a paused reader gets the present state once, and the latest") {
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

TEST_CASE("spectator_service: the clock and the moves are told after the commit, with full time") {
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

TEST_CASE(
    "spectator_service: chat that waits for its commit gives the player to move no more time") {
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

TEST_CASE("spectator_service: a player reads its own view, live and replayed, after a fold too") {
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
