// Offers of a draw and of a takeback between two clients, the claim of the win, and what a hub
// knows of them after it was killed.
#include "actors/system/runtime.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct silent_listener final : actors::system::recovery_listener {
  void on_progress(std::size_t, std::size_t) override {}
  void on_quarantined(game_id, const std::string& why) override { FAIL(why); }
};

test_hub_options with_claims(journal::journal* log = nullptr) {
  test_hub_options out{.loops = 2, .grace = 60s, .log = log};
  out.settings.claim_time = 10s;
  return out;
}

// Ann (X, on loop 0) plays bob (on loop 1).
struct offering_pair {
  explicit offering_pair(journal::journal* log = nullptr, bool bob_answers = true)
      : hub{with_claims(log)} {
    ann = enter(0, "ann", true), bob = enter(1, "bob", bob_answers);
    game = bob->events.back().game;
    secrets = {ann->last<signed_in>()->secret, bob->last<signed_in>()->secret};
    forget();
  }
  std::shared_ptr<test_client> enter(std::size_t loop, std::string name, bool answers) {
    auto c = hub.connect(test_hub::cells_wire, loop);
    auto what = seek_once();
    std::get<seek>(what).features.answers_offers = answers;
    c->submit(sign_in{std::move(name), {}}), c->submit(what), hub.settle();
    return c;
  }
  void forget() { ann->clear_events(), bob->clear_events(); }
  void says(test_client& who, offer_kind what, offer_step step = offer_step::offered) {
    forget();
    who.submit(offer{game, what, step}), hub.settle();
  }
  void plays(test_client& who, std::int64_t cell) {
    forget();
    who.submit(play_cell(cell)), hub.settle();
  }

  test_hub hub;
  std::shared_ptr<test_client> ann, bob;
  game_id game;
  std::vector<std::string> secrets;
};

TEST_CASE("runtime offers: a takeback and a draw go from one player to the other and back") {
  offering_pair p;
  p.plays(*p.ann, 4);
  p.says(*p.ann, offer_kind::takeback);
  CHECK(p.ann->last<done>() != nullptr);
  REQUIRE(p.bob->last<offer_update>() != nullptr);
  CHECK(p.bob->last<offer_update>()->step == offer_step::offered);
  p.says(*p.bob, offer_kind::takeback, offer_step::accepted);
  CHECK(p.ann->last_position()->cells == "---------");
  CHECK(p.ann->last_position()->prompted == only(0));
  p.plays(*p.ann, 0);
  CHECK(p.bob->last_position()->cells == "X--------");
  p.says(*p.bob, offer_kind::draw);
  p.says(*p.ann, offer_kind::draw, offer_step::declined);
  CHECK(p.bob->last<offer_update>()->step == offer_step::declined);
  p.says(*p.bob, offer_kind::draw);
  p.says(*p.ann, offer_kind::draw, offer_step::accepted);
  CHECK(p.bob->last_position()->outcome->reason == end_reason::agreed);
  CHECK(p.hub.games_finished() == 1);
  p.says(*p.ann, offer_kind::draw);
  CHECK(p.ann->last<refused>() != nullptr);
}

TEST_CASE("runtime offers: a client that has no words for them is offered nothing") {
  offering_pair p{nullptr, false};
  p.says(*p.ann, offer_kind::draw);
  REQUIRE(p.ann->last<refused>() != nullptr);
  CHECK(p.ann->last<refused>()->why == refusal::no_offer);
  CHECK(p.bob->events.empty());
}

TEST_CASE("runtime offers: a takeback waits for the commit of the move that it takes back") {
  late_journal log{true};
  offering_pair p{&log};
  log.commit_all(), p.hub.settle();
  p.plays(*p.ann, 4);
  p.says(*p.ann, offer_kind::takeback);
  CHECK(p.ann->last<done>() == nullptr);
  log.commit_all(), p.hub.settle();
  log.commit_all(), p.hub.settle();
  CHECK(p.ann->last<done>() != nullptr);
  p.says(*p.bob, offer_kind::takeback, offer_step::accepted);
  log.commit_all(), p.hub.settle();
  CHECK(p.ann->last_position()->cells == "---------");
  log.be_late(false);
}

