// Scenes of a hub that was paused until another one adopted its games: its clients stay connected
// to it, and go on there. The hubs are those of the simulated cluster.
#include "tests/simulation/linked_hubs.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::tests {
namespace {

using namespace std::chrono_literals;

intent cell(int row, int column) {
  return play_document(R"({"type":"move","row":)" + std::to_string(row) + R"(,"column":)" +
                           std::to_string(column) + "}",
                       {});
}

std::size_t positions_seen(const test_client& c) {
  return static_cast<std::size_t>(
      std::count_if(c.events.begin(), c.events.end(),
                    [](const event& e) { return std::holds_alternative<position_ref>(e.what); }));
}

const auto nothing_fails = [](std::string_view) { return log_fault::none; };

auto appends_end_with(log_fault f) {
  return [f](std::string_view step) { return step == "append" ? f : log_fault::none; };
}

// Ann, who is X, and bob play at the first of three hubs; bob is to move.
struct paused_table {
  paused_table() {
    auto first = seek_once();
    std::get<seek>(first).seat = 0;
    h.seek(*ann, std::move(first));
    h.seek(*bob, seek_once());
    REQUIRE(ann->last<started>() != nullptr);
    h.submit(*ann, cell(0, 0));
  }
  // The client says it when appends end so, and then the hub is paused.
  void say_unlogged(test_client& who, intent what, log_fault f) {
    h.cluster().fault = appends_end_with(f);
    h.submit(who, std::move(what));
    CHECK(who.pending_replies == 1);
    h.cluster().fault = nothing_fails;
    pause_and_wake();
  }
  void pause_and_wake() {
    h.pause(0);
    h.wake(0);
  }
  void play_out() {
    for (const auto& [who, what] :
         {std::pair{bob, cell(1, 1)}, {ann, cell(0, 1)}, {bob, cell(2, 2)}, {ann, cell(0, 2)}})
      h.submit(*who, what);
  }
  void check_told_once() const {
    for (const auto* each : {ann.get(), bob.get()}) {
      CHECK(each->pending_replies == 0);
      CHECK(each->unexpected_replies == 0);
      std::uint64_t last = 0;
      for (const auto& e : each->events)
        if (const auto* p = std::get_if<position_ref>(&e.what)) {
          CHECK((*p)->number > last);
          last = (*p)->number;
        }
    }
  }

  linked_hubs h{3};
  client_ref ann = h.enter(0, "ann"), bob = h.enter(0, "bob");
};

// A client of the first hub plays with cid, who is at the second one, and so is its player.
struct far_table {
  explicit far_table(std::chrono::seconds grace, bool named = true)
      : h{3, {.grace = grace}},
        cid{h.enter(1, "cid")},
        ann{named ? h.enter(0, "ann") : h.connect(0)} {
    h.seek(*cid, seek_once()), h.seek(*ann, seek_once());
    REQUIRE(ann->last<started>() != nullptr);
    REQUIRE(h[0].count_crossing().entries == 1);
    REQUIRE(h[1].count_crossing().homes == 1);
  }
  // The first player wins.
  void play_out(test_client& c) {
    const bool is_first = c.last<started>()->seat == 0;
    auto& first = is_first ? c : *cid;
    auto& second = is_first ? *cid : c;
    for (const auto cell : {0, 3, 1, 4, 2}) h.submit(cell < 3 ? first : second, play_cell(cell));
    for (const auto* each : {&first, &second}) {
      CHECK(each->pending_replies == 0);
      CHECK(each->unexpected_replies == 0);
      REQUIRE(each->last_position()->outcome);
      CHECK(each->last_position()->outcome->winner == 0);
    }
  }

  linked_hubs h;
  client_ref cid, ann;
};

}  // namespace

