#include "actors/system/runtime.hpp"

#include "actors/session/unused_sessions.hpp"
#include "hub/base/address.hpp"
#include "hub/core/address_ledger.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

const refused* last_refusal(const test_client& c) { return c.last<refused>(); }

// How many things of that kind a client was told.
template <class T>
int times(const test_client& c) {
  int n = 0;
  for (const auto& e : c.events) n += std::holds_alternative<T>(e.what) ? 1 : 0;
  return n;
}

std::int64_t refusals(const test_hub& hub, std::size_t wire, refusal why) {
  return hub.cells(0).wires[wire].refusals[static_cast<std::size_t>(why)].value();
}

std::string square(int cell) {
  return R"({"type":"move","row":)" + std::to_string(cell / 3) + R"(,"column":)" +
         std::to_string(cell % 3) + "}";
}

intent sign_in_as(std::string name) { return sign_in{std::move(name), {}}; }

}  // namespace

TEST_CASE("runtime: two players of unlike wires play to a win") {
  test_hub hub{{.loops = GENERATE(1, 2)}};
  const auto x = hub.connect(test_hub::cells_wire, 0);
  const auto o = hub.connect(test_hub::documents_wire, hub.loop_count() - 1);
  x->submit(seek_once());
  hub.settle();
  REQUIRE(x->last<placed>() != nullptr);
  CHECK(x->last<placed>()->seat == 0);
  CHECK(x->last<placed>()->marks == "XO");
  o->submit(seek_again({"tictactoe"}));
  hub.settle();
  const auto* began = o->last<started>();
  REQUIRE(began != nullptr);
  CHECK(began->seat == 1);
  const auto game = o->events.back().game;
  for (const auto& [a, b] : {std::pair{0, 3}, {1, 4}}) {
    x->submit(play_cell(a));
    hub.settle();
    o->submit(play_document(square(b), game));
    hub.settle();
  }
  x->submit(play_cell(2));
  hub.settle();
  for (const auto& c : {x, o}) {
    const auto* p = c->last_position();
    REQUIRE(p != nullptr);
    REQUIRE(p->outcome.has_value());
    CHECK(p->outcome->winner == 0);
    CHECK(c->pending_replies == 0);
    CHECK(c->unexpected_replies == 0);
  }
  CHECK(x->last_position()->cells == "XXXOO----");
  CHECK(hub.games_started() == 1);
  CHECK(hub.games_finished() == 1);
}

TEST_CASE("runtime: the answer to a seek comes before its game, and the game before its position") {
  test_hub hub;
  const auto x = hub.connect(test_hub::cells_wire);
  const auto o = hub.connect(test_hub::cells_wire);
  x->submit(seek_once());
  o->submit(seek_once());
  hub.settle();
  for (const auto& c : {x, o}) {
    REQUIRE(c->events.size() == 3);
    CHECK(std::holds_alternative<placed>(c->events[0].what));
    CHECK(c->events[0].answers.ticket == 1);
    CHECK(std::holds_alternative<started>(c->events[1].what));
    CHECK(c->events[1].answers.ticket == 0);
    CHECK(std::holds_alternative<position_ref>(c->events[2].what));
  }
}

TEST_CASE("runtime: a move is answered to its mover and told to the other, each once") {
  test_hub hub{{.loops = 2}};
  const auto x = hub.connect(test_hub::cells_wire, 0);
  const auto o = hub.connect(test_hub::cells_wire, 1);
  x->submit(seek_once()), hub.settle();
  o->submit(seek_once()), hub.settle();
  x->clear_events(), o->clear_events();
  x->submit(play_cell(4)), hub.settle();
  REQUIRE(x->events.size() == 1);
  CHECK(x->events[0].answers.ticket == 2);
  CHECK(x->events[0].answers.from == x->id());
  REQUIRE(o->events.size() == 1);
  CHECK(o->events[0].answers.ticket == 0);
}

