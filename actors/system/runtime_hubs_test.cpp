// Hubs of a cluster: who comes back is found at the hub that has its player, and players of
// different hubs meet.
#include "actors/lobby/lobby.hpp"
#include "actors/relay/home_client.hpp"
#include "actors/session/player_registry.hpp"
#include "actors/system/runtime.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hub_world.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

const std::string centre = R"({"type":"move","row":1,"column":1})";

// Plays the cells of the first row for who begins, and others for the other one, to the end.
void play_out(hub_world& w, test_client& first, test_client& second, game_id game) {
  for (int i = 0; i < 3; ++i) {
    first.submit(
        play_document(R"({"type":"move","row":0,"column":)" + std::to_string(i) + "}", game));
    w.settle();
    if (i == 2) break;
    second.submit(
        play_document(R"({"type":"move","row":1,"column":)" + std::to_string(i) + "}", game));
    w.settle();
  }
}

// Its wire does not tell the seat before the game.
intent seek_any_seat() {
  seek s;
  s.engines = {"tictactoe"};
  return s;
}

game_id game_of(const test_client& c) {
  for (const auto& e : c.events)
    if (std::holds_alternative<started>(e.what)) return e.game;
  return {};
}

}  // namespace

TEST_CASE("hubs: players of two hubs meet, play to the end, and keep their names") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  CHECK(ann->pending_replies == 0);
  CHECK(ann->last<placed>() != nullptr);
  bob->submit(seek_once()), w.settle();
  REQUIRE(ann->last<started>() != nullptr);
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->players == std::vector<std::string>{"ann", "bob"});
  CHECK(bob->pending_replies == 0);
  // The player has moved with its name.
  CHECK((w.owner_of("ann") == 1 && w.owner_of("bob") == 1));
  CHECK(w.hub(0).games_started() == 1);
  CHECK(w.hub(1).games_started() == 0);
  play_out(w, *ann, *bob, game_of(*ann));
  REQUIRE(bob->last_position()->outcome);
  CHECK(bob->last_position()->outcome->winner == 0);
  CHECK((ann->pending_replies == 0 && bob->pending_replies == 0));
  CHECK((ann->unexpected_replies == 0 && bob->unexpected_replies == 0));
  bob->disconnect(), w.settle();
  w.advance(3s);
  CHECK((w.owner_of("ann") == 1 && w.owner_of("bob") == 0));
  CHECK(w.hub(0).sessions_open() == 1);
  CHECK(w.hub(1).sessions_open() == 0);
}

TEST_CASE("hubs: intents of another hub beyond what one client may have at once are refused") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  auto& attacked = w.exchange(0);
  constexpr ticket many = 1'000;
  constexpr std::size_t most = actors::relay::home_client::unanswered_max;
  for (ticket i = 0; i < many; ++i) {
    const relay::request more{bob->id(), 1'000 + i, {}, chat{game_of(*bob), "more"}};
    attacked.on_message({2}, *relay::encode(more, w.hub(0).now()), w.hub(0).now());
  }
  w.settle();
  CHECK(attacked.count().refused[static_cast<std::size_t>(relay::demand::intent)] == many - most);
  // Both play on.
  play_out(w, *ann, *bob, game_of(*ann));
  REQUIRE(bob->last_position()->outcome);
  CHECK((ann->pending_replies == 0 && bob->pending_replies == 0));
  CHECK((ann->unexpected_replies == 0 && bob->unexpected_replies == 0));
}

TEST_CASE("hubs: of two players who ask at the same time one goes to the other") {
  for (const auto first : {0, 1}) {
    hub_world w{2};
    const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
    const auto& at_first = first == 0 ? ann : bob;
    const auto& at_second = first == 0 ? bob : ann;
    at_first->submit(seek_once()), at_second->submit(seek_once());
    w.settle();
    REQUIRE(ann->last<started>() != nullptr);
    REQUIRE(bob->last<started>() != nullptr);
    CHECK(game_of(*ann) == game_of(*bob));
    CHECK(w.hub(0).games_started() + w.hub(1).games_started() == 1);
    CHECK((ann->pending_replies == 0 && bob->pending_replies == 0));
  }
}

