// What the players of one address may hold and cause together, over all protocols.
#include "actors/system/runtime.hpp"
#include "hub/base/address.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

// The ledger outlives the hub.
struct limited_hub {
  explicit limited_hub(const address_limits& limits, test_hub_options options = {})
      : ledger(limits, {3, 4}), hub(std::move(options)) {}

  address_account_ref account(const std::string& address) {
    return ledger.account_of(*base::read_address(address));
  }
  std::shared_ptr<test_client> connect(const std::string& address,
                                       std::size_t wire = test_hub::documents_wire) {
    return hub.connect(wire, hub.loop_count() - 1, account(address));
  }
  std::shared_ptr<test_client> enter(const std::string& address, intent what) {
    auto c = connect(address);
    c->submit(std::move(what)), hub.settle();
    return c;
  }
  std::uint32_t seats_of(const std::string& address) {
    return account(address)->held(address_limit::seats);
  }
  std::int64_t running() const { return hub.games_started() - hub.games_finished(); }

  address_ledger ledger;
  test_hub hub;
};

constexpr const char* stranger = "203.0.113.9";
constexpr const char* other_stranger = "2001:db8::1";

refusal why_refused(const test_client& c) {
  const auto* no = c.last<refused>();
  REQUIRE(no != nullptr);
  return no->why;
}

}  // namespace

TEST_CASE("addresses: one has its number of players, whatever their protocols (S04)") {
  limited_hub h{{.sessions = 3}};
  std::vector<std::shared_ptr<test_client>> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(
        h.connect(stranger, i % 2 == 0 ? test_hub::cells_wire : test_hub::documents_wire));
  const auto more = h.connect(stranger);
  CHECK_FALSE(more->connected());
  CHECK(more->closed == close_reason::address_limit);
  CHECK(h.connect(other_stranger)->connected());
  CHECK(h.hub.connect(test_hub::cells_wire)->connected());
  all.back()->disconnect(), h.hub.settle();
  CHECK(h.connect(stranger)->connected());
  CHECK(h.ledger.refusals(address_limit::sessions) == 1);
}

