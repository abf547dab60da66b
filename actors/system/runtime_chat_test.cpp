// What players say at their tables, and what is logged of their leaving.
#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

using kind = journal::record::kind;

struct table_of_two {
  table_of_two() {
    ann->submit(seek_once()), hub.settle();
    hub.advance(5s);
    bob->submit(seek_once()), hub.settle();
    REQUIRE(bob->last<started>() != nullptr);
    game = bob->events.back().game;
  }
  std::vector<journal::record> log_after(journal::record_number number) const {
    return journal.read(game, number);
  }

  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
  std::shared_ptr<test_client> ann = hub.connect(test_hub::documents_wire, 0);
  std::shared_ptr<test_client> bob = hub.connect(test_hub::cells_wire, 1);
  game_id game;
};

}  // namespace

TEST_CASE("game: logs what its players say, and answers each when it is safe") {
  table_of_two t;
  t.journal.be_late(true);
  t.ann->clear_events(), t.bob->clear_events();
  t.bob->submit(chat{t.game, "hello"}), t.hub.settle();
  CHECK(t.bob->events.empty());
  t.journal.commit_all(), t.hub.settle();
  REQUIRE(t.bob->last<done>() != nullptr);
  CHECK(t.bob->events.back().game == t.game);
  CHECK(t.bob->pending_replies == 0);
  t.journal.be_late(false);
  t.ann->submit(chat{{}, "hello bob"}), t.hub.settle();
  CHECK(t.ann->pending_replies == 0);
  const auto log = t.log_after(3);
  REQUIRE(log.size() == 2);
  CHECK(log[0].what == kind::said);
  CHECK(log[0].seat == 1);
  CHECK(log[0].text == "hello");
  CHECK(log[1].seat == 0);
  // Other wires have no words for it.
  CHECK(t.ann->events.size() == 1);
}

TEST_CASE("game: chat stops no clock") {
  test_hub hub{{.settings = {10s, 0s, 0s, 100, 100}}};
  const auto ann = hub.connect(test_hub::documents_wire), bob = hub.connect(test_hub::cells_wire);
  ann->submit(seek_once()), hub.settle();
  bob->submit(seek_once()), hub.settle();
  for (int i = 0; i < 9; ++i) hub.advance(1s), ann->submit(chat{{}, "I think"}), hub.settle();
  CHECK_FALSE(bob->last_position()->outcome.has_value());
  hub.advance(1s);
  REQUIRE(bob->last_position()->outcome.has_value());
  CHECK(bob->last_position()->outcome->reason == end_reason::clock);
}

TEST_CASE("session: can say something only where it plays") {
  test_hub hub;
  const auto ann = hub.connect(test_hub::cells_wire);
  ann->submit(chat{{}, "anybody?"}), hub.settle();
  CHECK(ann->last<refused>()->why == refusal::not_in_game);
  ann->submit(seek_once()), hub.settle();
  ann->submit(chat{{}, "anybody?"}), hub.settle();
  CHECK(ann->last<refused>()->why == refusal::not_your_turn);
  ann->submit(chat{game_id{77}, "hello"}), hub.settle();
  CHECK(ann->last<refused>()->why == refusal::not_in_game);
  CHECK(ann->pending_replies == 0);
}

TEST_CASE("game: logs who left before how it ended, by whichever way the player went") {
  table_of_two t;
  if (GENERATE(true, false))
    t.ann->submit(leave{});
  else
    t.ann->disconnect();
  t.hub.settle();
  const auto log = t.log_after(3);
  REQUIRE(log.size() == 2);
  CHECK(log[0].what == kind::left);
  CHECK(log[0].seat == 0);
  CHECK(log[1].what == kind::ended);
  CHECK(log[1].why == end_reason::left);
  CHECK(log[1].seat == 1);
}

TEST_CASE("game: tells who comes when the others were last heard of") {
  table_of_two t;
  const auto* seen = t.bob->last<started>();
  REQUIRE(seen->visits.size() == 2);
  // Ann has waited for five seconds.
  CHECK(seen->visits[1] - seen->visits[0] == 5s);
  CHECK(seen->visits[1] == t.hub.loop(0).wall_now());
}