TEST_CASE("hubs: a client of another hub wins when the other one leaves, and is told who left") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  bob->submit(leave{game_of(*bob)}), w.settle();
  REQUIRE(ann->last_position()->outcome);
  CHECK(ann->last_position()->outcome->winner == 0);
  CHECK(ann->last_position()->outcome->reason == end_reason::left);
  CHECK(bob->pending_replies == 0);
}

TEST_CASE("hubs: who comes back at any hub finds its game there") {
  hub_world w{3, {.grace = 60s}};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(0, "bob");
  const auto secret = ann->last<signed_in>()->secret;
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  const auto game = game_of(*ann);
  ann->disconnect(), w.settle();
  const auto back = w.connect(2, test_hub::documents_wire);
  back->submit(sign_in{"", secret}), w.settle();
  REQUIRE(back->last<signed_in>() != nullptr);
  CHECK(back->last<signed_in>()->name == "ann");
  CHECK(back->last<signed_in>()->secret == secret);
  CHECK(back->last<signed_in>()->returned);
  CHECK(back->last<signed_in>()->games == 1);
  REQUIRE(back->last<started>() != nullptr);
  play_out(w, *back, *bob, game);
  REQUIRE(bob->last_position()->outcome);
  CHECK(bob->last_position()->outcome->winner == 0);
  CHECK(back->pending_replies == 0);
  CHECK(w.exchange(2).count().entries == 1);
  CHECK(w.exchange(0).count().homes == 1);
  // The next one takes its place, at its own hub.
  const auto again = w.connect(0, test_hub::documents_wire);
  again->submit(sign_in{"", secret}), w.settle();
  CHECK(back->closed == close_reason::replaced);
  CHECK(again->last<signed_in>()->name == "ann");
  w.settle();
  CHECK(w.exchange(2).count().entries == 0);
  CHECK(w.exchange(0).count().homes == 0);
}

TEST_CASE("hubs: who has moved comes back at its own hub, at the new one, and at a third one") {
  for (const std::size_t at : {0u, 1u, 2u}) {
    hub_world w{3, {.grace = 60s}};
    const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
    const auto secret = bob->last<signed_in>()->secret;
    ann->submit(seek_once()), w.settle();
    bob->submit(seek_once()), w.settle();
    bob->disconnect(), w.settle();
    const auto back = w.connect(at, test_hub::documents_wire);
    back->submit(sign_in{"", secret}), w.settle();
    REQUIRE(back->last<signed_in>() != nullptr);
    CHECK(back->last<signed_in>()->name == "bob");
    CHECK(back->last<signed_in>()->secret == secret);
    CHECK(back->last<started>() != nullptr);
    CHECK(back->pending_replies == 0);
  }
}

TEST_CASE("hubs: an unknown secret is that of a new player after all hubs were asked") {
  hub_world w{3};
  const auto who = w.connect(1, test_hub::documents_wire);
  who->submit(sign_in{"eve", "a secret that no player has"}), w.settle();
  REQUIRE(who->last<signed_in>() != nullptr);
  CHECK_FALSE(who->last<signed_in>()->returned);
  CHECK(who->last<signed_in>()->name == "eve");
}

TEST_CASE("hubs: a hub that does not answer is not waited for") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann");
  w.cut[{0, 1}] = true;
  ann->submit(seek_once()), w.settle();
  CHECK(ann->last<placed>() == nullptr);
  w.advance(2s);
  CHECK(ann->last<placed>() != nullptr);
  // Its opponent of that hub comes, when it can be asked.
  w.cut.erase({0, 1});
  const auto bob = w.sign_in_at(1, "bob");
  bob->submit(seek_once()), w.settle();
  CHECK(ann->last<started>() != nullptr);
  CHECK(bob->last<started>() != nullptr);
}

