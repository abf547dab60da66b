// Who comes back, by its secret, from another connection and loop.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"
#include "tests/support/test_hub.hpp"

#include <algorithm>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

intent sign_in_named(std::string name) { return sign_in{std::move(name), {}}; }
intent resume(std::string secret, std::string name = {}) {
  return sign_in{std::move(name), std::move(secret)};
}

// Ann plays bob, with a grace to come back in.
struct game_of_two {
  explicit game_of_two(std::chrono::seconds grace = 60s, int loops = 2)
      : hub{{.loops = loops, .settings = {0s, 0s, 0s, 100, 100}, .grace = grace}} {
    ann = hub.connect(test_hub::documents_wire, 0);
    bob = hub.connect(test_hub::cells_wire, hub.loop_count() - 1);
    ann->submit(sign_in_named("ann")), hub.settle();
    secret = ann->last<signed_in>()->secret;
    ann->submit(seek_again({"tictactoe"})), hub.settle();
    bob->submit(seek_once()), hub.settle();
    game = bob->events.back().game;
    REQUIRE(ann->last<started>() != nullptr);
  }
  std::shared_ptr<test_client> connect(std::size_t loop) {
    return hub.connect(test_hub::documents_wire, loop);
  }

  test_hub hub;
  std::shared_ptr<test_client> ann, bob;
  std::string secret;
  game_id game;
};

const std::string centre = R"({"type":"move","row":1,"column":1})";

}  // namespace

TEST_CASE("session: is resumed by its secret from another loop, with its game as it stands") {
  game_of_two g;
  g.ann->submit(play_document(centre, g.game)), g.hub.settle();
  g.bob->submit(play_cell(0)), g.hub.settle();
  g.ann->disconnect(), g.hub.settle();
  CHECK(g.hub.games_finished() == 0);
  const auto back = g.connect(GENERATE(std::size_t{0}, std::size_t{1}));
  back->submit(resume(g.secret)), g.hub.settle();
  REQUIRE(back->events.size() == 3);
  const auto* who = std::get_if<signed_in>(&back->events[0].what);
  REQUIRE(who != nullptr);
  CHECK(who->name == "ann");
  CHECK(who->secret == g.secret);
  CHECK(back->events[0].answers.ticket == 1);
  REQUIRE(std::holds_alternative<started>(back->events[1].what));
  CHECK(back->events[1].game == g.game);
  const auto* p = back->last_position();
  CHECK(p->prompted == only(0));
  CHECK(p->number == g.bob->last_position()->number);
  back->submit(play_document(R"({"type":"move","row":0,"column":1})", g.game)), g.hub.settle();
  CHECK(back->pending_replies == 0);
  CHECK(g.bob->last_position()->by == 0);
  CHECK(g.hub.sessions_open() == 2);
}

TEST_CASE("session: who comes back is told that it was here, and how many games it is shown") {
  game_of_two g;
  CHECK_FALSE(g.ann->last<signed_in>()->returned);
  const auto back = g.connect(1);
  back->submit(resume(g.secret)), g.hub.settle();
  CHECK(back->last<signed_in>()->returned);
  CHECK(back->last<signed_in>()->games == 1);
}

TEST_CASE("session: a resume without registration is refused for an unknown player") {
  game_of_two g;
  const auto nobody = g.connect(1);
  sign_in who;
  who.resume_secret = "nobody has this one";
  who.only_resume = true;
  nobody->submit(who), g.hub.settle();
  REQUIRE(nobody->last<refused>() != nullptr);
  CHECK(nobody->last<refused>()->why == refusal::cannot_resume);
  CHECK(nobody->last<signed_in>() == nullptr);
  CHECK(nobody->pending_replies == 0);
  const auto back = g.connect(1);
  who.resume_secret = g.secret;
  back->submit(who), g.hub.settle();
  CHECK(back->last<signed_in>()->name == "ann");
}

