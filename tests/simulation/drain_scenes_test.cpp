// Scenes of hubs that drain, with clients at other hubs and on the way through several. The hubs
// are those of the simulated cluster, and nothing fails.
#include "tests/simulation/linked_hubs.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::tests {
namespace {

using namespace std::chrono_literals;

// A seek of the first seat, so that who comes gets the second one.
intent seek_first_seat() {
  auto what = seek_once();
  std::get<seek>(what).seat = 0;
  return what;
}

void play_moves(linked_hubs& h, test_client& first, test_client& second,
                std::initializer_list<std::int64_t> cells) {
  auto* mover = &first;
  auto* other = &second;
  for (const auto cell : cells) {
    h.submit(*mover, play_cell(cell));
    std::swap(mover, other);
  }
}

// The client plays a game at that hub, whose other player leaves then.
void play_at(linked_hubs& h, test_client& client, std::size_t hub) {
  const auto other = h.connect(hub);
  h.seek(*other, seek_first_seat());
  client.clear_events();
  h.seek(client, seek_once());
  REQUIRE(client.last<started>() != nullptr);
  play_moves(h, *other, client, {0, 3, 1, 4, 2});
  REQUIRE(client.last_position()->outcome);
  h.disconnect(*other);
}

// A game runs at the hub. Who has fewer takes those of a hub that drains over.
void make_busy(linked_hubs& h, std::size_t hub) {
  const auto dan = h.enter(hub, "dan"), eva = h.enter(hub, "eva");
  h.seek(*dan, seek_again({"nim"})), h.seek(*eva, seek_again({"nim"}));
  REQUIRE(eva->last<started>() != nullptr);
}

std::optional<seat_index> winner_told_to(const test_client& c) {
  const auto* const p = c.last_position();
  return p == nullptr || !p->outcome ? std::nullopt : p->outcome->winner;
}

std::ptrdiff_t positions_told(const test_client& c) {
  return std::count_if(c.events.begin(), c.events.end(),
                       [](const event& e) { return std::holds_alternative<position_ref>(e.what); });
}

}  // namespace

// The way of the client leads through hub 0 twice: when that drains, both it and hub 1 look for the
// player.
TEST_CASE("drain: of the hubs on the way to a lost player the one of the client goes on") {
  for (const bool at_hub_of_client : {false, true}) {
    CAPTURE(at_hub_of_client);
    linked_hubs h{3};
    const auto bob = h.connect(2);
    play_at(h, *bob, 0);
    play_at(h, *bob, 1);
    if (at_hub_of_client) make_busy(h, 1);
    const auto cid = h.connect(0);
    h.seek(*cid, seek_first_seat());
    bob->clear_events();
    h.seek(*bob, seek_once());
    REQUIRE(bob->last<started>() != nullptr);
    h.submit(*cid, play_cell(4));
    h.drain(0);
    h.pass(3s);
    CHECK_FALSE(bob->closed);
    CHECK_FALSE(cid->closed);
    play_moves(h, *bob, *cid, {0, 3, 1, 5});
    CHECK(winner_told_to(*bob) == 0);
    CHECK(winner_told_to(*cid) == 0);
    CHECK(bob->pending_replies == 0);
    CHECK(bob->unexpected_replies == 0);
  }
}

TEST_CASE(
    "drain: who comes back after its game has ended is told the end, and is not awaited long") {
  const bool comes_back = GENERATE(true, false);
  linked_hubs h{3};
  const auto bob = h.connect(2), cid = h.connect(0, test_hub::documents_wire);
  h.seek(*cid, seek_first_seat());
  h.seek(*bob, seek_once());
  REQUIRE(bob->last<started>() != nullptr);
  make_busy(h, 2);
  play_moves(h, *cid, *bob, {0, 3, 1, 4, 8});
  h.drain(0);
  // The hub of cid does not reach the one that takes the game over.
  h.cut(0, 1, true);
  h.pass(1s);
  h.submit(*bob, play_cell(5));
  REQUIRE(winner_told_to(*bob) == 1);
  CHECK_FALSE(cid->last_position()->outcome);
  const auto sessions = [&] { return h[1].hub().sessions_open() + h[2].hub().sessions_open(); };
  const auto before = sessions();
  if (!comes_back) cid->disconnect();
  h.cut(0, 1, false);
  h.pass(3s);
  if (comes_back) {
    CHECK(winner_told_to(*cid) == 1);
    // In the form of its protocol.
    CHECK_FALSE(cid->last_position()->document.empty());
    CHECK(cid->closed == close_reason::draining);
  } else {
    CHECK(sessions() == before);
    h.pass(60s);
  }
  CHECK(sessions() == before - 1);
}

TEST_CASE("drain: a move for a hub that gives the game away is answered by the next one") {
  linked_hubs h{3};
  const auto first = h.enter(0, "bob");
  h.seek(*first, seek_again({"tictactoe"}, 2));
  const auto ann = h.enter(0, "ann");
  h.seek(*ann, seek_once());
  const auto cid = h.connect(0);
  h.seek(*cid, seek_once());
  REQUIRE(cid->last<started>() != nullptr);
  const auto game = ann->events.back().game;
  h.disconnect(*first);
  const auto bob = h.enter(2, "", first->last<signed_in>()->secret);
  REQUIRE(bob->last<signed_in>()->games == 2);
  // The game of cid, who has no secret, stays.
  h.drain(0, false);
  h.pass(1s);
  bob->clear_events();
  h.submit(*bob, play_document(R"({"type":"move","row":1,"column":1})", game));
  CHECK(bob->last<refused>() == nullptr);
  h.submit(*cid, leave{});
  h.pass(3s);
  CHECK_FALSE(bob->closed);
  CHECK(bob->pending_replies == 0);
  CHECK(bob->last<refused>() == nullptr);
  CHECK(holds(ann->last_position()->to_move, 1));
}