TEST_CASE("hubs: players who wait at two hubs meet when the link between them is there") {
  hub_world w{2};
  w.break_link(0, 1);
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_any_seat()), bob->submit(seek_any_seat());
  w.settle();
  CHECK((ann->last<placed>() != nullptr && bob->last<placed>() != nullptr));
  w.link(0, 1);
  w.settle();
  REQUIRE(ann->last<started>() != nullptr);
  REQUIRE(bob->last<started>() != nullptr);
  // The seek was answered before: not again.
  CHECK((ann->unexpected_replies == 0 && bob->unexpected_replies == 0));
}

TEST_CASE("hubs: a seat that was told is kept at another hub") {
  hub_world w{2};
  w.break_link(0, 1);
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), bob->submit(seek_once());
  w.settle();
  REQUIRE(ann->last<placed>() != nullptr);
  CHECK(ann->last<placed>()->seat == 0);
  w.link(0, 1);
  w.settle();
  // Both were told that they begin.
  CHECK(ann->last<started>() == nullptr);
  const auto cid = w.sign_in_at(1, "cid");
  seek second = std::get<seek>(seek_once());
  second.seat = 1;
  cid->submit(second), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->seat == 0);
}

TEST_CASE("hubs: a client whose hub of the game dies is told to come back when no hub has it") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  w.kill(0);
  w.settle();
  w.advance(9s);
  CHECK_FALSE(bob->closed);
  w.advance(2s);
  CHECK(bob->closed == close_reason::draining);
  CHECK(w.exchange(1).count().entries == 0);
  CHECK(w.hub(1).sessions_open() == 0);
}

TEST_CASE(
    "hubs: a move that comes just as the hub of the game has gone does not close its client") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  // Before the session hears of it.
  bob->submit(play_cell(4));
  w.kill(0);
  w.settle();
  CHECK_FALSE(bob->closed);
  CHECK(bob->pending_replies == 1);
  w.advance(11s);
  CHECK(bob->closed == close_reason::draining);
}

TEST_CASE("hubs: a client that goes just as its player is looked for again is looked for no more") {
  hub_world w{3};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  w.kill(0);
  w.settle();
  REQUIRE(w.hub(1).sessions_open() == 1);
  REQUIRE_FALSE(bob->closed);
  const auto asked = w.exchange(2).count().received;
  // After a pause of the process, the hub finds both at once: that the client has gone, and its
  // timer.
  bob->disconnect();
  w.hub(1).pass(1s);
  w.settle();
  CHECK(w.exchange(2).count().received == asked);
  CHECK(w.hub(1).sessions_open() == 0);
}

TEST_CASE(
    "hubs: a client without a game and a name is a new player when the hub of its player dies") {
  hub_world w{2};
  const auto ann = w.connect(0), bob = w.connect(1);
  seek first = std::get<seek>(seek_once());
  first.seat = 0;
  ann->submit(first), w.settle();
  bob->submit(seek_once()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  play_out(w, *ann, *bob, {});
  // The one that has moved waits at the other's hub.
  bob->submit(seek_once()), w.settle();
  REQUIRE(w.exchange(1).count().entries == 1);
  w.kill(0);
  w.settle();
  REQUIRE_FALSE(bob->closed);
  CHECK(w.exchange(1).count().entries == 0);
  const auto cid = w.connect(1);
  bob->clear_events();
  cid->submit(seek_once()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->seat == 0);
  CHECK(bob->unexpected_replies == 0);
}

TEST_CASE("hubs: a name is not given again while its player's move is unanswered") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once());
  while (w.owner_of("bob") != 1) w.step_once();
  // The other hub has the name, and this one does not know it yet.
  REQUIRE_FALSE(bob->last<started>());
  bob->disconnect();
  w.hub(1).settle();
  const auto other = w.connect(1, test_hub::documents_wire);
  other->submit(sign_in{"Bob", {}});
  w.hub(1).settle();
  CHECK(other->last<signed_in>() == nullptr);
  w.settle();
  w.advance(10s);
  REQUIRE(other->last<signed_in>() != nullptr);
  CHECK(w.owner_of(other->last<signed_in>()->name) == 2);
  CHECK(w.hub(0).sessions_open() == 1);
}