TEST_CASE("runtime: a move that crosses the end of its game is answered, and the game ends") {
  test_hub hub;
  const auto x = hub.connect(test_hub::cells_wire);
  const auto o = hub.connect(test_hub::cells_wire);
  hub.settle();
  const auto running = hub.actors_running();
  x->submit(seek_once()), hub.settle();
  o->submit(seek_once()), hub.settle();
  for (const auto& [a, b] : {std::pair{0, 3}, {1, 4}}) {
    x->submit(play_cell(a)), hub.settle();
    o->submit(play_cell(b)), hub.settle();
  }
  CHECK(hub.actors_running() == running + 1);
  x->submit(play_cell(2));
  o->submit(play_cell(5));
  hub.settle();
  CHECK(x->pending_replies == 0);
  CHECK(o->pending_replies == 0);
  REQUIRE(last_refusal(*o) != nullptr);
  CHECK(last_refusal(*o)->why == refusal::game_over);
  CHECK(hub.actors_running() == running);
}

TEST_CASE("runtime: every intent that is not carried out is answered with its reason") {
  test_hub hub;
  const auto c = hub.connect(test_hub::cells_wire);
  const auto refuses = [&](intent what, refusal why) {
    c->clear_events();
    c->submit(std::move(what));
    // The gateway is told nothing in the middle of its call.
    CHECK(c->events.empty());
    hub.settle();
    REQUIRE(c->events.size() == 1);
    REQUIRE(last_refusal(*c) != nullptr);
    CHECK(last_refusal(*c)->why == why);
    CHECK(c->pending_replies == 0);
  };
  refuses(play_cell(0), refusal::not_in_game);
  refuses(play_cell(0, game_id{77}), refusal::not_in_game);
  refuses(leave{}, refusal::not_in_game);
  refuses(leave{game_id{77}}, refusal::not_in_game);
  refuses(seek{}, refusal::unknown_engine);
  refuses(seek_once("chess"), refusal::unknown_engine);
  auto with_options = std::get<seek>(seek_once());
  with_options.options = {R"({"no such option":1})"};
  refuses(with_options, refusal::bad_options);
  CHECK_FALSE(last_refusal(*c)->detail.empty());
  c->submit(sign_in_as("ann")), hub.settle();
  refuses(sign_in_as("ann"), refusal::already_signed_in);
  c->submit(seek_once()), hub.settle();
  refuses(seek_once(), refusal::already_in_game);
  refuses(play_cell(0), refusal::not_your_turn);
  const auto o = hub.connect(test_hub::cells_wire);
  o->submit(seek_once()), hub.settle();
  refuses(seek_once(), refusal::already_in_game);
  refuses(play_cell(9), refusal::out_of_bounds);
  c->submit(play_cell(0)), hub.settle();
  refuses(play_cell(1), refusal::not_your_turn);
  CHECK(refusals(hub, test_hub::cells_wire, refusal::not_in_game) == 4);
  CHECK(refusals(hub, test_hub::cells_wire, refusal::out_of_bounds) == 1);
}

TEST_CASE("runtime: a refused move comes back exactly as it was said") {
  test_hub hub;
  const auto x = hub.connect(test_hub::documents_wire);
  const auto o = hub.connect(test_hub::documents_wire);
  x->submit(seek_again({"tictactoe"})), hub.settle();
  o->submit(seek_again({"tictactoe"})), hub.settle();
  const std::string odd = R"( { "row" : -0.5e1 , "column":"\u0000" } )";
  x->submit(play_document(odd, x->events.back().game)), hub.settle();
  REQUIRE(last_refusal(*x) != nullptr);
  CHECK(last_refusal(*x)->what.text == odd);
  CHECK(last_refusal(*x)->why == refusal::out_of_bounds);
}

TEST_CASE("runtime: a withdrawn seek is not paired") {
  test_hub hub;
  const auto a = hub.connect(test_hub::cells_wire);
  const auto b = hub.connect(test_hub::cells_wire);
  a->submit(seek_once()), hub.settle();
  a->submit(leave{}), hub.settle();
  CHECK(a->last<done>() != nullptr);
  b->submit(seek_once()), hub.settle();
  CHECK(hub.games_started() == 0);
  CHECK(b->last<placed>()->seat == 0);
  a->submit(seek_once()), hub.settle();
  CHECK(hub.games_started() == 1);
  CHECK(a->last<placed>()->seat == 1);
}

