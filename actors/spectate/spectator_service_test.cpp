#include "actors/spectate/spectator_service.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/direct_line.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/watched_game.hpp"

#include <deque>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

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

TEST_CASE("spectator_service: what needs a log waits while too many logs are to be read") {
  watched_game g;
  g.play_to_the_end();
  auto& service = g.hub.runtime().spectators_for(0);
  CHECK_FALSE(service.busy());
  g.journal.refuses_reads = true;
  CHECK(service.busy());
  std::optional<std::optional<game_replay>> replay;
  std::optional<std::optional<game_snapshot>> snapshot;
  std::optional<game_page> page;
  service.replay(g.game, {}, [&](auto found) { replay = std::move(found); });
  service.query_snapshot(g.game, {}, [&](auto found) { snapshot = std::move(found); });
  service.list({}, [&](game_page found) { page = std::move(found); });
  const auto reader = g.watch();
  g.hub.advance(1s);
  CHECK_FALSE(replay.has_value());
  CHECK_FALSE(snapshot.has_value());
  CHECK_FALSE(page.has_value());
  CHECK(reader->unknowns == 0);
  g.journal.refuses_reads = false;
  // The timers run in the last iteration of advance(), and post what they read.
  g.hub.advance(1s), g.hub.settle();
  REQUIRE(replay.has_value());
  CHECK(replay->has_value());
  REQUIRE(snapshot.has_value());
  CHECK(snapshot->has_value());
  REQUIRE(page.has_value());
  CHECK(page->games.size() == 1);
  CHECK(reader->ends == 1);
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

TEST_CASE("spectator_service: a waiting game has its start position (M13)") {
  test_hub hub{{.loops = 2}};
  const auto begins = [&](const char* engine, const char* options) {
    auto ask = seek_reserving(engine);
    std::get<seek>(ask).options = {options};
    const auto host = hub.connect(test_hub::cells_wire);
    host->submit(std::move(ask)), hub.settle();
    auto found = look_at(hub, host->events.back().game, 0, 1);
    REQUIRE(found.has_value());
    CHECK(found->progress.status == game_status::waiting);
    CHECK(found->position.to_move == 0);
    CHECK(found->actions.empty());
    return found->position;
  };
  const auto discs = begins("othello", "");
  CHECK(discs.rows == 8);
  CHECK(discs.cells.substr(27, 2) == "OX");
  CHECK(discs.cells.substr(35, 2) == "XO");
  CHECK(discs.score == std::vector{2.0, 2.0});
  CHECK_THAT(begins("nim", R"({"heaps":3})").document,
             Catch::Matchers::Contains(R"("heaps":[1,3,5])"));
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

TEST_CASE("spectator_service: the loop of an engine process replays its games") {
  const distant_engine far{spoiled_engine("tictactoe", "far-shown", [](auto&) {})};
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::cells_wire);
  x->submit(seek_reserving("far-shown")), hub.settle();
  CHECK(look_at(hub, x->events.back().game)->position.cells == "---------");
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

TEST_CASE("spectator_service: an iteration replays one part of one log, whatever was asked for") {
  watched_game g;
  constexpr int records = 300, asked = 5;
  for (int i = 0; i < records; ++i) g.bob->submit(chat{g.game, "hm"}), g.hub.settle();
  g.play_to_the_end();
  auto& service = g.hub.runtime().spectators_for(0);
  int answered = 0, steps = 0;
  for (int i = 0; i < asked; ++i)
    service.replay(g.game, {}, [&](const std::optional<game_replay>& found) {
      ++answered;
      CHECK(found->updates.size() > records);
    });
  for (int before = 0; answered < asked; ++steps, before = answered) {
    REQUIRE(steps < asked * records);
    g.hub.step(0);
    CHECK(answered - before <= 1);
  }
  constexpr int records_at_once = 20;
  CHECK(steps >= asked * records / records_at_once);
}

TEST_CASE("spectator_service: 16 replays are in memory at once, and the others wait") {
  watched_game g;
  g.play_to_the_end();
  auto& service = g.hub.runtime().spectators_for(0);
  constexpr std::size_t asked = 40, at_once = 16;
  std::deque<game_replay> held;
  std::size_t answered = 0;
  for (std::size_t i = 0; i < asked; ++i)
    service.replay(g.game, {}, [&](std::optional<game_replay> found) {
      ++answered;
      held.push_back(*std::move(found));
    });
  g.hub.settle();
  CHECK(answered == at_once);
  held.pop_front(), g.hub.settle();
  CHECK(answered == at_once + 1);
  // What was made from a replay keeps its place.
  const auto place = held.front().place;
  held.pop_front(), g.hub.settle();
  CHECK(answered == at_once + 1);
  while (answered < asked) held.clear(), g.hub.settle();
  CHECK(answered == asked);
}

TEST_CASE("spectator_service: an unknown game gives the place of its replay back") {
  watched_game g;
  auto& service = g.hub.runtime().spectators_for(0);
  int answered = 0;
  for (int i = 0; i < 40; ++i)
    service.replay(game_id{999}, {}, [&](const std::optional<game_replay>& found) {
      ++answered;
      CHECK_FALSE(found.has_value());
    });
  g.hub.settle();
  CHECK(answered == 40);
}

TEST_CASE("spectator_service: is busy while too many replays wait") {
  watched_game g;
  auto& service = g.hub.runtime().spectators_for(0);
  constexpr int places = 16, waiting = 1024;
  int answered = 0;
  for (int i = 0; i < places + waiting; ++i) {
    CHECK_FALSE(service.busy());
    service.replay(g.game, {}, [&](const std::optional<game_replay>&) { ++answered; });
  }
  CHECK(service.busy());
  g.hub.settle();
  CHECK_FALSE(service.busy());
  CHECK(answered == places + waiting);
}

TEST_CASE("spectator_service: an iteration reads few logs of a list") {
  test_hub hub;
  const auto c = hub.connect(test_hub::cells_wire);
  constexpr int games = 60;
  for (int i = 0; i < games; ++i) {
    c->submit(seek_engine("tictactoe")), hub.settle();
    c->submit(leave{c->events.back().game}), hub.settle();
  }
  std::optional<game_page> got;
  int steps = 0;
  hub.runtime().spectators_for(0).list({"", game_status::ended, {}, games},
                                       [&](game_page p) { got = std::move(p); });
  for (; !got; ++steps) {
    REQUIRE(steps < 100 * games);
    hub.step(0);
  }
  CHECK(got->games.size() == games);
  CHECK(steps >= games / 10);
}