TEST_CASE("hubs: what a client sent before its player moved is answered once") {
  const auto kinds = {intent{leave{}}, intent{change_name{"rob"}}, intent{chat{{}, "hi"}}};
  for (int steps = 0; steps < 20; ++steps)
    for (const auto& each : kinds) {
      hub_world w{2};
      const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
      ann->submit(seek_once()), w.settle();
      bob->submit(seek_once());
      for (int i = 0; i < steps; ++i) w.step_once();
      bob->submit(each);
      w.settle();
      CAPTURE(steps, each.index());
      CHECK(bob->pending_replies == 0);
      CHECK(bob->unexpected_replies == 0);
    }
}

TEST_CASE("hubs: where players have just come, a player waits a moment before others are asked") {
  hub_world w{2};
  const auto dan = w.sign_in_at(1, "dan");
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(0, "bob"),
             cid = w.sign_in_at(0, "cid"), eva = w.sign_in_at(0, "eva");
  dan->submit(seek_any_seat()), w.settle();
  w.advance(1s);
  seek other;
  other.engines = {"gomoku"};
  ann->submit(other), w.settle();
  bob->submit(seek_any_seat()), w.settle();
  CHECK(bob->last<started>() == nullptr);
  CHECK(bob->pending_replies == 1);
  cid->submit(seek_any_seat()), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last<started>()->players == std::vector<std::string>{"bob", "cid"});
  CHECK(bob->pending_replies == 0);
  eva->submit(seek_any_seat()), w.settle();
  CHECK(eva->last<started>() == nullptr);
  w.advance(actors::lobby::lobby::question_pause);
  REQUIRE(eva->last<started>() != nullptr);
  CHECK(eva->last<started>()->players == std::vector<std::string>{"dan", "eva"});
}

TEST_CASE("hubs: a hub that drains does not wait for the answer of another one") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once());
  while (w.owner_of("bob") != 1) w.step_once();
  bob->disconnect();
  w.hub(1).settle();
  CHECK(w.hub(1).sessions_open() == 1);
  w.hub(1).runtime().begin_drain([] {});
  w.hub(1).settle();
  CHECK(w.hub(1).sessions_open() == 0);
}

// Returns bob, who is connected to hub 2, and cid, of hub 0. Bob has met an opponent at hub 1
// before, and cid since: hub 1 is between bob's client and his player.
auto seat_through_hub_1(hub_world& w) {
  const auto bob = w.connect(2), ann = w.connect(1);
  seek first = std::get<seek>(seek_once());
  first.seat = 0;
  ann->submit(first), w.settle();
  bob->submit(seek_once()), w.settle();
  play_out(w, *ann, *bob, {});
  ann->disconnect(), w.advance(1s);
  const auto cid = w.connect(0);
  cid->submit(first), w.settle();
  bob->clear_events();
  bob->submit(seek_once()), w.settle();
  return std::pair{bob, cid};
}

TEST_CASE("hubs: a client goes on when a hub between it and its player ends") {
  for (const bool drains : {false, true}) {
    CAPTURE(drains);
    hub_world w{3};
    const auto [bob, cid] = seat_through_hub_1(w);
    REQUIRE(bob->last<started>() != nullptr);
    REQUIRE(w.exchange(1).count().entries == 1);
    if (drains)
      w.hub(1).runtime().begin_drain([] {}), w.settle();
    else
      w.kill(1), w.settle();
    CHECK_FALSE(bob->closed);
    CHECK(w.exchange(2).count().returned == 1);
    bob->clear_events();
    cid->submit(play_cell(4)), w.settle();
    REQUIRE(bob->last_position() != nullptr);
    bob->submit(play_cell(0)), w.settle();
    CHECK(cid->last_position()->cells == "O---X----");
    CHECK(bob->pending_replies == 0);
    w.advance(11s);
    CHECK_FALSE(cid->last_position()->outcome);
    CHECK_FALSE(bob->closed);
  }
}