TEST_CASE("addresses: standing seeks get the seats that are left, and no more (S05)") {
  limited_hub h{{.seats = 10}};
  const auto first = h.enter(stranger, seek_again({"tictactoe"}, 6)),
             second = h.enter(stranger, seek_again({"tictactoe"}, 1'000));
  CHECK(h.seats_of(stranger) == 10);
  // The same two are paired once a second.
  h.hub.advance(10s);
  CHECK(h.running() == 4);
  const auto third = h.enter(stranger, seek_again({"tictactoe"}, 1'000));
  CHECK(why_refused(*third) == refusal::address_limit);
  CHECK(third->closed == close_reason::address_limit);
  CHECK_FALSE(third->connected());
  // It costs others nothing.
  const auto ann = h.enter(other_stranger, seek_once("nim")),
             bob = h.enter(other_stranger, seek_once("nim"));
  CHECK(ann->last<started>() != nullptr);
  CHECK(h.running() == 5);
  // Who leaves gives back all of its seats.
  second->disconnect(), h.hub.settle();
  CHECK(h.running() == 1);
  CHECK(h.seats_of(stranger) == 6);
}

TEST_CASE("addresses: seats are given back when a seek is withdrawn, and when games end") {
  limited_hub h{{.seats = 2}};
  const auto ann = h.enter(stranger, seek_once());
  CHECK(h.seats_of(stranger) == 1);
  ann->submit(leave{}), h.hub.settle();
  CHECK(h.seats_of(stranger) == 0);
  ann->submit(seek_once()), h.hub.settle();
  const auto bob = h.enter(stranger, seek_once());
  CHECK(h.running() == 1);
  CHECK(h.seats_of(stranger) == 2);
  CHECK(why_refused(*h.enter(stranger, seek_once())) == refusal::address_limit);
  CHECK(h.ledger.refusals(address_limit::seats) == 1);
  bob->submit(leave{}), h.hub.settle();
  CHECK(h.running() == 0);
  CHECK(h.seats_of(stranger) == 0);
  // A seek that the lobby refuses holds nothing.
  CHECK(why_refused(*h.enter(stranger, seek_once("no-such-engine"))) == refusal::unknown_engine);
  CHECK(h.seats_of(stranger) == 0);
}

TEST_CASE("addresses: all seats of games against the engine are counted") {
  limited_hub h{{.seats = 3}};
  auto what = std::get<seek>(seek_again({"tictactoe"}, 8));
  what.against_engine = true;
  const auto ann = h.enter(stranger, what);
  CHECK(h.running() == 3);
  CHECK(h.seats_of(stranger) == 3);
  ann->disconnect(), h.hub.settle();
  CHECK(h.seats_of(stranger) == 0);
}

// Both players of each game are of one address, so that each game counts twice.
TEST_CASE("addresses: games begin at the rate of the address, standing seeks wait for it (S09)") {
  constexpr std::uint32_t rate = 2, burst = rate * limits::address_games_burst_seconds;
  limited_hub h{{.games = rate}};
  std::vector<std::shared_ptr<test_client>> crowd;
  for (int i = 0; i < 8; ++i) crowd.push_back(h.enter(stranger, seek_again({"tictactoe"})));
  // Ends each game as soon as it has begun.
  const auto close_games = [&] {
    for (const auto& each : crowd) {
      for (const auto& e : std::vector<event>{each->events})
        if (std::holds_alternative<started>(e.what)) each->submit(leave{e.game});
      each->clear_events();
    }
    h.hub.settle();
  };
  for (int i = 0; i < 120; ++i) close_games(), h.hub.advance(500ms);
  const auto begun = h.hub.games_started();
  CAPTURE(begun);
  // 60 s: half of what both may, and what may be taken in advance.
  CHECK(begun <= (60 * rate + burst) / 2 + 8);
  CHECK(begun >= 60 * rate / 2);
  CHECK(h.ledger.refusals(address_limit::games) > 0);
  // A seek of one game is refused; other addresses do not notice.
  for (int i = 0; i < 60; ++i) h.account(stranger)->charge(address_limit::games, 1, h.hub.now());
  const auto refused_before = h.ledger.refusals(address_limit::games);
  CHECK(why_refused(*h.enter(stranger, seek_once("nim"))) == refusal::rate_limited);
  CHECK(h.ledger.refusals(address_limit::games) == refused_before + 1);
  const auto cid = h.enter(other_stranger, seek_once("nim")),
             dan = h.enter(other_stranger, seek_once("nim"));
  CHECK(cid->last<started>() != nullptr);
  // What waited for the rate is not lost.
  close_games();
  h.hub.advance(60s);
  for (const auto& each : crowd) CHECK(each->last<started>() != nullptr);
}

TEST_CASE("addresses: a standing seek that waits for the rate can be withdrawn") {
  limited_hub h{{.games = 1}};
  for (int i = 0; i < 20; ++i) h.account(stranger)->charge(address_limit::games, 1, h.hub.now());
  const auto ann = h.enter(stranger, seek_again({"tictactoe"}));
  const auto bob = h.enter(other_stranger, seek_once());
  CHECK(h.running() == 0);
  ann->submit(leave{}), h.hub.settle();
  CHECK(ann->last<done>() != nullptr);
  h.hub.advance(60s);
  CHECK(h.running() == 0);
  ann->submit(seek_again({"tictactoe"})), h.hub.settle();
  CHECK(h.running() == 1);
}

TEST_CASE("addresses: a client that goes just as its delayed seek may begin seeks no more") {
  limited_hub h{{.games = 1}};
  for (int i = 0; i < 20; ++i) h.account(stranger)->charge(address_limit::games, 1, h.hub.now());
  const auto gone = h.enter(stranger, seek_again({"tictactoe"}));
  // After a pause of the process, the hub finds both at once: that the client has gone, and the
  // timer of its seek.
  gone->disconnect();
  h.hub.pass(60s);
  h.hub.settle();
  const auto next = h.enter(other_stranger, seek_again({"tictactoe"}));
  CHECK(next->last<placed>() != nullptr);
  CHECK(h.hub.games_started() == 0);
  CHECK(h.hub.sessions_open() == 1);
}

TEST_CASE(
    "addresses: wrong resume tokens are refused beyond their rate, right ones of others not") {
  constexpr std::uint32_t rate = 5, burst = rate * limits::guesses_burst_seconds;
  limited_hub h{{.guesses = rate}, {.settings = {0s, 0s, 0s, 1'000, 1'000}, .grace = 60s}};
  const auto owner = h.enter(other_stranger, sign_in{"ann", {}});
  const auto secret = owner->last<signed_in>()->secret;
  owner->submit(seek_once()), h.hub.settle();
  const auto opponent = h.enter(other_stranger, seek_once());
  owner->disconnect(), h.hub.settle();
  std::uint32_t refusals = 0;
  for (std::uint32_t i = 0; i < burst + 10; ++i) {
    const auto guess = h.enter(stranger, sign_in{{}, "a-wrong-token-" + std::to_string(i)});
    if (guess->last<signed_in>() != nullptr) continue;
    ++refusals;
    CHECK(why_refused(*guess) == refusal::rate_limited);
    CHECK(guess->closed == close_reason::address_limit);
  }
  CHECK(refusals == 10);
  CHECK(h.ledger.refusals(address_limit::guesses) == 10);
  const auto back = h.enter(other_stranger, sign_in{{}, secret});
  REQUIRE(back->last<signed_in>() != nullptr);
  CHECK(back->last<signed_in>()->returned);
  h.hub.advance(1s);
  CHECK(h.enter(stranger, sign_in{{}, "once-more"})->last<signed_in>() != nullptr);
}

TEST_CASE("addresses: a standing seek ends after two games in which the clock ran out (S05)") {
  test_hub_options options;
  options.settings.turn_time = 10s;
  limited_hub h{{.seats = 100}, options};
  const auto idler = h.enter(stranger, seek_again({"tictactoe"}));
  for (int game = 0; game < 2; ++game) {
    CAPTURE(game);
    CHECK(idler->connected());
    const auto ann = h.enter(other_stranger, seek_once());
    REQUIRE(ann->last<started>() != nullptr);
    h.hub.advance(11s);
    CHECK(ann->last_position()->outcome->reason == end_reason::clock);
    ann->disconnect(), h.hub.settle();
  }
  CHECK(idler->closed == close_reason::idle);
  CHECK_FALSE(idler->connected());
  CHECK(h.seats_of(stranger) == 0);
}

TEST_CASE("addresses: who comes back after a restart counts for the address again") {
  limited_hub h{{.sessions = 2, .seats = 2}, {.settings = {0s, 0s, 0s, 100, 100}, .grace = 60s}};
  const auto ann = h.enter(stranger, sign_in{"ann", {}});
  const auto secret = ann->last<signed_in>()->secret;
  ann->submit(seek_once()), h.hub.settle();
  const auto bob = h.enter(other_stranger, seek_once());
  ann->disconnect(), h.hub.settle();
  CHECK(h.account(stranger)->held(address_limit::sessions) == 0);
  CHECK(h.seats_of(stranger) == 1);
  const auto back = h.enter(stranger, sign_in{{}, secret});
  CHECK(back->last<signed_in>()->returned);
  CHECK(h.account(stranger)->held(address_limit::sessions) == 1);
  CHECK(h.seats_of(stranger) == 1);
  back->disconnect(), bob->disconnect(), h.hub.advance(61s);
  CHECK(h.account(stranger)->held(address_limit::sessions) == 0);
  CHECK(h.seats_of(stranger) == 0);
}
