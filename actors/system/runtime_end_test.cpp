// How games end: by the clock, the drain, a fault; and what a journal that commits late holds back.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

#include <set>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

intent say_word(std::string word) { return play{{}, {move::form::word, 0, std::move(word)}}; }

// Two clients at one table of the engine, the first in the first seat.
struct ending_table {
  explicit ending_table(test_hub_options o, const std::string& engine = "tictactoe",
                        std::size_t wire = test_hub::cells_wire)
      : hub(o) {
    x = hub.connect(wire, 0);
    o_ = hub.connect(test_hub::documents_wire, hub.loop_count() - 1);
    x->submit(seek_once(engine)), hub.settle();
    o_->submit(seek_once(engine)), hub.settle();
  }
  std::optional<outcome> end(const test_client& c) const {
    const auto* p = c.last_position();
    return p == nullptr ? std::nullopt : p->outcome;
  }

  test_hub hub;
  std::shared_ptr<test_client> x, o_;
};

std::int64_t finished(const test_hub& hub, std::string_view engine, metrics::result r,
                      end_reason why) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hub.loop_count(); ++i)
    sum += hub.cells(i)
               .engines[hub.engine(engine)]
               .games_finished[static_cast<std::size_t>(r)][static_cast<std::size_t>(why)]
               .value();
  return sum;
}

std::int64_t games_failed(const test_hub& hub) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hub.loop_count(); ++i) sum += hub.cells(i).loop.games_failed.value();
  return sum;
}

// A hub on a late journal. Whatever a test leaves uncommitted is committed before it goes.
struct late_table {
  late_table() : t{{.loops = 2, .settings = {10s, 0s, 0s, 100, 100}, .log = &log}} {}
  ~late_table() { log.be_late(false); }
  void commit_all() {
    log.commit_all();
    t.hub.settle();
  }

  late_journal log;
  ending_table t;
};

}  // namespace

TEST_CASE("runtime: each turn has a time limit, and the player who exceeds it loses") {
  ending_table t{{.loops = GENERATE(1, 2), .settings = {10s, 0s, 0s, 100, 100}}};
  t.hub.advance(9s);
  t.x->submit(play_cell(0)), t.hub.settle();
  t.hub.advance(9s);
  CHECK_FALSE(t.end(*t.x).has_value());
  // A refused move gains no time.
  t.o_->submit(say_word("nonsense")), t.hub.settle();
  t.hub.advance(1s);
  for (const auto& c : {t.x, t.o_}) {
    REQUIRE(t.end(*c).has_value());
    CHECK(t.end(*c)->winner == 0);
    CHECK(t.end(*c)->reason == end_reason::clock);
  }
  CHECK(finished(t.hub, "tictactoe", metrics::result::first, end_reason::clock) == 1);
  t.hub.advance(1h);
  CHECK(t.hub.actors_running() == 2);
}

TEST_CASE("runtime: without a turn time a game waits for ever") {
  ending_table t{{.settings = {0s, 0s, 0s, 100, 100}}};
  t.hub.advance(2h);
  CHECK_FALSE(t.end(*t.x).has_value());
}

TEST_CASE(
    "runtime: the player who chose in time wins a simultaneous turn; without a choice there is no "
    "result") {
  ending_table t{{.loops = 2, .settings = {10s, 0s, 0s, 100, 100}}, "rock-paper-scissors"};
  const auto one_chose = GENERATE(true, false);
  t.hub.advance(5s);
  if (one_chose) t.x->submit(say_word("rock")), t.hub.settle();
  // The other's choice starts no new clock.
  t.hub.advance(5s);
  REQUIRE(t.end(*t.x).has_value());
  CHECK(t.end(*t.x)->reason == end_reason::clock);
  CHECK(t.end(*t.x)->winner ==
        (one_chose ? std::optional<seat_index>{0} : std::optional<seat_index>{}));
  CHECK(t.end(*t.o_)->winner == t.end(*t.x)->winner);
}

