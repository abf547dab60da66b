// What may happen at once on two loops, in every order of a few of their turns.
#include "actors/game/game.hpp"
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <caf/send.hpp>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

constexpr int turns = 6;

// One order of turns of two loops, with something that happens before turn `at` of it.
struct interleaving {
  unsigned order = 0;
  int at = 0;

  template <class What>
  void run(test_hub& hub, What what) const {
    for (int i = 0; i <= turns; ++i) {
      if (i == at) what();
      if (i < turns) hub.step(order >> i & 1);
    }
    hub.settle();
  }
};

template <class Scenario>
void in_every_order(Scenario play) {
  for (unsigned order = 0; order < 1u << turns; ++order)
    for (int at = 0; at <= turns; ++at) {
      CAPTURE(order, at);
      play(interleaving{order, at});
    }
}

// A client whose opponent may have gone: it waits, or was seated and has won.
void check_survivor(const test_hub& hub, const test_client& c) {
  CHECK(c.pending_replies == 0);
  CHECK(c.unexpected_replies == 0);
  CHECK(hub.games_started() == hub.games_finished());
  const auto* began = c.last<started>();
  const auto* p = c.last_position();
  CHECK((began == nullptr) == (p == nullptr));
  if (began == nullptr) return;
  REQUIRE(p->outcome.has_value());
  CHECK(p->outcome->reason == end_reason::left);
  CHECK(p->outcome->winner == began->seat);
}

int refusals(const test_client& c, refusal why) {
  int n = 0;
  for (const auto& e : c.events)
    if (const auto* no = std::get_if<refused>(&e.what)) n += no->why == why ? 1 : 0;
  return n;
}

}  // namespace

TEST_CASE("runtime: a player who disconnects while being seated leaves no opponent waiting") {
  const auto first = GENERATE(std::size_t{0}, std::size_t{1});
  in_every_order([first](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto a = hub.connect(test_hub::cells_wire, first);
    const auto b = hub.connect(test_hub::documents_wire, 1 - first);
    a->submit(seek_once()), hub.settle();
    b->submit(seek_once());
    i.run(hub, [&] { a->disconnect(); });
    check_survivor(hub, *b);
    CHECK(hub.sessions_open() == 1);
    CHECK(hub.actors_running() == 1);
    // It is in no queue, or in one that works.
    const auto c = hub.connect(test_hub::cells_wire, first);
    c->submit(seek_once());
    if (b->last<started>() != nullptr) b->submit(seek_once());
    hub.settle();
    CHECK(c->last<started>() != nullptr);
  });
}

TEST_CASE("runtime: both hang up while being seated, and nothing is left of them") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto a = hub.connect(test_hub::cells_wire, 0);
    const auto b = hub.connect(test_hub::cells_wire, 1);
    a->submit(seek_once()), b->submit(seek_once());
    i.run(hub, [&] { a->disconnect(), b->disconnect(); });
    CHECK(hub.sessions_open() == 0);
    CHECK(hub.actors_running() == 0);
    CHECK(hub.games_started() == hub.games_finished());
  });
}

TEST_CASE("runtime: a move that crosses the opponent's leaving is refused with that, once") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto x = hub.connect(test_hub::cells_wire, 0);
    const auto o = hub.connect(test_hub::cells_wire, 1);
    x->submit(seek_once()), hub.settle();
    o->submit(seek_once()), hub.settle();
    o->disconnect();
    i.run(hub, [&] { x->submit(play_cell(0)); });
    check_survivor(hub, *x);
    x->submit(play_cell(1)), hub.settle();
    x->submit(play_cell(2)), hub.settle();
    CHECK(x->pending_replies == 0);
    CHECK(refusals(*x, refusal::opponent_left) == 1);
    CHECK(refusals(*x, refusal::not_in_game) >= 1);
  });
}

TEST_CASE("runtime: a move that crosses the opponent's clock, or its own") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2, .settings = {10s, 0s, 0s, 100, 100}}};
    const auto x = hub.connect(test_hub::cells_wire, 0);
    const auto o = hub.connect(test_hub::cells_wire, 1);
    x->submit(seek_once()), hub.settle();
    o->submit(seek_once()), hub.settle();
    hub.pass(10s);
    i.run(hub, [&] { x->submit(play_cell(0)), o->submit(play_cell(0)); });
    CHECK(x->pending_replies == 0);
    CHECK(o->pending_replies == 0);
    // It was out of turn, or came after the end.
    CHECK(refusals(*o, refusal::opponent_left) + refusals(*o, refusal::not_your_turn) +
              refusals(*o, refusal::space_not_empty) <=
          1);
    // A player who ran out of time has no opponent who left.
    CHECK(refusals(*x, refusal::opponent_left) == 0);
    CHECK(hub.games_started() == 1);
  });
}