TEST_CASE("runtime: a client that disconnects while waiting leaves the queue") {
  test_hub hub{{.loops = GENERATE(1, 2)}};
  const auto last = hub.loop_count() - 1;
  const auto a = hub.connect(test_hub::cells_wire, last);
  a->submit(seek_once()), hub.settle();
  a->disconnect(), hub.settle();
  const auto b = hub.connect(test_hub::cells_wire);
  b->submit(seek_once()), hub.settle();
  CHECK(hub.games_started() == 0);
  CHECK(hub.cells(0).engines[hub.engine("tictactoe")].players_waiting.value() == 1);
  CHECK(hub.sessions_open() == 1);
}

TEST_CASE("runtime: waits in one queue per engine, and plays whichever comes first") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  const auto b = hub.connect(test_hub::documents_wire);
  const auto c = hub.connect(test_hub::documents_wire);
  a->submit(seek_again({"tictactoe", "connect-four", "chess"})), hub.settle();
  CHECK(a->last<placed>()->engine == "tictactoe");
  b->submit(seek_once("connect-four")), hub.settle();
  REQUIRE(a->last<started>() != nullptr);
  CHECK(a->last<started>()->engine == "connect-four");
  c->submit(seek_once("tictactoe")), hub.settle();
  CHECK(c->last<started>() == nullptr);
}

TEST_CASE("runtime: plays several games at once, each its own, up to what it asked for") {
  test_hub hub{{.loops = 2}};
  const auto host = hub.connect(test_hub::documents_wire, 0);
  host->submit(seek_again({"tictactoe"}, 2)), hub.settle();
  std::vector<std::shared_ptr<test_client>> guests;
  for (std::size_t i = 0; i < 3; ++i) {
    guests.push_back(hub.connect(test_hub::cells_wire, i % 2));
    guests.back()->submit(seek_once()), hub.settle();
  }
  CHECK(times<started>(*host) == 2);
  CHECK(guests[2]->last<started>() == nullptr);
  const auto first = guests[0]->events.back().game, second = guests[1]->events.back().game;
  REQUIRE(first != second);
  // Which of the two does it mean?
  host->submit(play_cell(0)), hub.settle();
  CHECK(last_refusal(*host)->why == refusal::malformed);
  host->submit(play_document(square(0), first)), hub.settle();
  host->submit(play_document(square(8), second)), hub.settle();
  CHECK(guests[0]->last_position()->cells == "X--------");
  CHECK(guests[1]->last_position()->cells == "--------X");
  // One game ends, and the one who waited is seated.
  guests[0]->submit(leave{}), hub.settle();
  CHECK(times<started>(*host) == 3);
  CHECK(guests[2]->last<started>() != nullptr);
  CHECK(host->pending_replies == 0);
  CHECK(hub.games_started() - hub.games_finished() == 2);
}

TEST_CASE("runtime: the same two players are paired again after a second if others may come") {
  test_hub hub{{.loops = 2}};
  const auto other = hub.connect(test_hub::documents_wire),
             guest = hub.connect(test_hub::cells_wire);
  other->submit(seek_again({"tictactoe"})), hub.settle();
  guest->submit(seek_once()), hub.settle();
  const auto a = hub.connect(test_hub::documents_wire, 0);
  const auto b = hub.connect(test_hub::documents_wire, 1);
  a->submit(seek_again({"tictactoe"})), hub.settle();
  b->submit(seek_again({"tictactoe"})), hub.settle();
  a->submit(leave{}), hub.settle();
  CHECK(hub.games_finished() == 1);
  CHECK(hub.games_started() == 2);
  if (GENERATE(false, true)) {
    const auto c = hub.connect(test_hub::cells_wire);
    c->submit(seek_once()), hub.settle();
    CHECK(c->last<started>() != nullptr);
    hub.advance(2s);
    CHECK(hub.games_started() == 3);
  } else {
    hub.advance(999ms);
    CHECK(hub.games_started() == 2);
    hub.advance(1ms);
    CHECK(hub.games_started() == 3);
    CHECK(times<started>(*a) == 2);
    CHECK(times<started>(*b) == 2);
  }
}