TEST_CASE("runtime: both choose in one turn, in either order, and see each other's only then") {
  ending_table t{{.loops = 2}, "rock-paper-scissors", test_hub::documents_wire};
  const auto x_first = GENERATE(true, false);
  const auto& early = x_first ? t.x : t.o_;
  const auto& late = x_first ? t.o_ : t.x;
  late->clear_events();
  early->submit(say_word("rock")), t.hub.settle();
  for (const auto& e : late->events)
    if (const auto* p = std::get_if<position_ref>(&e.what))
      CHECK((*p)->document.find("rock") == std::string::npos);
  late->submit(say_word("paper")), t.hub.settle();
  REQUIRE(t.end(*t.x).has_value());
  CHECK(t.end(*t.x)->winner == (x_first ? 1 : 0));
  CHECK(early->last_position()->document.find("paper") != std::string::npos);
  CHECK(early->pending_replies + late->pending_replies == 0);
}

TEST_CASE("runtime: nothing that a player is told depends on the other's hidden card") {
  // By own card, all that was shown to that seat; the same play in every deal.
  std::map<std::pair<seat_index, std::string>, std::set<std::string>> seen;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    late_journal log{false};
    ending_table t{{.seed = seed, .log = &log}, "kuhn-poker", test_hub::documents_wire};
    for (const auto& [who, word] : {std::pair{t.x, "pass"}, {t.o_, "bet"}, {t.x, "pass"}})
      who->submit(say_word(word)), t.hub.settle();
    REQUIRE(t.end(*t.x).has_value());
    const auto records = log.read(t.x->events.back().game, 0);
    for (seat_index seat : {0, 1}) {
      std::string all;
      for (const auto& e : (seat == 0 ? t.x : t.o_)->events)
        if (const auto* p = std::get_if<position_ref>(&e.what)) all += (*p)->document + '\n';
      seen[{seat, std::to_string(records[3 + static_cast<std::size_t>(seat)].action)}].insert(all);
    }
  }
  REQUIRE(seen.size() == 6);
  for (const auto& [who, shown] : seen) CHECK(shown.size() == 1);
}

TEST_CASE(
    "runtime: a drain closes waiting clients immediately and playing ones after their games") {
  ending_table t{{.loops = 2}};
  const auto waits = t.hub.connect(test_hub::documents_wire, 1);
  const auto silent = t.hub.connect(test_hub::cells_wire, 0);
  waits->submit(seek_again({"connect-four"})), t.hub.settle();
  int drained = 0;
  t.hub.runtime().begin_drain([&] { ++drained; });
  t.hub.settle();
  CHECK(waits->closed == close_reason::draining);
  CHECK(silent->closed == close_reason::draining);
  CHECK_FALSE(t.x->closed.has_value());
  const auto late = t.hub.connect(test_hub::cells_wire);
  CHECK_FALSE(late->connected());
  CHECK(late->closed == close_reason::draining);
  t.x->submit(play_cell(0)), t.hub.settle();
  CHECK(t.x->pending_replies == 0);
  CHECK(drained == 0);
  t.o_->submit(leave{}), t.hub.settle();
  CHECK(t.end(*t.x)->winner == 0);
  CHECK(t.x->closed == close_reason::draining);
  CHECK(t.o_->closed == close_reason::draining);
  CHECK(drained == 1);
  CHECK(t.hub.sessions_open() == 0);
  CHECK(t.hub.actors_running() == 0);
}

TEST_CASE("runtime: a drain seats no further players, including standing seeks") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  const auto b = hub.connect(test_hub::cells_wire);
  a->submit(seek_again({"tictactoe"}, 3)), hub.settle();
  b->submit(seek_once()), hub.settle();
  hub.runtime().begin_drain({});
  hub.settle();
  a->submit(seek_once()), hub.settle();
  REQUIRE(a->last<refused>() != nullptr);
  CHECK(a->last<refused>()->why == refusal::draining);
  CHECK_FALSE(a->closed.has_value());
  b->submit(leave{}), hub.settle();
  hub.advance(5s);
  CHECK(hub.games_started() == 1);
  CHECK(a->closed == close_reason::draining);
}