TEST_CASE("session: resumed while the old connection is open, that one is closed: replaced") {
  game_of_two g;
  const auto back = g.connect(GENERATE(std::size_t{0}, std::size_t{1}));
  back->submit(resume(g.secret)), g.hub.settle();
  CHECK(g.ann->closed == close_reason::replaced);
  CHECK_FALSE(g.ann->connected());
  CHECK(back->last<started>() != nullptr);
  CHECK(g.hub.games_finished() == 0);
  g.ann->clear_events();
  back->submit(play_document(centre, g.game)), g.hub.settle();
  CHECK(g.ann->events.empty());
  CHECK(back->pending_replies == 0);
  CHECK(g.hub.sessions_open() == 2);
  // And once more, from there.
  const auto third = g.connect(0);
  third->submit(resume(g.secret)), g.hub.settle();
  CHECK(back->closed == close_reason::replaced);
  CHECK(third->last<started>() != nullptr);
}

TEST_CASE("session: a move of a connection that was replaced is not made") {
  game_of_two g;
  // The session is on the first loop: a move from there goes to the game without a mailbox.
  const auto first = GENERATE(std::size_t{0}, std::size_t{1});
  const auto former = g.connect(first);
  former->submit(resume(g.secret)), g.hub.settle();
  const auto back = g.connect(1 - first);
  back->submit(resume(g.secret));
  for (int i = 0; i < 100 && back->last<position_ref>() == nullptr; ++i)
    g.hub.step(0), g.hub.step(1);
  REQUIRE(back->last<position_ref>() != nullptr);
  REQUIRE(former->connected());
  CHECK(former->submit(play_document(centre, g.game)));
  g.hub.settle();
  CHECK(back->last_position()->prompted == only(0));
  CHECK(g.bob->last_position()->number == back->last_position()->number);
  back->submit(play_document(centre, g.game)), g.hub.settle();
  CHECK(back->pending_replies == 0);
  CHECK(back->last_position()->by == 0);
}

TEST_CASE("session: with a wrong secret, or the name alone, it is a fresh player") {
  game_of_two g;
  const auto other = g.connect(1);
  other->submit(resume(GENERATE(std::string{"0123"}, std::string{"ann"}), "ann")), g.hub.settle();
  REQUIRE(other->last<signed_in>() != nullptr);
  CHECK(other->last<signed_in>()->name == "ann-1");
  CHECK(other->last<signed_in>()->secret != g.secret);
  CHECK(other->last<started>() == nullptr);
  CHECK(other->pending_replies == 0);
  CHECK_FALSE(g.ann->closed.has_value());
  other->submit(seek_once()), g.hub.settle();
  CHECK(other->last<placed>() != nullptr);
}

TEST_CASE("session: keeps its games for the grace of its wire, and not longer") {
  game_of_two g{60s};
  g.ann->disconnect(), g.hub.settle();
  g.hub.advance(59s);
  CHECK(g.hub.games_finished() == 0);
  g.hub.advance(1s);
  REQUIRE(g.bob->last_position()->outcome.has_value());
  CHECK(g.bob->last_position()->outcome->winner == 1);
  CHECK(g.bob->last_position()->outcome->reason == end_reason::left);
  const auto late = g.connect(0);
  late->submit(resume(g.secret, "ann")), g.hub.settle();
  CHECK(late->last<started>() == nullptr);
  CHECK(late->last<signed_in>()->name == "ann");
  CHECK(late->last<signed_in>()->secret != g.secret);
  CHECK(g.hub.sessions_open() == 2);
}

TEST_CASE("session: without a grace the game is lost with the connection") {
  game_of_two g{0s};
  g.ann->disconnect(), g.hub.settle();
  REQUIRE(g.bob->last_position()->outcome.has_value());
  CHECK(g.bob->last_position()->outcome->winner == 1);
  CHECK(g.hub.sessions_open() == 1);
}

TEST_CASE("session: whose game ends while it is away goes then") {
  game_of_two g{3600s};
  g.ann->disconnect(), g.hub.settle();
  CHECK(g.hub.sessions_open() == 2);
  g.bob->submit(leave{}), g.hub.settle();
  CHECK(g.hub.sessions_open() == 1);
  CHECK(g.hub.actors_running() == 1);
}

TEST_CASE("session: that is away when the hub drains goes with its game, not with its grace") {
  game_of_two g{3600s};
  g.ann->disconnect(), g.hub.settle();
  int drained = 0;
  g.hub.runtime().begin_drain([&] { ++drained; });
  g.hub.settle();
  CHECK(drained == 0);
  g.hub.runtime().end_games(end_reason::drained), g.hub.settle();
  CHECK(drained == 1);
  CHECK(g.hub.sessions_open() == 0);
}