// The log gets the secret of a player without one, after the latest position was told.
TEST_CASE("drain: a position that was told is not told again by the hub that takes the game over") {
  linked_hubs h{3};
  const auto bob = h.connect(2), cid = h.connect(0);
  h.seek(*cid, seek_first_seat());
  h.seek(*bob, seek_once());
  REQUIRE(bob->last<started>() != nullptr);
  play_moves(h, *cid, *bob, {0, 3, 1});
  const auto told_bob = positions_told(*bob), told_cid = positions_told(*cid);
  h.drain(0);
  h.pass(3s);
  CHECK(positions_told(*bob) == told_bob);
  CHECK(positions_told(*cid) == told_cid);
  play_moves(h, *bob, *cid, {4, 2});
  CHECK(positions_told(*bob) == told_bob + 2);
  REQUIRE(bob->last_position()->outcome);
  CHECK(bob->last_position()->outcome->winner == 0);
  CHECK(cid->pending_replies == 0);
}

TEST_CASE("drain: who comes back at another hub goes on with a game that stays") {
  const bool connected = GENERATE(true, false);
  CAPTURE(connected);
  linked_hubs h{3};
  const auto ann = h.enter(0, "ann");
  h.seek(*ann, seek_first_seat());
  const auto cid = h.connect(0);
  h.seek(*cid, seek_once());
  REQUIRE(ann->last<started>() != nullptr);
  // The game of cid, who has no secret, stays.
  h.drain(0, false);
  if (!connected) ann->disconnect();
  h.pass(1s);
  const auto back = h.enter(1, "", ann->last<signed_in>()->secret);
  CHECK(back->last<signed_in>()->games == 1);
  CHECK(connected == (ann->closed == close_reason::replaced));
  play_moves(h, *back, *cid, {0, 3, 1, 4, 2});
  CHECK(winner_told_to(*back) == 0);
  CHECK(winner_told_to(*cid) == 0);
  h.pass(1s);
  CHECK(h[0].leave_if_drained());
}

TEST_CASE("drain: no client comes to a hub that drains but to a player there") {
  linked_hubs h{2};
  const auto ann = h.enter(0, "ann"), bob = h.enter(0, "bob"), eve = h.enter(1, "eve");
  h.seek(*ann, seek_once()), h.seek(*bob, seek_once());
  REQUIRE(ann->last<started>() != nullptr);
  h.drain(0);
  h.pass(1s);
  CHECK_FALSE(h[0].hub().connect(test_hub::documents_wire)->connected());
  const auto stranger = h.connect(1, test_hub::documents_wire);
  h.submit(*stranger, sign_in{"", "a secret of no player"});
  h.pass(1s);
  REQUIRE(stranger->last<signed_in>() != nullptr);
  CHECK(stranger->last<signed_in>()->games == 0);
  CHECK(h[0].count_crossing().attached == 0);
  for (auto* each : {ann.get(), bob.get()}) h.disconnect(*each);
  CHECK(h[0].leave_if_drained());
}

TEST_CASE("drain: who comes back waits until another hub has taken its game over") {
  linked_hubs h{3};
  const auto ann = h.enter(0, "ann"), bob = h.enter(0, "bob");
  h.seek(*ann, seek_once()), h.seek(*bob, seek_once());
  REQUIRE(ann->last<started>() != nullptr);
  make_busy(h, 1);
  h.pass(1s);
  h.drain(0);
  // Hub 2 has begun to.
  const auto go_on = [&] {
    for (std::size_t i = 0; i < 16 * h.size(); ++i) {
      auto& each = h[i % h.size()];
      each.hub().settle();
      while (each.step_writer() || each.receive()) continue;
    }
  };
  const auto pass = [&](std::chrono::milliseconds time) {
    for (const auto end = h.cluster().now + time; h.cluster().now < end; go_on()) {
      h.cluster().now += 50ms;
      for (std::size_t i = 0; i < h.size(); ++i) h[i].beat();
    }
  };
  for (int i = 0; i < 20 && !h[2].adopts(); ++i) pass(50ms);
  REQUIRE(h[2].adopts());
  const auto is_adopted = [](const auto& s) {
    return std::any_of(s.members.begin(), s.members.end(),
                       [](const auto& m) { return m.second.adopted_by.has_value(); });
  };
  for (int i = 0; i < 100 && !h.cluster().database.look(is_adopted); ++i) {
    h[2].step_adoption();
    h[2].step_writer();
  }
  REQUIRE(h.cluster().database.look(is_adopted));
  pass(500ms);
  REQUIRE_FALSE(h[1].adopts());
  const auto back = h.connect(1, test_hub::documents_wire);
  back->submit(sign_in{"", ann->last<signed_in>()->secret});
  pass(3s);
  CHECK(back->last<signed_in>() == nullptr);
  h.pass(1s);
  REQUIRE(back->last<signed_in>() != nullptr);
  CHECK(back->last<signed_in>()->games == 1);
}

}  // namespace gamehub::tests