TEST_CASE("runtime: players meet under the names they signed in with") {
  test_hub hub;
  const auto a = hub.connect(test_hub::documents_wire);
  const auto b = hub.connect(test_hub::documents_wire);
  const auto c = hub.connect(test_hub::cells_wire);
  // In one breath, as a client of turns does.
  a->submit(sign_in_as("dup")), a->submit(seek_again({"tictactoe"}, 2));
  b->submit(sign_in_as("dup")), b->submit(seek_again({"tictactoe"}, 2));
  hub.settle();
  CHECK(a->last<signed_in>()->name == "dup");
  CHECK(b->last<signed_in>()->name == "dup-1");
  REQUIRE(a->last<started>() != nullptr);
  CHECK(a->last<started>()->players == std::vector<std::string>{"dup", "dup-1"});
  c->submit(seek_once()), hub.settle();
  CHECK(c->last<started>()->players == std::vector<std::string>{"dup", "client-3"});
}

TEST_CASE("runtime: a name alone does not resume a player, and is free when its player has left") {
  test_hub hub{{.grace = 60s}};
  const auto a = hub.connect(test_hub::documents_wire);
  a->submit(sign_in_as("ann")), hub.settle();
  const auto b = hub.connect(test_hub::documents_wire);
  b->submit(sign_in_as("ann")), hub.settle();
  CHECK(b->last<signed_in>()->name == "ann-1");
  CHECK(b->last<signed_in>()->secret != a->last<signed_in>()->secret);
  a->disconnect(), hub.settle();
  const auto c = hub.connect(test_hub::documents_wire);
  c->submit(sign_in_as("ann")), hub.settle();
  CHECK(c->last<signed_in>()->name == "ann");
}

TEST_CASE("runtime: takes no more connections than it may, until one goes") {
  test_hub hub{{.loops = 2, .settings = {120s, 0s, 0s, 2, 100}}};
  const auto a = hub.connect(test_hub::cells_wire, 0);
  const auto b = hub.connect(test_hub::documents_wire, 1);
  const auto c = hub.connect(test_hub::cells_wire, 0);
  CHECK_FALSE(c->connected());
  CHECK(c->closed == close_reason::hub_full);
  a->disconnect(), hub.settle();
  CHECK(hub.connect(test_hub::documents_wire, 1)->connected());
  CHECK_FALSE(hub.connect(test_hub::documents_wire, 1)->connected());
}

