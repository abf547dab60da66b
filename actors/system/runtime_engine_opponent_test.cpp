// The engine player as an opponent in a whole hub: games against it, its thoughts, its failures,
// and what becomes of it when the hub goes down and comes back.
#include "actors/system/runtime.hpp"
#include "actors/table/engine_opponent.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

std::int64_t engine_moves(const test_hub& hub, std::string_view engine, metrics::effort how) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hub.loop_count(); ++i)
    sum += hub.cells(i)
               .engines[hub.engine(engine)]
               .engine_moves[static_cast<std::size_t>(how)]
               .value();
  return sum;
}

std::int64_t first_free(const position& p) { return static_cast<std::int64_t>(p.cells.find('-')); }

bool to_move(const test_client& c, seat_index seat) {
  const auto* p = c.last_position();
  return p != nullptr && !p->outcome && holds(p->to_move, seat);
}

struct deaf final : actors::system::recovery_listener {
  void on_progress(std::size_t, std::size_t) override {}
  void on_quarantined(game_id, const std::string& why) override { FAIL_CHECK(why); }
};

// Plays the first free cell until the game is over.
void play_out(test_hub& hub, test_client& c, seat_index seat) {
  for (int i = 0; i < 50 && to_move(c, seat); ++i) {
    c.submit(play_cell(first_free(*c.last_position())));
    hub.settle();
  }
}

}  // namespace

TEST_CASE("runtime: a seek against the engine starts immediately, in the requested seat") {
  test_hub hub{{.loops = GENERATE(1, 2)}};
  const seat_index seat = GENERATE(0, 1);
  const auto c = hub.connect(test_hub::cells_wire, hub.loop_count() - 1);
  c->submit(seek_engine("tictactoe", seat));
  hub.settle();
  REQUIRE(c->last<placed>() != nullptr);
  CHECK(c->last<placed>()->seat == seat);
  REQUIRE(c->last<started>() != nullptr);
  CHECK(c->last<started>()->seat == seat);
  CHECK(c->last<started>()->players[static_cast<std::size_t>(1 - seat)] == "engine (perfect)");
  CHECK(to_move(*c, seat));
  play_out(hub, *c, seat);
  REQUIRE(c->last_position()->outcome.has_value());
  CHECK(c->last_position()->outcome->winner != seat);
  CHECK(c->pending_replies == 0);
  CHECK(hub.games_finished() == 1);
  CHECK(engine_moves(hub, "tictactoe", metrics::effort::at_once) > 0);
  CHECK(hub.actors_running() == 1);
}

TEST_CASE("runtime: the engine plays at the requested level") {
  test_hub hub;
  const auto c = hub.connect(test_hub::cells_wire);
  auto wish = std::get<seek>(seek_engine("tictactoe"));
  wish.level = "medium";
  c->submit(wish);
  hub.settle();
  REQUIRE(c->last<started>() != nullptr);
  CHECK(c->last<started>()->players[1] == "engine (medium)");
  c->submit(leave{}), hub.settle();
  wish.level = "godlike";
  c->submit(wish);
  hub.settle();
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::unfit_engine);
  CHECK(c->last<refused>()->detail == "plays itself as random, medium or perfect");
  CHECK(c->pending_replies == 0);
}

TEST_CASE("runtime: a wire's players meet the engine player where its setting says so, that well") {
  test_hub hub{{.opponent = {true, engines::level::random}}};
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(sign_in{"engine (random)", {}});
  c->submit(seek_again({"tictactoe"}, 2));
  hub.settle();
  CHECK(hub.games_started() == 2);
  CHECK(c->last<started>()->players == std::vector<std::string>{"client-1", "engine (random)"});
}

TEST_CASE("runtime: a game with secrets that is too long for a search has the level random alone") {
  const auto is_long = spoiled_engine("rock-paper-scissors", "long-secrets", [](auto& abi) {
    abi.plies_max = engines::host::played_plies_max + 1;
  });
  test_hub hub{{.more_engines = {is_long}}};
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(seek_engine("long-secrets"));
  hub.settle();
  REQUIRE(c->last<started>() != nullptr);
  CHECK(c->last<started>()->engine == "long-secrets");
  CHECK(c->last<started>()->players[1] == "engine (random)");
  c->submit(leave{}), hub.settle();
  auto wish = std::get<seek>(seek_engine("long-secrets"));
  wish.level = "medium";
  c->submit(wish);
  hub.settle();
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::unfit_engine);
  CHECK(c->last<refused>()->detail == "plays itself as random only");
  c->submit(seek_engine("tictactoe", 2));
  hub.settle();
  CHECK(c->last<refused>()->detail == "has no seat 2: they are numbered 0 to 1");
  CHECK(c->pending_replies == 0);
}