TEST_CASE("hubs: a client with a standing seek goes on when a hub between it and its player ends") {
  for (const bool drains : {false, true}) {
    CAPTURE(drains);
    hub_world w{3};
    w.break_link(0, 2);
    const auto cid = w.sign_in_at(0, "cid"), ann = w.sign_in_at(1, "ann"),
               bob = w.sign_in_at(2, "bob");
    cid->submit(seek_once()), w.settle();
    ann->submit(seek_once("nim")), w.settle();
    // It comes to hub 1 for ann, who has gone then, and goes on to hub 0.
    bob->submit(seek_again({"nim", "tictactoe"}));
    while (w.owner_of("bob") != 2) w.step_once();
    ann->disconnect(), w.settle();
    w.advance(1s);
    REQUIRE(w.owner_of("bob") == 1);
    const auto game = game_of(*cid);
    w.link(0, 2), w.settle();
    if (drains)
      w.hub(1).runtime().begin_drain([] {}), w.settle();
    else
      w.kill(1), w.settle();
    CHECK_FALSE(bob->closed);
    CHECK(w.exchange(2).count().returned == 1);
    play_out(w, *cid, *bob, game);
    REQUIRE(bob->last_position()->outcome);
    CHECK(bob->pending_replies == 0);
    // Its seek stands.
    const auto dan = w.sign_in_at(0, "dan");
    dan->submit(seek_once()), w.advance(1s);
    CHECK(dan->last<started>() != nullptr);
    CHECK_FALSE(bob->closed);
  }
}

TEST_CASE("hubs: an end that was lost with a hub on the way is told when the client goes on") {
  hub_world w{3};
  const auto [bob, cid] = seat_through_hub_1(w);
  REQUIRE(bob->last<started>() != nullptr);
  for (const auto cell : {0, 3, 1, 4}) (cell < 3 ? cid : bob)->submit(play_cell(cell)), w.settle();
  w.hub(1).runtime().begin_drain([] {}), w.hub(1).settle();
  cid->submit(play_cell(2)), w.settle();
  REQUIRE(cid->last_position()->outcome);
  CHECK(bob->last_position()->outcome);
  CHECK(bob->pending_replies == 0);
  bob->submit(seek_once()), w.advance(1s);
  CHECK(bob->pending_replies == 0);
  w.advance(11s);
  CHECK_FALSE(bob->closed);
}

TEST_CASE(
    "hubs: a player that waits is not seated after a hub on the way to its client has drained") {
  hub_world w{3};
  const auto [bob, cid] = seat_through_hub_1(w);
  play_out(w, *cid, *bob, {});
  cid->disconnect(), w.advance(1s);
  bob->submit(seek_once()), w.settle();
  w.hub(1).runtime().begin_drain([] {}), w.settle();
  bob->clear_events();
  const auto dan = w.connect(0);
  dan->submit(seek_once()), w.advance(1s);
  REQUIRE(dan->last<started>() != nullptr);
  CHECK(bob->last<started>() != nullptr);
}

TEST_CASE("hubs: a player whose client went with a hub between them is not awaited for long") {
  for (const bool hub_of_client : {false, true}) {
    CAPTURE(hub_of_client);
    hub_world w{3};
    const auto [bob, cid] = seat_through_hub_1(w);
    // Else the hub between them says that the way to the client has ended.
    if (!hub_of_client) w.kill(1);
    w.kill(2), w.settle();
    CHECK(w.exchange(0).count().homes == 0);
    w.advance(9s);
    CHECK_FALSE(cid->last_position()->outcome);
    w.advance(2s);
    CHECK(cid->last_position()->outcome);
  }
}

TEST_CASE("hubs: when the hub of a client dies its player is away, and leaves after a while") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  w.kill(1);
  w.settle();
  CHECK(w.exchange(0).count().homes == 0);
  // That hub may go on as another member.
  w.advance(9s);
  CHECK_FALSE(ann->last_position()->outcome);
  // Without a grace it leaves.
  w.advance(1s);
  REQUIRE(ann->last_position()->outcome);
  CHECK(ann->last_position()->outcome->winner == 0);
}

