// What a client has shown of itself: what it wants with a prompt, whether it may leave after its
// game without a word, and whether it resumes after a restart.
#include "actors/system/runtime.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

seek standing(client_features features = {}) {
  seek out;
  out.engines = {"tictactoe"};
  out.again = out.may_leave = true;
  out.features = features;
  return out;
}

std::int64_t games_of(const test_client& c) {
  return std::count_if(c.events.begin(), c.events.end(),
                       [](const event& e) { return std::holds_alternative<started>(e.what); });
}

// Two clients that are seated again after each game play, and another one waits.
struct two_and_one {
  explicit two_and_one(std::uint32_t games_max = 1) {
    for (auto* each : {&a, &b}) {
      *each = hub.connect(test_hub::documents_wire);
      auto what = standing();
      what.games_max = games_max;
      (*each)->submit(what), hub.settle();
    }
    REQUIRE(hub.games_started() == 1);
  }
  void another_waits() {
    c = hub.connect(test_hub::cells_wire);
    c->submit(seek_once()), hub.settle();
  }

  test_hub hub;
  std::shared_ptr<test_client> a, b, c;
};

TEST_CASE("runtime: a client that leaves after its game gives the next one no empty game") {
  two_and_one t{GENERATE(1U, 5U)};
  t.a->submit(leave{}), t.hub.settle();
  REQUIRE(t.hub.games_finished() == 1);
  t.another_waits();
  t.a->disconnect(), t.b->disconnect(), t.hub.settle();
  t.hub.advance(2s);
  CHECK(t.hub.games_started() == 1);
  CHECK(games_of(*t.c) == 0);
}

TEST_CASE("runtime: a client that stays after its first game plays on, from then on at once") {
  two_and_one t;
  t.a->submit(leave{}), t.hub.settle();
  t.b->disconnect();
  t.another_waits();
  CHECK(games_of(*t.c) == 0);
  t.hub.advance(limits::stay_pause - 1ms);
  CHECK(games_of(*t.c) == 0);
  t.hub.advance(1ms);
  CHECK(games_of(*t.c) == 1);
  CHECK(games_of(*t.a) == 2);
  t.c->disconnect(), t.hub.settle();
  REQUIRE(t.hub.games_finished() == 2);
  t.another_waits();
  CHECK(games_of(*t.c) == 1);
  CHECK(games_of(*t.a) == 3);
}

TEST_CASE("runtime: a client with further games is not paused when one of them ends") {
  two_and_one t{5};
  t.another_waits();
  REQUIRE(games_of(*t.a) + games_of(*t.b) == 3);
  t.c->disconnect(), t.hub.settle();
  t.another_waits();
  CHECK(games_of(*t.a) + games_of(*t.b) == 4);
}

TEST_CASE("runtime: a client that wants the legal actions gets them with its prompts") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  const auto b = hub.connect(test_hub::documents_wire);
  a->submit(standing({true, true})), hub.settle();
  b->submit(standing({})), hub.settle();
  const auto* now = a->last_position();
  REQUIRE(now->actions.size() == 1);
  CHECK(now->actions[0].seat == 0);
  CHECK(now->actions[0].complete);
  CHECK(now->actions[0].list.starts_with(R"([{"type":"move","row":0,"column":0},)"));
  const auto game = a->last<started>() != nullptr ? a->events.back().game : game_id{};
  a->submit(play_document(R"({"row":9,"column":9})", game)), hub.settle();
  REQUIRE(a->last<refused>() != nullptr);
  REQUIRE(a->last<refused>()->actions != nullptr);
  CHECK(a->last<refused>()->actions->list == now->actions[0].list);
  // Who goes on with wrong moves gets the list no more, until a move was made.
  for (int refusals = 2; refusals <= 6; ++refusals) {
    CAPTURE(refusals);
    a->submit(play_document(R"({"row":9,"column":9})", game)), hub.settle();
    CHECK((a->last<refused>()->actions != nullptr) == (refusals <= 4));
  }
  a->submit(play_document(R"({"row":0,"column":0})", game)), hub.settle();
  // The other one wants none.
  CHECK(b->last_position()->actions.empty());
  b->submit(play_document(R"({"row":9,"column":9})", game)), hub.settle();
  CHECK(b->last<refused>()->actions == nullptr);
  b->submit(play_document(R"({"row":0,"column":1})", game)), hub.settle();
  a->submit(play_document(R"({"row":9,"column":9})", game)), hub.settle();
  CHECK(a->last<refused>()->actions != nullptr);
}

TEST_CASE("runtime: started has the version, the options and the time for a turn") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  const auto b = hub.connect(test_hub::documents_wire);
  for (const auto& each : {a, b}) {
    auto what = standing();
    what.engines = {"gomoku"};
    what.options = {R"({"rows":5,"columns":5})"};
    each->submit(what), hub.settle();
  }
  const auto* begins = b->last<started>();
  REQUIRE(begins != nullptr);
  REQUIRE(begins->terms != nullptr);
  CHECK(begins->terms->version == "1.0.0");
  CHECK(begins->terms->options.find("\"rows\":5") != std::string::npos);
  CHECK(begins->terms->turn_time == 120s);
  CHECK(a->last<started>()->terms == begins->terms);
  CHECK(a->last_position()->clock.left == std::vector<std::chrono::milliseconds>(2, 120s));
  CHECK(a->last_position()->clock.running == only(0));
}

// Two players of a game, of whom the second has shown that it resumes or not, on a durable journal.
struct durable_game {
  explicit durable_game(bool shown) : log(false), hub{{.log = &log}} {
    log.be_durable();
    for (auto* each : {&a, &b}) {
      *each = hub.connect(test_hub::documents_wire);
      const client_features features{false, each == &a || shown};
      (*each)->submit(sign_in{.name = "p", .resume_secret = {}, .features = features}),
          hub.settle();
      (*each)->submit(standing(features)), hub.settle();
    }
    REQUIRE(hub.games_started() == 1);
    hub.runtime().begin_drain([this] { drained = true; }), hub.settle();
  }

  late_journal log;
  test_hub hub;
  std::shared_ptr<test_client> a, b;
  bool drained = false;
};

TEST_CASE(
    "runtime: a drain suspends a game at once if all its clients have shown that they resume") {
  durable_game t{true};
  CHECK(t.drained);
  CHECK(t.hub.games_finished() == 0);
}

TEST_CASE("runtime: a drain leaves a game to the end of its time if a client may not resume") {
  durable_game t{false};
  CHECK_FALSE(t.drained);
  CHECK_FALSE(t.a->closed);
  if (GENERATE(true, false)) {
    t.a->submit(leave{}), t.hub.settle();
    CHECK(t.hub.games_finished() == 1);
  } else {
    // Then the game is suspended all the same: its players may know how to resume.
    t.hub.runtime().end_games(end_reason::drained), t.hub.settle();
    CHECK(t.hub.games_finished() == 0);
  }
  CHECK(t.drained);
  CHECK(t.a->closed == close_reason::draining);
}

}  // namespace