TEST_CASE("runtime: the engine player thinks elsewhere, and its game goes on when it has") {
  test_hub hub{{.loops = 2}};
  const auto c = hub.connect(test_hub::cells_wire, 1);
  hub.searches().paused = true;
  c->submit(seek_engine("connect-four"));
  hub.settle();
  c->submit(play_cell(3));
  hub.settle();
  CHECK(hub.searches().waiting() == 1);
  CHECK(c->last_position()->to_move == only(1));
  // A move out of turn changes nothing and asks for no other thought.
  c->submit(play_cell(4));
  hub.settle();
  CHECK(c->last<refused>()->why == refusal::not_your_turn);
  CHECK(hub.searches().waiting() == 1);
  hub.searches().run_next();
  hub.settle();
  CHECK(to_move(*c, 0));
  CHECK(hub.searches().waiting() == 0);
  CHECK(engine_moves(hub, "connect-four", metrics::effort::full) == 1);
  hub.searches().paused = false;
  play_out(hub, *c, 0);
  CHECK(hub.games_finished() == 1);
}

TEST_CASE("runtime: a search of a game with secrets has its actions, also after a kill") {
  const auto alone = spoiled_engine("kuhn-poker", "kuhn-alone", [](auto& abi) {
    abi.extension = [](const char*) -> const void* { return nullptr; };
  });
  late_journal log{false};
  const test_hub_options with{
      .loops = 2, .settings = {0s, 0s, 0s, 100, 100, 60s}, .log = &log, .more_engines = {alone}};
  test_hub hub{with};
  log.be_durable();
  hub.searches().paused = true;
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(sign_in{"ann", {}});
  c->submit(seek_engine("kuhn-alone"));
  hub.settle();
  const auto secret = c->last<signed_in>()->secret;
  c->submit(play_document(R"({"type":"move","action":"bet"})", c->events.back().game));
  hub.settle();
  const auto check = [](test_hub& at) {
    const auto q = at.searches().next();
    REQUIRE(q);
    REQUIRE(q->played);
    CHECK(q->played->plies.size() == 3);
    CHECK(q->played->plies.front().seat == engines::chance);
    CHECK(q->played->plies.back().seat == 0);
    CHECK(q->played->plies.back().what == 1);
    CHECK(actors::runtime::run_search(*q, [] { return false; }).what.has_value());
  };
  const auto left = log.left_behind();
  check(hub);
  auto again = with;
  again.log = &*left;
  test_hub next{again};
  next.searches().paused = true;
  deaf events;
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  next.connect(test_hub::documents_wire, 1)->submit(sign_in{"", secret});
  next.settle();
  check(next);
}

TEST_CASE("runtime: a search result after the end of its game is ignored") {
  test_hub hub;
  hub.searches().paused = true;
  const auto c = hub.connect(test_hub::cells_wire);
  c->submit(seek_engine("connect-four", 1));
  hub.settle();
  REQUIRE(hub.searches().waiting() == 1);
  SECTION("the player goes") {
    c->disconnect();
    hub.settle();
    CHECK(hub.games_finished() == 1);
    CHECK(hub.actors_running() == 0);
  }
  SECTION("the clock runs out: the engine player has lost") {
    hub.advance(120s);
    CHECK(c->last_position()->outcome->winner == 1);
    CHECK(c->last_position()->outcome->reason == end_reason::clock);
  }
  hub.searches().run_next();
  hub.settle();
  CHECK(engine_moves(hub, "connect-four", metrics::effort::full) == 0);
}

TEST_CASE("runtime: with too many to think about, the engine player plays at random and goes on") {
  test_hub hub;
  hub.searches().waiting_max = 0;
  const auto c = hub.connect(test_hub::cells_wire);
  c->submit(seek_engine("connect-four", 1));
  hub.settle();
  CHECK(to_move(*c, 1));
  play_out(hub, *c, 1);
  CHECK(c->last_position()->outcome.has_value());
  CHECK(engine_moves(hub, "connect-four", metrics::effort::random) >= 4);
}