TEST_CASE("hubs: a player whose hub of the opponent dies under way waits at its own one") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  // The answer arrives, and what follows it does not.
  bob->submit(seek_once());
  while (bob->pending_replies != 0 && w.exchange(1).count().entries == 0) w.step_once();
  w.kill(0);
  w.settle();
  REQUIRE_FALSE(bob->closed);
  CHECK(bob->last<placed>() != nullptr);
  CHECK(bob->pending_replies == 0);
  w.advance(3s);
  CHECK(w.owner_of("bob") == 2);
  const auto cid = w.sign_in_at(1, "cid");
  cid->submit(seek_once()), w.settle();
  CHECK(bob->last<started>() != nullptr);
}

TEST_CASE("hubs: a withdrawal, a name and a sign-out reach the hub of the player") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  bob->submit(change_name{"rob"}), w.settle();
  CHECK(bob->pending_replies == 0);
  REQUIRE(ann->last<renamed>() != nullptr);
  CHECK(ann->last<renamed>()->name == "rob");
  bob->submit(sign_in{"bob", {}}), w.settle();
  REQUIRE(bob->last<refused>() != nullptr);
  CHECK(bob->last<refused>()->why == refusal::already_signed_in);
  bob->submit(sign_out{}), w.settle();
  CHECK(bob->pending_replies == 0);
  CHECK(ann->last_position()->outcome);
  w.advance(3s);
  CHECK(w.owner_of("rob") == 0);
}

TEST_CASE("hubs: a long text does not cross a link") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.settle();
  const auto sent = w.exchange(1).count().sent;
  const std::string longest(limits::crossing_text_bytes_max, 'x');
  bob->submit(play_document(longest + 'x', game_of(*bob))), w.settle();
  REQUIRE(bob->last<refused>() != nullptr);
  CHECK(bob->last<refused>()->why == refusal::malformed);
  CHECK(bob->last<refused>()->what.text == longest + 'x');
  bob->submit(chat{game_of(*bob), longest + 'x'}), w.settle();
  CHECK(bob->pending_replies == 0);
  CHECK(w.exchange(1).count().sent == sent);
  bob->submit(play_document(longest, game_of(*bob))), w.settle();
  CHECK(bob->pending_replies == 0);
  CHECK(w.exchange(1).count().sent == sent + 1);
}

TEST_CASE("hubs: for a game of three, players go where one waits that can't move") {
  for (const std::size_t host : {0u, 1u}) {
    CAPTURE(host);
    hub_world w{2};
    seek three = std::get<seek>(seek_once("dots-and-boxes"));
    three.options = {R"({"players":3})"};
    auto told = three;
    told.reserve_game = true;
    const auto ann = w.sign_in_at(host, "ann");
    ann->submit(told), w.settle();
    REQUIRE(ann->last<placed>() != nullptr);
    const auto bob = w.sign_in_at(1 - host, "bob"), cid = w.sign_in_at(1 - host, "cid");
    bob->submit(three), cid->submit(three);
    w.settle();
    w.advance(actors::lobby::lobby::question_pause);
    w.advance(4s), w.advance(4s);
    for (const auto& each : {ann, bob, cid}) REQUIRE(each->last<started>() != nullptr);
    CHECK(game_of(*bob) == game_of(*ann));
    CHECK(w.hub(host).games_started() == 1);
  }
}