TEST_CASE("runtime: the client that has been unused for the longest time makes room (S04)") {
  test_hub hub{{.settings = {120s, 0s, 0s, 5, 100}}};
  auto& at = hub.runtime().acceptor_for(test_hub::documents_wire, 0);
  const auto connect = [&](std::size_t wire) { return hub.connect(wire); };
  const auto ann = connect(test_hub::cells_wire), bob = connect(test_hub::cells_wire),
             cid = connect(test_hub::documents_wire), dan = connect(test_hub::cells_wire);
  for (const auto& each : {ann, bob, cid}) each->submit(seek_once()), hub.settle();
  // There is a place.
  CHECK_FALSE(at.make_room(unused_client::newcomer));
  const auto eve = connect(test_hub::documents_wire);
  eve->submit(sign_in{"eve", {}}), hub.settle();
  CHECK_FALSE(connect(test_hub::cells_wire)->connected());
  // dan and eve never asked for a game, but may do so yet; their protocols do not matter.
  CHECK_FALSE(at.make_room(unused_client::idle));
  CHECK_FALSE(at.make_room(unused_client::newcomer));
  hub.advance(actors::session::unused_sessions::newcomers_kept_for);
  CHECK(at.make_room(unused_client::newcomer));
  CHECK(dan->closed == close_reason::idle);
  hub.settle();
  const auto fay = connect(test_hub::cells_wire);
  CHECK(fay->connected());
  CHECK(at.make_room(unused_client::newcomer));
  CHECK(eve->closed == close_reason::idle);
  hub.settle();
  const auto gus = connect(test_hub::cells_wire);
  fay->submit(seek_once("nim")), gus->submit(seek_once("gomoku")), hub.settle();
  // All play or wait, until a game ends and a seek is withdrawn.
  CHECK_FALSE(at.make_room(unused_client::newcomer));
  CHECK_FALSE(at.make_room(unused_client::idle));
  cid->submit(leave{}), hub.settle();
  ann->submit(leave{}), hub.settle();
  CHECK(at.make_room(unused_client::idle));
  CHECK(cid->closed == close_reason::idle);
  hub.settle();
  const auto hal = connect(test_hub::cells_wire);
  hal->submit(seek_once("nim")), hub.settle();
  // Who plays again is used again.
  bob->submit(seek_once("connect-four")), hub.settle();
  CHECK(at.make_room(unused_client::idle));
  CHECK(ann->closed == close_reason::idle);
  CHECK_FALSE(bob->closed.has_value());
  hub.settle();
  CHECK_FALSE(at.make_room(unused_client::idle));
  CHECK(hub.cells(0).wires[test_hub::cells_wire].sessions_evicted.value() == 2);
  CHECK(hub.cells(0).wires[test_hub::documents_wire].sessions_evicted.value() == 2);
  CHECK(hub.sessions_open() == 4);
}

TEST_CASE("runtime: without an unused client on its loop the others make room for the next") {
  test_hub hub{{.loops = 2, .settings = {120s, 0s, 0s, 2, 100}}};
  const auto a = hub.connect(test_hub::cells_wire, 0);
  const auto b = hub.connect(test_hub::cells_wire, 0);
  auto& at = hub.runtime().acceptor_for(test_hub::documents_wire, 1);
  hub.advance(actors::session::unused_sessions::newcomers_kept_for);
  CHECK_FALSE(at.make_room(unused_client::newcomer));
  hub.settle();
  CHECK_FALSE(a->closed.has_value());
  CHECK_FALSE(at.make_room(unused_client::idle));
  hub.settle();
  CHECK(a->closed == close_reason::idle);
  CHECK_FALSE(b->closed.has_value());
  CHECK(hub.connect(test_hub::documents_wire, 1)->connected());
}

TEST_CASE("runtime: no client makes room for one that its address has no place for") {
  address_ledger ledger{{.sessions = 1}, {3, 4}};
  test_hub hub{{.settings = {120s, 0s, 0s, 1, 100}}};
  const auto account = ledger.account_of(*base::read_address("203.0.113.9"));
  const auto first = hub.connect(test_hub::cells_wire, 0, account);
  const auto second = hub.connect(test_hub::cells_wire, 0, account);
  CHECK(second->closed == close_reason::address_limit);
}

TEST_CASE("runtime: opens no more games than it may, until one has ended") {
  test_hub hub{{.settings = {120s, 0s, 0s, 100, 1}}};
  const auto a = hub.connect(test_hub::cells_wire);
  const auto b = hub.connect(test_hub::cells_wire);
  const auto c = hub.connect(test_hub::cells_wire);
  a->submit(seek_once()), b->submit(seek_once());
  hub.settle();
  c->submit(seek_once()), hub.settle();
  REQUIRE(last_refusal(*c) != nullptr);
  CHECK(last_refusal(*c)->why == refusal::hub_full);
  a->submit(leave{}), hub.settle();
  c->clear_events();
  c->submit(seek_once()), hub.settle();
  CHECK(c->last<placed>() != nullptr);
}