TEST_CASE("runtime: an empty hub is drained at once, and says so once") {
  test_hub hub{{.loops = 2}};
  int drained = 0;
  hub.runtime().begin_drain([&] { ++drained; });
  hub.settle();
  CHECK(drained == 1);
  hub.advance(10s);
  CHECK(drained == 1);
}

TEST_CASE("runtime: games that are ended have no result, and their players are notified") {
  ending_table t{{.loops = 2}};
  const auto why = GENERATE(end_reason::drained, end_reason::operator_);
  t.hub.runtime().end_games(why), t.hub.settle();
  for (const auto& c : {t.x, t.o_}) {
    REQUIRE(t.end(*c).has_value());
    CHECK(t.end(*c)->reason == why);
    CHECK_FALSE(t.end(*c)->winner.has_value());
    CHECK_FALSE(t.end(*c)->draw());
  }
  CHECK(finished(t.hub, "tictactoe", metrics::result::none, why) == 1);
  CHECK(t.hub.actors_running() == 2);
}

TEST_CASE(
    "runtime: an engine that fails at a move ends its game, answers the mover and kills no other") {
  late_journal log{false};
  ending_table t{{.loops = 2, .log = &log, .more_engines = {engine_that_fails_at_cell_8()}},
                 "fails-at-8"};
  const auto a = t.hub.connect(test_hub::cells_wire, 0), b = t.hub.connect(test_hub::cells_wire, 1);
  a->submit(seek_once()), t.hub.settle();
  b->submit(seek_once()), t.hub.settle();
  const auto game = t.x->events.back().game;
  t.x->submit(play_cell(8)), t.hub.settle();
  for (const auto& c : {t.x, t.o_}) {
    REQUIRE(t.end(*c).has_value());
    CHECK(t.end(*c)->reason == end_reason::failed);
    CHECK_FALSE(t.end(*c)->winner.has_value());
    CHECK(c->pending_replies == 0);
  }
  CHECK(games_failed(t.hub) == 1);
  CHECK(finished(t.hub, "fails-at-8", metrics::result::none, end_reason::failed) == 1);
  REQUIRE_FALSE(log.read(game, 0).empty());
  CHECK(log.read(game, 0).back().what == journal::record::kind::ended);
  CHECK(log.read(game, 0).back().why == end_reason::failed);
  a->submit(play_cell(0)), t.hub.settle();
  CHECK(b->last_position()->cells.empty() == false);
  // Its players may play on, with others or with each other.
  t.x->submit(seek_once()), t.o_->submit(seek_once());
  t.hub.settle();
  CHECK(t.hub.games_started() == 3);
  CHECK(t.hub.actors_running() == 4 + 2);
}

TEST_CASE("runtime: an engine that fails to show the end has ended the game all the same") {
  late_journal log{false};
  ending_table t{{.log = &log, .more_engines = {engine_that_fails_at_the_end()}},
                 "fails-at-the-end",
                 test_hub::documents_wire};
  const auto game = t.x->events.back().game;
  const auto square = [&](int cell) {
    return play_document(R"({"type":"move","row":)" + std::to_string(cell / 3) + R"(,"column":)" +
                             std::to_string(cell % 3) + "}",
                         game);
  };
  for (const int cell : {0, 3, 1, 4, 2}) {
    (cell < 3 ? t.x : t.o_)->submit(square(cell));
    t.hub.settle();
  }
  for (const auto& c : {t.x, t.o_}) {
    REQUIRE(t.end(*c).has_value());
    CHECK(t.end(*c)->winner == 0);
    CHECK(c->pending_replies == 0);
  }
  CHECK(log.read(game, 0).back().what == journal::record::kind::ended);
  CHECK(log.open_games().empty());
  CHECK(t.hub.actors_running() == 2);
}