TEST_CASE("session: what a client says in the same breath as its secret is for its player") {
  // A client of turns connects with one line that is a sign_in and a seek.
  game_of_two g;
  const auto waiting = g.hub.connect(test_hub::cells_wire, 1);
  waiting->submit(seek_once()), g.hub.settle();
  g.ann->disconnect(), g.hub.settle();
  const auto back = g.connect(GENERATE(std::size_t{0}, std::size_t{1}));
  back->submit(resume(g.secret, "ann"));
  back->submit(seek_again({"tictactoe"}));
  back->submit(play_document(centre, g.game));
  g.hub.settle();
  CHECK(back->pending_replies == 0);
  CHECK(back->unexpected_replies == 0);
  // No player was paired with the disconnecting player.
  CHECK(waiting->last<started>() == nullptr);
  REQUIRE(back->last<refused>() != nullptr);
  CHECK(back->last<refused>()->why == refusal::already_in_game);
  CHECK(g.bob->last_position()->by == 0);
  CHECK(g.hub.games_finished() == 0);
}

TEST_CASE("session: what a client says in one breath with a wrong secret is for the fresh player") {
  test_hub hub{{.loops = 2}};
  const auto a = hub.connect(test_hub::documents_wire, 1);
  const auto b = hub.connect(test_hub::cells_wire, 0);
  b->submit(seek_once()), hub.settle();
  a->submit(resume("wrong", "ann")), a->submit(seek_again({"tictactoe"}));
  hub.settle();
  CHECK(a->pending_replies == 0);
  REQUIRE(a->last<started>() != nullptr);
  CHECK(a->last<started>()->players == std::vector<std::string>{"client-2", "ann"});
}

TEST_CASE("session: that hangs up while the lobby looks for its secret leaves no name behind") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  a->submit(resume("wrong", "ann"));
  a->disconnect(), hub.settle();
  CHECK(hub.sessions_open() == 0);
  CHECK(hub.actors_running() == 0);
  const auto b = hub.connect(test_hub::documents_wire);
  b->submit(sign_in_named("ann")), hub.settle();
  CHECK(b->last<signed_in>()->name == "ann");
}

TEST_CASE("session: resuming races with its departure, in every order of two loops") {
  constexpr int turns = 7;
  const auto loop = GENERATE(std::size_t{0}, std::size_t{1});
  for (unsigned order = 0; order < 1u << turns; ++order)
    for (int at = 0; at <= turns; ++at) {
      CAPTURE(order, at, loop);
      game_of_two g{0s};
      const auto back = g.connect(loop);
      back->submit(resume(g.secret, "ann")), back->submit(seek_again({"connect-four"}));
      for (int i = 0; i <= turns; ++i) {
        if (i == at) g.ann->disconnect();
        if (i < turns) g.hub.step(order >> i & 1);
      }
      g.hub.settle();
      CHECK(back->pending_replies == 0);
      CHECK(back->unexpected_replies == 0);
      REQUIRE(back->last<signed_in>() != nullptr);
      // It resumed in time and continues, or it is a new player that waits.
      const auto came_back = back->last<signed_in>()->secret == g.secret;
      CHECK((back->last<started>() != nullptr) == came_back);
      CHECK((g.hub.games_finished() == 0) == came_back);
      CHECK((back->last<placed>() != nullptr) != came_back);
      CHECK(g.hub.sessions_open() == 2);
      back->disconnect(), g.hub.settle();
      CHECK(g.hub.sessions_open() == 1);
      const auto next = g.connect(0);
      next->submit(sign_in_named("ann")), g.hub.settle();
      CHECK(next->last<signed_in>()->name == "ann");
    }
}

TEST_CASE("session: two come back to a player that is just leaving: both are fresh ones") {
  constexpr int turns = 6;
  for (unsigned order = 0; order < 1u << turns; ++order)
    for (int at = 0; at <= turns; ++at) {
      CAPTURE(order, at);
      game_of_two g{0s};
      const auto first = g.connect(0), second = g.connect(1);
      first->submit(resume(g.secret, "ann")), second->submit(resume(g.secret, "ann"));
      for (int i = 0; i <= turns; ++i) {
        if (i == at) g.ann->disconnect();
        if (i < turns) g.hub.step(order >> i & 1);
      }
      g.hub.settle();
      for (const auto& c : {first, second}) {
        CHECK(c->unexpected_replies == 0);
        CHECK((c->closed || c->pending_replies == 0));
      }
      CHECK(g.hub.sessions_open() == (first->closed || second->closed ? 2 : 3));
    }
}

