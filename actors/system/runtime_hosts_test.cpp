// Engines in separate processes: the loop of their games, and their end when such a
// process ends.
#include "actors/system/recovery.hpp"
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/direct_line.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using engines::process::request;

namespace {

// A TicTacToe under this name at the other end of a line.
distant_engine far_away(const std::string& name, std::size_t number = 0,
                        std::size_t processes = 1) {
  return distant_engine{spoiled_engine("tictactoe", name, [](auto&) {}), number, processes};
}

std::shared_ptr<test_client> seeking(test_hub& hub, const std::string& engine,
                                     std::size_t loop = 0) {
  auto c = hub.connect(test_hub::cells_wire, loop);
  c->submit(seek_once(engine)), hub.settle();
  return c;
}

struct pair_of_players {
  pair_of_players(test_hub& hub, const std::string& engine, std::size_t loop = 0)
      : x(seeking(hub, engine, loop)), o(seeking(hub, engine, loop)) {}
  std::shared_ptr<test_client> x, o;
};

std::optional<outcome> outcome_for(const test_client& c) {
  const auto* last = c.last_position();
  return last == nullptr ? std::nullopt : last->outcome;
}

}  // namespace

TEST_CASE("runtime: games of an isolated engine live on its loop and are played like any other") {
  const auto first = far_away("far-a", 0), second = far_away("far-b", 1);
  test_hub hub{{.loops = 2, .engine_loops = 2, .more_engines = {first.rules, second.rules}}};
  pair_of_players a{hub, "far-a", 1}, b{hub, "far-b"}, near{hub, "tictactoe", 1};
  const auto started_on = [&](std::size_t loop, const char* engine) {
    return hub.cells(loop)
        .engines[hub.directory().engines[hub.engine(engine)].kind]
        .games_started.value();
  };
  CHECK(started_on(2, "far-a") == 1);
  CHECK(started_on(3, "far-b") == 1);
  CHECK(started_on(1, "tictactoe") == 1);
  for (const auto* p : {&a, &b}) {
    for (const int cell : {0, 3, 1, 4, 2}) {
      (cell < 3 ? p->x : p->o)->submit(play_cell(cell)), hub.settle();
    }
    REQUIRE(outcome_for(*p->o));
    CHECK(outcome_for(*p->o)->winner == 0);
    CHECK(p->o->last_position()->cells == "XXXOO----");
  }
}

TEST_CASE("runtime: a seek for an isolated engine does not block the lobby") {
  const auto far = far_away("far-quiet");
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  const auto before = far.by.asked;
  const auto x = seeking(hub, "far-quiet");
  auto o = hub.connect(test_hub::cells_wire);
  o->submit(seek_once("far-quiet"));
  // All of the lobby's loop, and nothing of the engine's.
  while (hub.step(0)) continue;
  CHECK(far.by.asked == before);
  hub.settle();
  CHECK(far.by.asked > before);
  CHECK(o->last<started>() != nullptr);
}

TEST_CASE("runtime: a process that ends takes its own games with it, and their players are told") {
  const auto far = far_away("far-lost", 0), other = far_away("far-well", 1);
  test_hub hub{{.loops = 1, .engine_loops = 2, .more_engines = {far.rules, other.rules}}};
  pair_of_players lost{hub, "far-lost"}, well{hub, "far-well"}, near{hub, "tictactoe"};
  lost.x->submit(play_cell(4)), hub.settle();
  far.by.stop();
  hub.runtime().end_games(end_reason::failed, far.rules.host()), hub.settle();
  for (const auto& each : {lost.x, lost.o}) {
    REQUIRE(outcome_for(*each));
    CHECK(outcome_for(*each)->reason == end_reason::failed);
    CHECK_FALSE(outcome_for(*each)->winner);
    // As it was last seen.
    CHECK(each->last_position()->cells == "----X----");
  }
  CHECK(hub.cells(1).loop.games_failed.value() == 1);
  for (const auto* p : {&well, &near}) {
    CHECK_FALSE(outcome_for(*p->x));
    p->x->submit(play_cell(0)), hub.settle();
    CHECK(p->o->last_position()->cells == "X--------");
  }
}