TEST_CASE(
    "runtime: an engine that fails to begin costs its players their wait, not the hub its lobby") {
  bool broken = false;
  test_hub hub{{.more_engines = {engine_that_fails_to_begin(broken)}}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::documents_wire);
  x->submit(seek_once("fails-to-begin"));
  hub.settle();
  broken = true;
  o->submit(seek_again({"fails-to-begin"}));
  hub.settle();
  for (const auto& c : {x, o}) {
    REQUIRE(c->last<refused>() != nullptr);
    CHECK(c->last<refused>()->why == refusal::engine_failed);
    CHECK(c->pending_replies == 0);
  }
  CHECK(hub.games_started() == 0);
  // Both are free to play something that works.
  x->submit(seek_once());
  o->submit(seek_again({"tictactoe"}));
  hub.settle();
  CHECK(hub.games_started() == 1);
}

TEST_CASE("runtime: an engine that fails at the start ends its game before it began") {
  late_journal log{false};
  ending_table t{{.loops = 2, .log = &log, .more_engines = {engine_that_fails_at_the_start()}},
                 "fails-at-the-start"};
  for (const auto& c : {t.x, t.o_}) {
    REQUIRE(t.end(*c).has_value());
    CHECK(t.end(*c)->reason == end_reason::failed);
    CHECK(c->pending_replies == 0);
  }
  CHECK(log.open_games().empty());
  CHECK(t.hub.actors_running() == 2);
}

TEST_CASE("late journal: nothing is told before its commit, and then in order") {
  late_table l;
  auto& t = l.t;
  CHECK(t.x->last<started>() == nullptr);
  CHECK(t.x->last_position() == nullptr);
  // That they wait is no matter of the game's log.
  CHECK(t.x->last<placed>() != nullptr);
  l.commit_all();
  REQUIRE(t.x->events.size() == 3);
  CHECK(std::holds_alternative<started>(t.x->events[1].what));
  t.x->clear_events(), t.o_->clear_events();
  t.x->submit(play_cell(0)), t.hub.settle();
  // The refusal follows from an uncommitted move and must not reveal it.
  t.x->submit(play_cell(1)), t.hub.settle();
  CHECK(t.x->events.empty());
  CHECK(t.o_->events.empty());
  CHECK(t.x->pending_replies == 2);
  l.commit_all();
  REQUIRE(t.x->events.size() == 2);
  CHECK(t.x->events[0].answers.ticket == 2);
  CHECK(std::holds_alternative<position_ref>(t.x->events[0].what));
  CHECK(t.x->events[1].answers.ticket == 3);
  CHECK(std::holds_alternative<refused>(t.x->events[1].what));
  REQUIRE(t.o_->events.size() == 1);
  // With nothing uncommitted a refusal waits for nothing.
  t.x->submit(play_cell(2)), t.hub.settle();
  CHECK(t.x->pending_replies == 0);
}

TEST_CASE("late journal: commits up to a number release what follows from it and no more") {
  late_table l;
  auto& t = l.t;
  l.commit_all();
  const auto game = t.x->events.back().game;
  t.x->clear_events(), t.o_->clear_events();
  t.x->submit(play_cell(0)), t.hub.settle();
  t.o_->submit(play{game, {move::form::document, 0, R"({"type":"move","row":2,"column":2})"}});
  t.hub.settle();
  l.log.commit(game, 4), t.hub.settle();
  CHECK(t.x->events.size() == 1);
  CHECK(t.x->last_position()->number == 4);
  CHECK(t.o_->events.size() == 1);
  l.log.commit(game, 5), t.hub.settle();
  CHECK(t.x->last_position()->number == 5);
  CHECK(t.o_->events.size() == 2);
}

TEST_CASE("late journal: a commit is told at once, and behind what the game has not handled") {
  late_journal log;
  ending_table t{{.log = &log}};
  const auto commit_all = [&] { log.commit_all(), t.hub.settle(); };
  commit_all();
  const auto ran = [&] { return t.hub.cells(0).loop.actors_resumed.value(); };
  t.x->clear_events(), t.o_->clear_events();
  t.x->submit(play_cell(0)), t.hub.settle();
  const auto before = ran();
  commit_all();
  CHECK(ran() == before);
  CHECK(t.x->events.size() == 1);
  CHECK(t.o_->events.size() == 1);
  // A refusal that follows from a move is behind it, also if the game gets both in one turn.
  t.o_->submit(play_cell(4)), t.hub.settle();
  t.o_->submit(play_cell(5));
  commit_all();
  REQUIRE(t.o_->events.size() == 3);
  CHECK(std::holds_alternative<position_ref>(t.o_->events[1].what));
  CHECK(std::holds_alternative<refused>(t.o_->events[2].what));
  log.be_late(false);
}

