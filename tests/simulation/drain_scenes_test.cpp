// Scenes of hubs that drain, with clients at other hubs and on the way through several. The hubs
// are those of the simulated cluster, and nothing fails.
#include "tests/simulation/simulated_member.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {
namespace {

using namespace std::chrono_literals;

using client_ref = std::shared_ptr<test_client>;

class linked_hubs {
 public:
  explicit linked_hubs(std::size_t count) {
    cluster_.fault = [](std::string_view) { return log_fault::none; };
    for (std::size_t i = 0; i < count; ++i)
      members_.push_back(std::make_unique<simulated_member>(
          cluster_, test_hub_options{.grace = 60s, .seed = i + 1}, 1u << 20));
    pass(1s);
    for (auto& a : members_)
      for (auto& b : members_)
        if (a != b) a->on_link(b->id(), true);
    settle();
  }
  ~linked_hubs() {
    clients_.clear();
    members_.clear();
  }
  linked_hubs(const linked_hubs&) = delete;
  linked_hubs& operator=(const linked_hubs&) = delete;

  simulated_member& operator[](std::size_t i) { return *members_.at(i); }

  client_ref connect(std::size_t at, std::size_t wire = test_hub::cells_wire) {
    clients_.push_back(members_.at(at)->hub().connect(wire));
    REQUIRE(clients_.back()->connected());
    return clients_.back();
  }
  // A client that has signed in with a name.
  client_ref enter(std::size_t at, const std::string& name, const std::string& secret = {}) {
    auto c = connect(at, test_hub::documents_wire);
    submit(*c, sign_in{name, secret});
    REQUIRE(c->last<signed_in>() != nullptr);
    return c;
  }
  void submit(test_client& c, intent what) {
    c.submit(std::move(what));
    settle();
  }
  // A seek may wait a moment before other hubs are asked.
  void seek(test_client& c, intent what) {
    submit(c, std::move(what));
    pass(100ms);
  }
  void disconnect(test_client& c) {
    c.disconnect();
    pass(1s);
  }

  void settle() { settle_these(all()); }
  // The other hubs do nothing meanwhile.
  void settle_these(const std::vector<std::size_t>& which) {
    for (int i = 0; i < 16; ++i)
      for (const auto each : which) members_[each]->settle();
  }
  void pass(std::chrono::milliseconds time) { pass_at(all(), time); }
  void pass_at(const std::vector<std::size_t>& which, std::chrono::milliseconds time) {
    for (const auto end = cluster_.now + time; cluster_.now < end;) {
      cluster_.now += 50ms;
      for (const auto each : which) members_[each]->beat();
      settle_these(which);
    }
  }
  void drain(std::size_t i, bool secrets = true) {
    members_[i]->begin_drain(secrets, 60s);
    settle();
  }

 private:
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> out(members_.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
  }

  simulated_cluster cluster_;
  std::vector<std::unique_ptr<simulated_member>> members_;
  std::vector<client_ref> clients_;
};

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

std::optional<seat_index> winner_told_to(const test_client& c) {
  const auto* const p = c.last_position();
  return p == nullptr || !p->outcome ? std::nullopt : p->outcome->winner;
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
    if (at_hub_of_client) {
      // Who has fewer games takes those of the hub that drains over.
      const auto dan = h.enter(1, "dan"), eva = h.enter(1, "eva");
      h.seek(*dan, seek_again({"nim"})), h.seek(*eva, seek_again({"nim"}));
      REQUIRE(eva->last<started>() != nullptr);
    }
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
  const auto bob = h.connect(2), cid = h.connect(0);
  h.seek(*cid, seek_first_seat());
  h.seek(*bob, seek_once());
  REQUIRE(bob->last<started>() != nullptr);
  play_moves(h, *cid, *bob, {0, 3, 1, 4, 8});
  h.drain(0);
  // The hub of cid is slow.
  h.pass_at({1, 2}, 500ms);
  bob->submit(play_cell(5)), h.settle_these({1, 2});
  REQUIRE(winner_told_to(*bob) == 1);
  CHECK_FALSE(cid->last_position()->outcome);
  const auto sessions = [&] { return h[1].hub().sessions_open() + h[2].hub().sessions_open(); };
  CHECK(sessions() == 3);
  if (!comes_back) cid->disconnect();
  h.pass(1s);
  if (comes_back) {
    CHECK(winner_told_to(*cid) == 1);
    CHECK(cid->closed == close_reason::draining);
  } else {
    CHECK(sessions() == 3);
    h.pass(60s);
  }
  // Those of bob, at the hub of its client and at that of its player.
  CHECK(sessions() == 2);
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

}  // namespace gamehub::tests