TEST_CASE("session: two come back with one secret at once: the later one stays") {
  game_of_two g;
  const auto first = g.connect(0), second = g.connect(1);
  first->submit(resume(g.secret)), second->submit(resume(g.secret));
  g.hub.settle();
  const auto& gone = first->closed ? first : second;
  const auto& stays = first->closed ? second : first;
  CHECK(gone->closed == close_reason::replaced);
  CHECK_FALSE(stays->closed.has_value());
  CHECK(stays->last<started>() != nullptr);
  CHECK(stays->pending_replies == 0);
  CHECK(g.hub.sessions_open() == 2);
}

TEST_CASE("session: comes back to all of its games") {
  test_hub hub{{.loops = 2, .settings = {0s, 0s, 0s, 100, 100}, .grace = 60s}};
  const auto host = hub.connect(test_hub::documents_wire, 0);
  host->submit(sign_in_named("host")), host->submit(seek_again({"tictactoe", "connect-four"}, 3));
  hub.settle();
  std::vector<std::shared_ptr<test_client>> guests;
  for (std::size_t i = 0; i < 3; ++i) {
    guests.push_back(hub.connect(test_hub::cells_wire, i % 2));
    guests.back()->submit(seek_once(i == 0 ? "connect-four" : "tictactoe")), hub.settle();
  }
  const auto secret = host->last<signed_in>()->secret;
  host->disconnect(), hub.settle();
  const auto back = hub.connect(test_hub::documents_wire, 1);
  back->submit(resume(secret)), hub.settle();
  int begun = 0;
  for (const auto& e : back->events) begun += std::holds_alternative<started>(e.what) ? 1 : 0;
  CHECK(begun == 3);
  CHECK(hub.games_finished() == 0);
}

TEST_CASE("session: a standing seek is not paired while the player is absent, but afterwards") {
  test_hub hub{{.loops = 2, .settings = {0s, 0s, 0s, 100, 100}, .grace = 60s}};
  const auto host = hub.connect(test_hub::documents_wire, 0);
  const auto first = hub.connect(test_hub::cells_wire, 1);
  const auto second = hub.connect(test_hub::cells_wire, 1);
  host->submit(sign_in_named("host")), host->submit(seek_again({"tictactoe"}, 2)), hub.settle();
  first->submit(seek_once()), hub.settle();
  const auto secret = host->last<signed_in>()->secret;
  host->disconnect(), hub.settle();
  hub.advance(30s);
  second->submit(seek_once()), hub.settle();
  CHECK(second->last<started>() == nullptr);
  const auto back = GENERATE(false, true);
  if (back) {
    const auto again = hub.connect(test_hub::documents_wire, 1);
    again->submit(resume(secret)), hub.settle();
    REQUIRE(second->last<started>() != nullptr);
    // The player who waited has the first seat.
    CHECK(second->last<started>()->seat == 0);
    hub.advance(60s);
    CHECK(hub.games_finished() == 0);
  } else {
    hub.advance(30s);
    CHECK(hub.games_finished() == 1);
    CHECK(hub.sessions_open() == 2);
    CHECK(second->last<started>() == nullptr);
  }
}

TEST_CASE("session: who comes back twice before its last move is safe is told once how it ended") {
  const two_at_a_table t;
  const auto& here = t.first;
  here.put(t.bob, 0, 0, t.game), here.put(t.ann, 0, 1, t.game), here.put(t.bob, 0, 2, t.game);
  here.log->be_late(true);
  here.put(t.ann, 2, 1, t.game);
  here.enter("ann", t.ann.secret);
  const auto again = here.enter("ann", t.ann.secret);
  here.log->be_late(false), here.hub->settle();
  const auto told = [&](const auto& is) {
    return std::count_if(again.client->events.begin(), again.client->events.end(),
                         [&](const event& e) { return e.game == t.game && is(e.what); });
  };
  CHECK(told([](const auto& what) { return std::holds_alternative<started>(what); }) == 1);
  CHECK(told([](const auto& what) { return std::holds_alternative<position_ref>(what); }) == 1);
  CHECK(end_seen_by(again)->winner == 0);
}