TEST_CASE("late journal: a game ends only after its last commit, also without its players") {
  late_table l;
  auto& t = l.t;
  l.commit_all();
  t.x->disconnect(), t.hub.settle();
  CHECK_FALSE(t.end(*t.o_).has_value());
  CHECK(t.hub.actors_running() == 2);
  l.commit_all();
  REQUIRE(t.end(*t.o_).has_value());
  CHECK(t.end(*t.o_)->winner == 1);
  CHECK(t.hub.actors_running() == 1);
}

TEST_CASE("late journal: both go while nothing is committed, and the game waits for it alone") {
  late_table l;
  auto& t = l.t;
  t.x->disconnect(), t.o_->disconnect(), t.hub.settle();
  CHECK(t.hub.sessions_open() == 0);
  CHECK(t.hub.actors_running() == 1);
  l.commit_all();
  CHECK(t.hub.actors_running() == 0);
  CHECK(l.log.open_games().empty());
}

TEST_CASE("late journal: the clock waits until the player has heard of its turn") {
  late_table l;
  auto& t = l.t;
  t.hub.advance(30s);
  CHECK(t.x->last_position() == nullptr);
  l.commit_all();
  CHECK_FALSE(t.end(*t.x));
  t.hub.advance(10s);
  l.commit_all();
  REQUIRE(t.end(*t.x).has_value());
  CHECK(t.end(*t.x)->reason == end_reason::clock);
  CHECK(t.end(*t.x)->winner == 1);
}

TEST_CASE("late journal: a player who leaves is answered, though an engine plays on meanwhile") {
  late_journal log;
  test_hub hub{{.log = &log}};
  const auto commit_all = [&] {
    while (!log.pending().empty()) log.commit_all(), hub.settle();
  };
  std::vector<std::shared_ptr<test_client>> players;
  for (int i = 0; i < 3; ++i) {
    players.push_back(hub.connect(test_hub::documents_wire));
    players.back()->submit(seek_once("dots-and-boxes")), hub.settle();
  }
  commit_all();
  auto& first = *players.front();
  const auto game = first.events.back().game;
  const auto before = log.committed(game);
  // The engine that takes the seat over moves at once: two records more.
  first.submit(leave{game}), hub.settle();
  first.submit(say_word("nonsense")), hub.settle();
  CHECK(first.pending_replies == 2);
  log.commit(game, before + 1), hub.settle();
  REQUIRE(log.committed(game) == before + 1);
  CHECK(first.pending_replies == 1);
  commit_all();
  CHECK(first.pending_replies == 0);
  log.be_late(false);
}

TEST_CASE("late journal: a fault of the engine answers everybody behind what waited") {
  late_journal log;
  {
    ending_table t{{.log = &log, .more_engines = {engine_that_fails_at_cell_8()}}, "fails-at-8"};
    const auto release = [&] { log.commit_all(), t.hub.settle(); };
    release();
    t.x->clear_events();
    t.x->submit(play_cell(0)), t.hub.settle();
    t.o_->submit(play{{}, {move::form::cell, 8, {}}}), t.hub.settle();
    CHECK(t.x->events.empty());
    release();
    REQUIRE(t.x->events.size() == 2);
    CHECK(t.x->events[0].answers.ticket == 2);
    CHECK(t.end(*t.x)->reason == end_reason::failed);
    CHECK(t.x->pending_replies == 0);
    CHECK(t.o_->pending_replies == 0);
    log.be_late(false), t.hub.settle();
  }
}

TEST_CASE("late journal: commits that come from another thread are told on the game's loop") {
  late_table l;
  auto& t = l.t;
  std::thread writer{[&] { l.log.commit_all(); }};
  writer.join();
  CHECK(t.x->last<started>() == nullptr);
  t.hub.settle();
  CHECK(t.x->last<started>() != nullptr);
}