TEST_CASE("fenced: clients of a hub that was paused play on over their connections, to the end") {
  paused_table t;
  t.pause_and_wake();
  CHECK(t.h[0].is_fenced_entry());
  CHECK(t.h[0].count_crossing().returned == 2);
  // A position that was told is not told again.
  CHECK(positions_seen(*t.ann) == 2);
  CHECK(positions_seen(*t.bob) == 2);
  CHECK_FALSE(t.h[0].leave_if_fenced());
  t.play_out();
  t.check_told_once();
  for (const auto& each : {t.ann, t.bob}) {
    REQUIRE(each->last_position()->outcome);
    CHECK(each->last_position()->outcome->winner == 0);
    CHECK(each->closed == close_reason::draining);
  }
  t.h.pass(1s);
  CHECK(t.h[0].leave_if_fenced());
}

TEST_CASE("fenced: a move that came during the pause is made once") {
  paused_table t;
  t.bob->submit(cell(1, 1));
  t.pause_and_wake();
  t.check_told_once();
  CHECK_FALSE(t.bob->closed);
  CHECK(t.bob->last<refused>() == nullptr);
  CHECK(positions_seen(*t.ann) == 3);
  CHECK(t.ann->last_position()->by == 1);
}

TEST_CASE("fenced: a move is made once, whether or not the log had it") {
  const auto f = GENERATE(log_fault::refused, log_fault::answer_lost);
  CAPTURE(f == log_fault::refused);
  paused_table t;
  t.say_unlogged(*t.bob, cell(1, 0), f);
  t.check_told_once();
  CHECK_FALSE(t.bob->closed);
  CHECK(t.bob->last<refused>() == nullptr);
  CHECK(t.ann->last_position()->to_move == only(0));
  CHECK(positions_seen(*t.ann) == 3);
  CHECK(positions_seen(*t.bob) == 3);
  t.h.submit(*t.ann, cell(0, 1));
  CHECK(t.bob->last_position()->by == 0);
  t.check_told_once();
}

TEST_CASE("fenced: a move that the log has is no mistake, though the opponent has ended the game") {
  far_table t{60s};
  // So the third hub has the fewest games, and is the one that takes over.
  const auto dan = t.h.enter(0, "dan"), eve = t.h.enter(0, "eve");
  t.h.seek(*dan, seek_once()), t.h.seek(*eve, seek_once());
  const bool is_first = t.ann->last<started>()->seat == 0;
  auto& first = is_first ? t.ann : t.cid;
  auto& second = is_first ? t.cid : t.ann;
  for (const auto cell : {0, 3, 1}) t.h.submit(cell < 3 ? *first : *second, play_cell(cell));
  if (is_first) t.h.submit(*t.cid, play_cell(4));
  t.h.cluster().fault = appends_end_with(log_fault::answer_lost);
  t.h.submit(*t.ann, play_cell(is_first ? 8 : 4));
  REQUIRE(t.ann->pending_replies == 1);
  t.h.cluster().fault = nothing_fails;
  // What her hub sends to the new one waits from when it has her player: so her move, too.
  t.h[1].paused = true;
  for (const auto i : {0U, 2U}) t.h[i].on_link(t.h[1].id(), false);
  for (int steps = 0; t.h[2].count_crossing().homes == 0; ++steps) {
    REQUIRE(steps < 100);
    t.h.cluster().now += 50ms;
    for (const auto i : {0U, 2U}) t.h[i].beat(), t.h[i].settle();
  }
  t.h.cluster().cut.insert({t.h[0].id(), t.h[2].id()});
  t.h[1].paused = false;
  t.h.wake(1);
  t.h.submit(*t.cid, play_cell(is_first ? 5 : 2));
  REQUIRE(t.cid->last_position()->outcome);
  CHECK(t.ann->pending_replies == 1);
  t.h.cut(0, 2, false);
  t.h.pass(1s);
  CHECK(t.ann->pending_replies == 0);
  CHECK(t.ann->last<refused>() == nullptr);
  REQUIRE(t.ann->last_position()->outcome);
  CHECK(t.ann->last_position()->outcome->winner == (is_first ? 1 : 0));
}

TEST_CASE("fenced: a chat message that may be in the log is refused") {
  const auto f = GENERATE(log_fault::refused, log_fault::answer_lost);
  paused_table t;
  t.say_unlogged(*t.bob, chat{{}, "well played"}, f);
  REQUIRE(t.bob->last<refused>() != nullptr);
  CHECK(t.bob->last<refused>()->why == refusal::draining);
  t.play_out();
  t.check_told_once();
  CHECK(t.bob->last_position()->outcome);
}