TEST_CASE("hubs: a player that seeks a bot of another hub goes there, also if it is busy now") {
  hub_world w{3};
  const auto bot = w.sign_in_at(2, "Dot");
  seek stands;
  stands.engines = {"tictactoe"};
  stands.again = stands.only_by_name = true;
  bot->submit(stands), w.settle();
  const auto seek_bot = [](std::string name) {
    seek s;
    s.engines = {"tictactoe"};
    s.opponent = std::move(name);
    s.opponent_ready = true;
    return s;
  };
  const auto ann = w.sign_in_at(0, "ann"), bob = w.sign_in_at(1, "bob");
  ann->submit(seek_bot("Dot")), w.settle();
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<started>()->players == std::vector<std::string>{"ann", "Dot"});
  CHECK(w.hub(2).games_started() == 1);
  bob->submit(seek_bot("Dot")), w.settle();
  CHECK(bob->last<started>() == nullptr);
  CHECK(bob->last<refused>() == nullptr);
  CHECK(w.owner_of("bob") == 3);
  ann->submit(leave{game_of(*ann)}), w.settle();
  REQUIRE(bob->last<started>() != nullptr);
  CHECK((ann->pending_replies == 0 && bob->pending_replies == 0));
  // No hub has this one, or the engine of it is another one.
  const auto eve = w.sign_in_at(0, "eve");
  auto of_nim = seek_bot("Dot");
  of_nim.engines = {"nim"};
  for (const auto& what : {seek_bot("Dash"), of_nim}) {
    eve->submit(what), w.settle();
    REQUIRE(eve->last<refused>() != nullptr);
    CHECK(eve->last<refused>()->why == refusal::opponent_away);
    CHECK(eve->pending_replies == 0);
    eve->clear_events();
  }
}

TEST_CASE("hubs: a player that seeks a name meets it when it comes to another hub later") {
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann");
  seek for_dot;
  for_dot.engines = {"tictactoe"};
  for_dot.opponent = "Dot";
  ann->submit(for_dot), w.settle();
  CHECK(ann->last<started>() == nullptr);
  const auto bot = w.sign_in_at(1, "Dot");
  seek stands;
  stands.engines = {"tictactoe"};
  stands.again = stands.only_by_name = true;
  bot->submit(stands), w.settle();
  CHECK(ann->last<started>() == nullptr);
  w.advance(4s);
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(w.hub(1).games_started() == 1);
}

TEST_CASE("hubs: many players at random hubs all meet but an odd one") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    base::seeded_entropy random{seed};
    hub_world w{3};
    std::vector<std::shared_ptr<test_client>> all;
    const auto count = seed % 4 == 0 ? 60 : 2 + random.below(7);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto at = random.below(3);
      all.push_back(random.below(2) == 0 ? w.connect(at)
                                         : w.sign_in_at(at, "p" + std::to_string(i)));
      all.back()->submit(seek_once());
      for (auto steps = random.below(6); steps > 0; --steps) w.step_once();
      if (random.below(4) == 0) w.advance(std::chrono::milliseconds{random.below(12)});
    }
    w.settle();
    for (int i = 0; i < 5; ++i) w.advance(2s);
    std::size_t seated = 0;
    for (const auto& c : all) {
      if (c->last<started>() != nullptr) ++seated;
      CHECK(c->pending_replies == 0);
      CHECK(c->unexpected_replies == 0);
      CHECK_FALSE(c->closed);
    }
    CHECK(seated >= count / 2 * 2);
  }
}

TEST_CASE("hubs: a hub that becomes another member loses what it had with others") {
  hub_world w{2, {.grace = 60s}};
  // The player of ann is at the other hub; that of bob, whose client is there, here.
  const auto cid = w.sign_in_at(1, "cid"), ann = w.sign_in_at(0, "ann");
  cid->submit(seek_once()), w.settle();
  ann->submit(seek_once()), w.settle();
  const auto dan = w.sign_in_at(0, "dan"), bob = w.sign_in_at(1, "bob");
  dan->submit(seek_once()), w.settle();
  bob->submit(seek_once()), w.advance(20ms);
  auto& changed = w.exchange(0);
  REQUIRE(changed.count().entries == 1);
  REQUIRE(changed.count().homes == 1);
  const auto sessions = w.hub(0).sessions_open();
  changed.join_as({7});
  CHECK(changed.self() == relay::member_id{7});
  CHECK(changed.others().empty());
  CHECK(changed.living().empty());
  CHECK(changed.count().homes == 0);
  w.settle();
  // Ann looks for her player as when its hub has ended, and bob has no client here.
  CHECK(changed.count().entries == 0);
  CHECK_FALSE(ann->closed);
  CHECK(w.hub(0).sessions_open() == sessions);
  w.advance(11s);
  CHECK(ann->closed == close_reason::draining);
}
