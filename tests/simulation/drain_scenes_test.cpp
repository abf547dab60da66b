// Scenes of hubs that drain, with clients at other hubs and on the way through several. The hubs
// are those of the simulated cluster, and nothing fails.
#include "tests/simulation/simulated_member.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <variant>
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

  client_ref connect(std::size_t at, std::size_t wire = test_hub::cells_wire) {
    clients_.push_back(members_.at(at)->hub().connect(wire));
    REQUIRE(clients_.back()->connected());
    return clients_.back();
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

  void settle() {
    for (int i = 0; i < 16; ++i)
      for (auto& each : members_) each->settle();
  }
  void pass(std::chrono::milliseconds time) {
    for (const auto end = cluster_.now + time; cluster_.now < end;) {
      cluster_.now += 50ms;
      for (auto& each : members_) each->beat();
      settle();
    }
  }
  void drain(std::size_t i) {
    members_[i]->begin_drain(true, 60s);
    settle();
  }

 private:
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

std::ptrdiff_t positions_told(const test_client& c) {
  return std::count_if(c.events.begin(), c.events.end(),
                       [](const event& e) { return std::holds_alternative<position_ref>(e.what); });
}

}  // namespace

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

}  // namespace gamehub::tests