TEST_CASE("runtime: games of an engine are spread over its processes, each with its loop") {
  const auto far = far_away("far-twice", 0, 2);
  test_hub hub{{.loops = 1, .engine_loops = 2, .more_engines = {far.rules}}};
  pair_of_players first{hub, "far-twice"}, second{hub, "far-twice"}, third{hub, "far-twice"};
  const auto kind = hub.directory().engines[hub.engine("far-twice")].kind;
  CHECK(hub.cells(1).engines[kind].games_started.value() == 2);
  CHECK(hub.cells(2).engines[kind].games_started.value() == 1);
  // One process ends, with its own games.
  far.all[0]->stop();
  hub.runtime().end_games(end_reason::failed, far.rules.host()), hub.settle();
  for (const auto* each : {&first, &third}) {
    REQUIRE(outcome_for(*each->x));
    CHECK(outcome_for(*each->x)->reason == end_reason::failed);
  }
  CHECK_FALSE(outcome_for(*second.x));
  second.x->submit(play_cell(4)), hub.settle();
  CHECK(second.o->last_position()->cells == "----X----");
  // Meanwhile new games run in the other one.
  pair_of_players fourth{hub, "far-twice"};
  CHECK(hub.cells(2).engines[kind].games_started.value() == 2);
  CHECK(fourth.x->last<started>() != nullptr);
}

TEST_CASE("runtime: a move that takes the process down ends its game") {
  const auto far = far_away("far-crashes");
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  pair_of_players p{hub, "far-crashes"};
  far.by.before = [&](const request& r) {
    if (r.what == request::kind::play) far.by.stop();
  };
  p.x->submit(play_cell(4)), hub.settle();
  for (const auto& each : {p.x, p.o}) {
    REQUIRE(outcome_for(*each));
    CHECK(outcome_for(*each)->reason == end_reason::failed);
  }
  CHECK(p.x->pending_replies == 0);
}

TEST_CASE("runtime: while its process is down, new games of an engine are refused with a reason") {
  const auto far = far_away("far-down");
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  const auto waits = seeking(hub, "far-down");
  far.by.stop();
  const auto late = seeking(hub, "far-down");
  REQUIRE(late->last<refused>() != nullptr);
  CHECK(late->last<refused>()->why == refusal::engine_restarting);
  CHECK(late->last<refused>()->detail == "is restarting after a failure");
  // Who waited goes on waiting, and meets who comes when it is up again.
  far.by.start();
  const auto next = seeking(hub, "far-down");
  CHECK(next->last<started>() != nullptr);
  CHECK(waits->last<started>() != nullptr);
}

TEST_CASE("runtime: an engine that goes down before its game begins ends that game, told so") {
  const auto far = far_away("far-begins");
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  far.by.before = [&](const request& r) {
    if (r.what == request::kind::create) far.by.stop();
  };
  pair_of_players p{hub, "far-begins"};
  for (const auto& each : {p.x, p.o}) {
    REQUIRE(outcome_for(*each));
    CHECK(outcome_for(*each)->reason == end_reason::failed);
  }
}

TEST_CASE("runtime: the loop of an engine process validates its options") {
  const distant_engine far{spoiled_engine("gomoku", "far-gomoku", [](auto&) {})};
  test_hub hub{{.loops = 1, .engine_loops = 1, .more_engines = {far.rules}}};
  const auto asks = [&](const std::string& options) {
    auto c = hub.connect(test_hub::documents_wire);
    auto what = std::get<seek>(seek_once("far-gomoku"));
    what.options = {options};
    c->submit(what);
    return c;
  };
  const auto before = far.by.asked;
  const auto x = asks(R"({"rows":5,"columns":5})");
  while (hub.step(0)) continue;
  CHECK(far.by.asked == before);
  hub.settle();
  const auto o = asks(R"({"columns":5,"rows":5})");
  hub.settle();
  CHECK(x->last<started>() != nullptr);
  CHECK(o->last<started>() != nullptr);

  const auto wrong = asks(R"({"rows":3,"columns":3,"in_a_row":9})");
  hub.settle();
  REQUIRE(wrong->last<refused>() != nullptr);
  CHECK(wrong->last<refused>()->why == refusal::bad_options);

  // Who gives up meanwhile is not seated later.
  const auto gone = asks(R"({"rows":6})");
  while (hub.step(0)) continue;
  gone->disconnect();
  hub.settle();
  const auto next = asks(R"({"rows":6})");
  hub.settle();
  CHECK(next->last<started>() == nullptr);
}