TEST_CASE("runtime: a client that asks for nothing is closed after the handshake time") {
  test_hub hub{{.settings = {120s, 30s, 600s, 100, 100}}};
  const auto silent = hub.connect(test_hub::cells_wire);
  const auto waiting = hub.connect(test_hub::cells_wire);
  const auto idle = hub.connect(test_hub::cells_wire);
  waiting->submit(seek_once()), idle->submit(play_cell(0));
  hub.settle();
  hub.advance(29s);
  CHECK_FALSE(silent->closed.has_value());
  hub.advance(1s);
  CHECK(silent->closed == close_reason::handshake_timeout);
  hub.advance(1h);
  // A waiting client is not idle.
  CHECK_FALSE(waiting->closed.has_value());
  CHECK(idle->closed.has_value());
  CHECK(hub.sessions_open() == 1);
}

TEST_CASE("runtime: a client that neither plays nor waits is closed after the idle time") {
  test_hub hub{{.settings = {120s, 30s, 60s, 100, 100}}};
  const auto a = hub.connect(test_hub::cells_wire);
  const auto b = hub.connect(test_hub::cells_wire);
  a->submit(seek_once()), b->submit(seek_once());
  hub.settle();
  hub.advance(100s);
  CHECK_FALSE(a->closed.has_value());
  CHECK_FALSE(b->closed.has_value());
  a->submit(leave{}), hub.settle();
  hub.advance(59s);
  CHECK_FALSE(a->closed.has_value());
  hub.advance(1s);
  CHECK(a->closed == close_reason::idle);
  CHECK(b->closed == close_reason::idle);
  CHECK(hub.sessions_open() == 0);
  CHECK(hub.actors_running() == 0);
}

TEST_CASE("runtime: the moves of each engine and wire are counted once") {
  test_hub hub{{.loops = 2}};
  const auto x = hub.connect(test_hub::cells_wire, 0);
  const auto o = hub.connect(test_hub::documents_wire, 1);
  x->submit(seek_once()), hub.settle();
  o->submit(seek_again({"tictactoe"})), hub.settle();
  x->submit(play_cell(0)), hub.settle();
  x->submit(play_cell(1)), hub.settle();
  o->submit(play_document(square(0), o->events.back().game)), hub.settle();
  o->submit(play_document(square(1), o->events.back().game)), hub.settle();
  const auto engine = hub.engine("tictactoe");
  const auto& by_cells = hub.cells(0).wires[test_hub::cells_wire].moves[engine];
  const auto& by_documents = hub.cells(1).wires[test_hub::documents_wire].moves[engine];
  CHECK(by_cells.accepted.value() == 1);
  CHECK(by_cells.refused.value() == 1);
  CHECK(by_documents.accepted.value() == 1);
  CHECK(by_documents.refused.value() == 1);
}

TEST_CASE("runtime: a move that is said again counts once") {
  test_hub hub;
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::cells_wire);
  x->submit(seek_once()), hub.settle();
  o->submit(seek_once()), hub.settle();
  const auto before = x->last_position()->number;
  const auto again = [](std::int64_t cell, std::uint64_t after) {
    auto what = std::get<play>(play_cell(cell));
    what.repeated_after = after;
    return what;
  };
  // It was not made.
  x->submit(again(4, before)), hub.settle();
  CHECK(x->last_position()->cells == "----X----");
  o->submit(play_cell(0)), hub.settle();
  const auto now = x->last_position()->number;
  // It was made, and the opponent has answered it.
  x->submit(again(4, before)), hub.settle();
  CHECK(last_refusal(*x) == nullptr);
  CHECK(x->pending_replies == 0);
  CHECK(x->last_position()->cells == "O---X----");
  CHECK(x->last_position()->number == now);
  CHECK(x->last_position()->prompted == only(0));
  CHECK(times<position_ref>(*o) == 3);
  // The move of the other seat is not its.
  x->submit(again(8, now)), hub.settle();
  CHECK(x->last_position()->cells == "O---X---X");
  x->submit(again(8, x->last_position()->number)), hub.settle();
  CHECK(last_refusal(*x) != nullptr);
}