TEST_CASE("runtime offers: who comes to watch while a takeback waits misses nothing") {
  late_journal log{true};
  offering_pair p{&log};
  log.commit_all(), p.hub.settle();
  p.game = p.bob->events.back().game;
  p.plays(*p.ann, 4);
  p.says(*p.ann, offer_kind::takeback);
  const auto who = onlooker::of(p.hub.runtime().spectators_for(0), p.game);
  p.hub.settle();
  while (!log.pending().empty()) log.commit_all(), p.hub.settle();
  CHECK(who->numbers() == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
  CHECK_FALSE(who->muddled);
  log.be_late(false);
}

TEST_CASE("runtime offers: after a kill the offers stand and the takebacks are done") {
  auto log = std::make_unique<late_journal>(false);
  log->be_durable();
  auto p = std::make_unique<offering_pair>(log.get());
  p->plays(*p->ann, 4);
  p->says(*p->ann, offer_kind::takeback),
      p->says(*p->bob, offer_kind::takeback, offer_step::accepted);
  p->plays(*p->ann, 0);
  p->says(*p->ann, offer_kind::draw);
  auto left = log->left_behind();
  left->be_durable();
  test_hub next{with_claims(left.get())};
  silent_listener events;
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  std::vector<std::shared_ptr<test_client>> back;
  for (const auto& secret : p->secrets) {
    auto& c = back.emplace_back(next.connect(test_hub::cells_wire));
    sign_in who{"", secret};
    who.features.answers_offers = true;
    c->submit(who), next.settle();
  }
  CHECK(back[1]->last_position()->cells == "X--------");
  REQUIRE(back[1]->last<offer_update>() != nullptr);
  CHECK(back[1]->last<offer_update>()->what == offer_kind::draw);
  back[1]->submit(offer{p->game, offer_kind::draw, offer_step::accepted}), next.settle();
  CHECK(back[0]->last_position()->outcome->reason == end_reason::agreed);
}

TEST_CASE("runtime offers: the log of a game with a takeback is replayed as it was seen") {
  offering_pair p;
  const auto live = onlooker::of(p.hub.runtime().spectators_for(1), p.game);
  p.hub.settle();
  p.plays(*p.ann, 4), p.plays(*p.bob, 0);
  p.says(*p.ann, offer_kind::takeback), p.says(*p.bob, offer_kind::takeback, offer_step::accepted);
  p.plays(*p.ann, 8);
  p.says(*p.bob, offer_kind::draw), p.says(*p.ann, offer_kind::draw, offer_step::accepted);
  const auto late = onlooker::of(p.hub.runtime().spectators_for(0), p.game);
  p.hub.settle();
  REQUIRE(live->updates.size() == late->updates.size());
  for (std::size_t i = 0; i < live->updates.size(); ++i) {
    CAPTURE(i);
    const auto &a = *live->updates[i], &b = *late->updates[i];
    CHECK(a.what == b.what);
    CHECK(a.back_to == b.back_to);
    CHECK(a.offer.has_value() == b.offer.has_value());
    REQUIRE((a.then == nullptr) == (b.then == nullptr));
    if (a.then) CHECK(a.then->cells == b.then->cells);
  }
  CHECK(late->updates.back()->then->outcome->reason == end_reason::agreed);
  CHECK(late->updates.back()->then->cells == "--------X");
}

TEST_CASE("runtime offers: the win is claimed from who has been away for the time, not before") {
  offering_pair p;
  p.ann->submit(claim{p.game}), p.hub.settle();
  CHECK(p.ann->last<refused>()->why == refusal::no_offer);
  p.bob->set_away(p.hub.now() + 60s), p.hub.settle();
  const auto seen = onlooker::of(p.hub.runtime().spectators_for(0), p.game);
  p.hub.advance(5s);
  REQUIRE(seen->presents.back()->away.size() == 1);
  CHECK(seen->presents.back()->away[0].claimable_at < p.hub.now() + 10s);
  p.forget();
  p.ann->submit(claim{p.game}), p.hub.settle();
  CHECK(p.ann->last<refused>() != nullptr);
  p.hub.advance(8s);
  p.forget();
  p.ann->submit(claim{p.game}), p.hub.settle();
  CHECK(p.ann->last<refused>() == nullptr);
  CHECK(p.ann->last_position()->outcome->winner == 0);
  CHECK(p.ann->last_position()->outcome->reason == end_reason::left);
}

TEST_CASE("runtime offers: nothing is claimed from who came back") {
  offering_pair p;
  p.bob->set_away(p.hub.now() + 60s), p.hub.settle();
  p.hub.advance(15s);
  p.bob->set_away(std::nullopt), p.hub.settle();
  p.ann->submit(claim{p.game}), p.hub.settle();
  CHECK(p.ann->last<refused>()->why == refusal::no_offer);
}

}  // namespace