TEST_CASE("runtime: an engine that fails to choose ends that game alone") {
  const auto broken = spoiled_engine("connect-four", "fails-to-list", [](auto& abi) {
    abi.legal_actions = [](const gamehub_match*, std::int32_t, std::int64_t*,
                           std::size_t) -> std::size_t { return GAMEHUB_FAILED; };
  });
  test_hub hub{{.more_engines = {broken}}};
  hub.searches().waiting_max = GENERATE(std::size_t{0}, std::size_t{1'000});
  const auto c = hub.connect(test_hub::cells_wire), other = hub.connect(test_hub::cells_wire);
  other->submit(seek_engine("connect-four"));
  c->submit(seek_engine("fails-to-list"));
  hub.settle();
  c->submit(play_cell(3));
  hub.settle();
  REQUIRE(c->last_position()->outcome.has_value());
  CHECK(c->last_position()->outcome->reason == end_reason::failed);
  CHECK(c->pending_replies == 0);
  CHECK(to_move(*other, 0));
  CHECK(hub.games_finished() == 1);
}

TEST_CASE("runtime: the engine player opens no games beyond those of the hub") {
  test_hub hub{{.settings = {0s, 0s, 0s, 100, 2, 60s}}};
  const auto c = hub.connect(test_hub::documents_wire);
  seek s;
  s.engines = {"tictactoe"};
  s.games_max = 5;
  s.again = s.against_engine = true;
  c->submit(s);
  hub.settle();
  CHECK(hub.games_started() == 2);
  REQUIRE(c->last<refused>() != nullptr);
  CHECK(c->last<refused>()->why == refusal::hub_full);
  CHECK(c->pending_replies == 0);
}

namespace {

test_hub_options on(late_journal& log) {
  return {.loops = 2, .settings = {0s, 0s, 0s, 100, 100, 60s}, .log = &log};
}

std::string square(int row, int column) {
  return R"({"type":"move","row":)" + std::to_string(row) + R"(,"column":)" +
         std::to_string(column) + "}";
}

}  // namespace

TEST_CASE("runtime: a game against the engine goes on after a kill, with the engine player") {
  late_journal log{false};
  std::string secret;
  game_id game;
  const std::string engine = GENERATE("tictactoe", "connect-four");
  const auto on_its_turn = GENERATE(false, true);
  {
    test_hub hub{on(log)};
    log.be_durable();
    hub.searches().paused = on_its_turn;
    const auto c = hub.connect(test_hub::documents_wire);
    c->submit(sign_in{"ann", {}});
    c->submit(seek_engine(engine));
    hub.settle();
    secret = c->last<signed_in>()->secret;
    game = c->events.back().game;
    c->submit(engine == "tictactoe" ? play_document(square(1, 1), game)
                                    : play_document(R"({"type":"move","column":3})", game));
    hub.settle();
    CHECK(log.read(game, 0).size() == (engine == "tictactoe" || !on_its_turn ? 5 : 4));
    const auto left = log.left_behind();
    test_hub next{on(*left)};
    deaf events;
    CHECK(next.runtime().recover(events).restored == 1);
    next.settle();
    CHECK(left->read(game, 0).size() == log.read(game, 0).size());
    const auto back = next.connect(test_hub::documents_wire, 1);
    back->submit(sign_in{"", secret});
    next.settle();
    REQUIRE(back->last<started>() != nullptr);
    CHECK(back->last<started>()->players[1] == "engine (perfect)");
    // It is her turn now.
    CHECK(to_move(*back, 0));
    CHECK(left->read(game, 0).size() == 5);
    if (engine == "tictactoe") {
      for (int cell = 0; cell < 9 && to_move(*back, 0); ++cell) {
        back->submit(play_document(square(cell / 3, cell % 3), game));
        next.settle();
      }
      CHECK(back->last_position()->outcome->winner != 0);
    }
    back->disconnect();
    next.settle();
    CHECK(left->open_games().empty());
  }
}

TEST_CASE("runtime: a game against the engine of one who can't come back ends at the start") {
  late_journal log{false};
  test_hub hub{on(log)};
  log.be_durable();
  const auto c = hub.connect(test_hub::cells_wire);
  c->submit(seek_engine());
  hub.settle();
  const auto left = log.left_behind();
  test_hub next{on(*left)};
  deaf events;
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  CHECK(left->open_games().empty());
  CHECK(next.actors_running() == 0);
}

TEST_CASE("runtime: a hub that drains parks the games against the engine that can be resumed") {
  late_journal log{false};
  test_hub hub{on(log)};
  log.be_durable();
  hub.searches().paused = true;
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(sign_in{"ann", {}});
  c->submit(seek_engine("connect-four", 1));
  hub.settle();
  bool drained = false;
  hub.runtime().begin_drain([&] { drained = true; });
  hub.settle();
  CHECK(drained);
  CHECK(log.open_games().size() == 1);
  hub.searches().run_next();
  hub.settle();
  CHECK(log.read(log.open_games().front().id, 0).size() == 3);
}