namespace {

struct listener final : actors::system::recovery_listener {
  void on_progress(std::size_t, std::size_t) override {}
  void on_quarantined(game_id game, const std::string& why) override { out[game] = why; }

  std::map<game_id, std::string> out;
};

// A hub that keeps a journal, and what of two games there is in it when it was killed: in the
// second one X has moved to cell 8.
struct night {
  explicit night(const std::string& engine, std::size_t processes = 1)
      : far(far_away(engine, 0, processes)) {
    late_journal log{false};
    log.be_durable();
    test_hub hub{options(log)};
    for (const int row : {0, 2}) {
      std::shared_ptr<test_client> first;
      for (const auto* name : {"x", "o"}) {
        auto c = hub.connect(test_hub::documents_wire);
        c->submit(sign_in{name, {}}), hub.settle();
        c->submit(seek_once(engine)), hub.settle();
        if (!first) first = c;
      }
      const auto game = first->events.back().game;
      first->submit(play_document(R"({"type":"move","row":)" + std::to_string(row) +
                                      R"(,"column":)" + std::to_string(row) + "}",
                                  game));
      hub.settle();
    }
    left = log.left_behind();
  }

  test_hub_options options(late_journal& log) const {
    return {.loops = 2,
            .engine_loops = static_cast<int>(far.all.size()),
            .log = &log,
            .more_engines = {far.rules}};
  }

  distant_engine far;
  std::unique_ptr<late_journal> left;
};

}  // namespace

TEST_CASE("runtime: games of an isolated engine are brought back to its loop") {
  night after{"far-back"};
  test_hub hub{after.options(*after.left)};
  listener events;
  const auto report = hub.runtime().recover(events);
  hub.settle();
  CHECK(report.restored == 2);
  CHECK(events.out.empty());
  const auto kind = hub.directory().engines[hub.engine("far-back")].kind;
  CHECK(hub.cells(2).engines[kind].games_started.value() == 2);
}

TEST_CASE("runtime: games of an engine with two processes are brought back to both") {
  night after{"far-both", 2};
  after.far.all[1]->stop();
  test_hub hub{after.options(*after.left)};
  listener events;
  CHECK(hub.runtime().recover(events).restored == 2);
  hub.settle();
  const auto kind = hub.directory().engines[hub.engine("far-both")].kind;
  for (const auto loop : {std::size_t{2}, std::size_t{3}})
    CHECK(hub.cells(loop).engines[kind].games_started.value() == 1);
}

TEST_CASE("runtime: a game that takes its engine's process down is put aside, the others are not") {
  night after{"far-poison"};
  int starts = 0;
  after.far.by.before = [&](const request& r) {
    if (r.what == request::kind::apply && r.number == 8) ++starts, after.far.by.stop();
  };
  test_hub hub{after.options(*after.left)};
  listener events;
  const auto report = hub.runtime().recover(events);
  hub.settle();
  CHECK(starts == 1);
  CHECK(report.restored == 1);
  CHECK(report.quarantined == 1);
  REQUIRE(events.out.size() == 1);
  CHECK(events.out.begin()->second == "record 4 the engine failed: the engine has just gone");
  const auto kind = hub.directory().engines[hub.engine("far-poison")].kind;
  CHECK(hub.cells(2).engines[kind].games_started.value() == 1);
  CHECK(hub.cells(2).loop.games_failed.value() == 0);
}

TEST_CASE("runtime: games of an isolated engine that does not start wait for a better day") {
  night after{"far-missing"};
  after.far.by.stop();
  after.far.by.refuses_to_start = true;
  late_journal& log = *after.left;
  test_hub_options options{.loops = 2, .engine_loops = 1, .log = &log};
  test_hub hub{options};
  hub.add_engine(after.far.rules);
  listener events;
  const auto report = hub.runtime().recover(events);
  CHECK(report.restored == 0);
  CHECK(report.without_engine.size() == 2);
  CHECK(events.out.begin()->second ==
        "there is no process of engine far-missing 1.0.0; its log is kept");
  CHECK(log.open_games().size() == 2);
}