TEST_CASE("fenced: a player leaves, though the log did not have it") {
  paused_table t;
  t.say_unlogged(*t.bob, leave{}, log_fault::refused);
  t.check_told_once();
  REQUIRE(t.ann->last_position()->outcome);
  CHECK(t.ann->last_position()->outcome->reason == end_reason::left);
  CHECK(t.ann->last_position()->outcome->winner == 0);
}

TEST_CASE("fenced: clients without a secret, without a game, or without a hub to go to, leave") {
  linked_hubs h{3};
  const auto ann = h.enter(0, "ann"), bob = h.enter(0, "bob"), eve = h.enter(0, "eve");
  const auto cid = h.connect(0), dan = h.connect(0);
  for (const auto& each : {ann, bob, cid, dan}) h.seek(*each, seek_once());
  REQUIRE(bob->last<started>() != nullptr);
  REQUIRE(dan->last<started>() != nullptr);
  const bool alone = GENERATE(false, true);
  if (alone) h[0].entry_time = 0ms;
  h.pause(0);
  h.wake(0);
  for (const auto& each : {cid, dan, eve}) CHECK(each->closed == close_reason::draining);
  for (const auto& each : {ann, bob}) CHECK(each->closed.has_value() == alone);
  for (const auto& each : {ann, bob}) h.disconnect(*each);
  CHECK(h[0].leave_if_fenced());
}

// Ann's player is at the other hub, bob's client too.
TEST_CASE("fenced: clients whose player was at another hub, and of other hubs, go on") {
  linked_hubs h{3};
  const auto ann = h.enter(0, "ann"), cid = h.enter(1, "cid");
  h.seek(*cid, seek_once()), h.seek(*ann, seek_once());
  const auto dan = h.enter(0, "dan"), bob = h.enter(1, "bob");
  h.seek(*dan, seek_once()), h.seek(*bob, seek_once());
  for (const auto& each : {ann, bob, cid, dan}) REQUIRE(each->last<started>() != nullptr);
  REQUIRE(h[0].count_crossing().entries == 1);
  REQUIRE(h[0].count_crossing().homes == 1);
  h.pause(0);
  ann->submit(cell(1, 1));
  h.wake(0);
  h.pass(2s);
  for (const auto& [first, second] : {std::pair{cid, ann}, {dan, bob}}) {
    const auto x = first->last<started>()->seat == 0 ? first : second;
    const auto o = x == first ? second : first;
    for (const auto& [who, what] : {std::pair{x, cell(0, 0)},
                                    {o, cell(1, 0)},
                                    {x, cell(0, 1)},
                                    {o, cell(2, 0)},
                                    {x, cell(0, 2)}})
      h.submit(*who, what);
    for (const auto& each : {x, o}) {
      CHECK(each->pending_replies == 0);
      CHECK(each->unexpected_replies == 0);
      REQUIRE(each->last_position()->outcome);
      CHECK(each->last_position()->outcome->winner == 0);
    }
  }
  h.pass(1s);
  CHECK(h[0].leave_if_fenced());
}

// For its hub the client of a hub that is paused may have gone.
TEST_CASE("fenced: a player at another hub waits for its client, without a grace too") {
  far_table t{GENERATE(0s, 60s), GENERATE(false, true)};
  t.h.pause(0);
  CHECK(t.h[1].count_crossing().homes == 0);
  t.h.wake(0);
  CHECK(t.h[0].count_crossing().returned == 1);
  CHECK_FALSE(t.ann->closed);
  t.play_out(*t.ann);
}

TEST_CASE("fenced: a client that came back over another connection meanwhile keeps its player") {
  far_table t{60s};
  t.h.pause(0);
  const auto back = t.h.enter(2, "", t.ann->last<signed_in>()->secret);
  REQUIRE(back->last<started>() != nullptr);
  t.h.wake(0);
  CHECK(t.ann->closed == close_reason::replaced);
  CHECK_FALSE(back->closed);
  t.play_out(*back);
}

}  // namespace gamehub::tests