TEST_CASE("runtime: both leave their game at once: one of them wins, both are answered") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto x = hub.connect(test_hub::cells_wire, 0);
    const auto o = hub.connect(test_hub::cells_wire, 1);
    x->submit(seek_once()), hub.settle();
    o->submit(seek_once()), hub.settle();
    x->submit(leave{});
    i.run(hub, [&] { o->submit(leave{}); });
    for (const auto& c : {x, o}) {
      CHECK(c->pending_replies == 0);
      REQUIRE(c->last_position()->outcome.has_value());
      CHECK(c->last_position()->outcome->reason == end_reason::left);
    }
    CHECK(x->last_position()->outcome->winner == o->last_position()->outcome->winner);
    CHECK(hub.actors_running() == 2);
  });
}

TEST_CASE("runtime: leaving the queue while being seated is answered, and no game is left over") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto a = hub.connect(test_hub::cells_wire, 1);
    const auto b = hub.connect(test_hub::cells_wire, 0);
    a->submit(seek_once()), hub.settle();
    b->submit(seek_once());
    i.run(hub, [&] { a->submit(leave{}); });
    CHECK(a->pending_replies == 0);
    CHECK(b->pending_replies == 0);
    REQUIRE(a->last<done>() != nullptr);
    // If it was seated already it leaves that game.
    CHECK((a->last<started>() == nullptr) == (b->last<started>() == nullptr));
    check_survivor(hub, *b);
    CHECK((b->last<placed>()->seat == 0) == (b->last<started>() == nullptr));
    a->submit(seek_once()), hub.settle();
    CHECK(a->last<placed>() != nullptr);
    CHECK(a->pending_replies == 0);
  });
}

TEST_CASE("runtime: the hub drains while two are being seated") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto a = hub.connect(test_hub::cells_wire, 1);
    const auto b = hub.connect(test_hub::documents_wire, 0);
    a->submit(seek_once()), hub.settle();
    b->submit(seek_once());
    int drained = 0;
    i.run(hub, [&] { hub.runtime().begin_drain([&] { ++drained; }); });
    // Running games continue.
    if (hub.games_started() > hub.games_finished()) {
      CHECK(drained == 0);
      hub.runtime().end_games(end_reason::drained), hub.settle();
    }
    CHECK(drained == 1);
    CHECK(hub.sessions_open() == 0);
    CHECK(hub.games_started() == hub.games_finished());
    CHECK(a->closed == close_reason::draining);
    CHECK(b->closed == close_reason::draining);
  });
}

TEST_CASE("runtime: a client that comes while the hub begins to drain is closed, not forgotten") {
  in_every_order([](interleaving i) {
    test_hub hub{{.loops = 2}};
    const auto a = hub.connect(test_hub::cells_wire, 1);
    a->submit(seek_once());
    int drained = 0;
    i.run(hub, [&] { hub.runtime().begin_drain([&] { ++drained; }); });
    CHECK(a->closed == close_reason::draining);
    CHECK(a->unexpected_replies == 0);
    CHECK(drained == 1);
    CHECK(hub.sessions_open() == 0);
  });
}

TEST_CASE("game: what overtakes its beginning waits for it") {
  // The lobby tells the players of their seats before it tells the game: on another thread they may
  // be quicker.
  test_hub hub;
  auto log = journal::make_memory_journal(16);
  base::seeded_entropy random{1};
  actors::game::game_setup setup{&hub.directory(), log.get(), &random, {}, 0s, {}};
  const auto engine = hub.engine("tictactoe");
  auto match = std::get<engines::host::match>(hub.directory().engines[engine].rules.create({}));
  const auto id = game_id{900};
  actors::game::game_players players;
  players.add({}, {player_id{1}, "ann", view_form::cells});
  players.add({}, {player_id{2}, "bob", view_form::cells});
  auto g = actors::runtime::spawn_on<actors::game::game>(hub.loop(0), setup, id, engine,
                                                         std::string{}, std::move(match),
                                                         std::move(players), clock_rule{});
  const receipt r{attachment_id{1}, {}, {}, 1};
  caf::anon_send(g, actors::runtime::resend_request{0});
  caf::anon_send(g, actors::runtime::play_request{0, r, {move::form::cell, 4, {}}});
  caf::anon_send(g, actors::runtime::leave_request{1, {}});
  hub.settle();
  CHECK(log->read(id, 0).empty());
  caf::anon_send(g, actors::runtime::begin_game{});
  hub.settle();
  const auto records = log->read(id, 0);
  REQUIRE(records.size() == 6);
  CHECK(records[0].what == journal::record::kind::opened);
  CHECK(records[3].what == journal::record::kind::moved);
  CHECK(records[4].what == journal::record::kind::left);
  CHECK(records[5].what == journal::record::kind::ended);
  CHECK(records[5].seat == 0);
  caf::anon_send(g, actors::runtime::leave_request{0, {}});
  g = nullptr;
  hub.settle();
  CHECK(hub.actors_running() == 0);
}
