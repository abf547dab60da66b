// Games of days whose players are here, but do not look at them, leave memory too.
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"
#include "tests/support/onlooker.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using journal::record;
using metrics::wake_cause;

namespace {

// A client as of HTTP, which asks for the games that it wants to see.
evening::guest enter_asking(const evening& at, const std::string& name, std::size_t loop,
                            std::string secret = {}) {
  evening::guest g{at.hub->connect(test_hub::documents_wire, loop), {}};
  sign_in who{name, std::move(secret)};
  who.features.asks_for_games = true;
  g.client->submit(std::move(who)), at.hub->settle();
  g.secret = g.client->last<signed_in>()->secret;
  return g;
}

game_id seek_beside(const evening& at, const evening::guest& who, bool asks = true) {
  auto what = seek_once();
  std::get<seek>(what).clock = "days:3";
  std::get<seek>(what).keeps = true;
  std::get<seek>(what).features.asks_for_games = asks;
  who.client->submit(std::move(what)), at.hub->settle();
  return who.client->events.back().game;
}

// The lobby, the game and its second player have different loops.
evening quiet_evening(const ban_list* rules = nullptr) {
  auto log = empty_journal();
  log->stores_logs = true;
  auto options = hub_on(*log);
  options.loops = 3;
  options.settings.rules = rules;
  options.settings.clocks.lasting_max = 1'000;
  evening at{std::move(log)};
  at.hub = std::make_unique<test_hub>(std::move(options));
  return at;
}

// Ann (X) and Bob are connected and have a game of three days, in which Ann has taken the centre.
struct read_table {
  explicit read_table(bool both_ask = true, evening at = quiet_evening())
      : first(std::move(at)),
        ann(enter_asking(first, "ann", 1)),
        bob(both_ask ? enter_asking(first, "bob", 2) : first.enter("bob", {}, 2)) {
    seek_beside(first, ann);
    game = seek_beside(first, bob, both_ask);
    REQUIRE(hub().games_started() == 1);
    first.put(ann, 1, 1, game);
  }
  test_hub& hub() const { return *first.hub; }
  std::int64_t asleep() const { return hub().cells(0).loop.games_asleep.value(); }
  std::int64_t changes_of_presence() const {
    std::int64_t all = 0;
    for (std::size_t n = 0; n < hub().loop_count(); ++n)
      all += hub().cells(n).loop.players_gone.value() + hub().cells(n).loop.players_back.value();
    return all;
  }
  // Longer than it takes after the latest request.
  void rest() const { hub().advance(182s); }
  std::uint64_t last_record() const { return first.records(game).back().number; }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

std::uint64_t seen_by(const evening::guest& who) {
  const auto* p = who.client->last_position();
  return p == nullptr ? 0 : p->number;
}

}  // namespace

TEST_CASE("sleep: a game whose players are here and do not look at it leaves memory") {
  const read_table t;
  auto& hub = t.hub();
  const auto moved_at = hub.now();
  hub.advance(58s);
  CHECK(hub.actors_running() == 3);
  for (const auto* each : {&t.ann, &t.bob}) each->client->clear_events();
  t.rest();
  CHECK(hub.actors_running() == 2);
  CHECK(hub.sessions_open() == 2);
  CHECK(t.asleep() == 1);
  CHECK(t.first.log->away() == std::set{t.game});
  // They hear nothing of that.
  for (const auto* each : {&t.ann, &t.bob}) CHECK(each->client->events.empty());
  CHECK(t.changes_of_presence() == 0);
  SECTION("a spectator sees both of them there") {
    std::optional<game_snapshot> seen;
    hub.runtime().spectators_for(0).query_snapshot(
        t.game, std::nullopt, [&](std::optional<game_snapshot> s) { seen = std::move(s); });
    hub.settle();
    REQUIRE(seen);
    CHECK(seen->away.empty());
    CHECK(seen->clock.left_at(1, hub.now()) == 72h - (hub.now() - moved_at));
    CHECK(t.changes_of_presence() == 0);
  }
  SECTION("a move of one of them arrives at both") {
    t.first.put(t.bob, 0, 0, t.game);
    CHECK(t.bob.client->pending_replies == 0);
    CHECK(t.first.records(t.game).back().what == record::kind::moved);
    CHECK(seen_by(t.ann) == t.last_record());
    CHECK(seen_by(t.bob) == t.last_record());
    CHECK(t.ann.client->last_position()->away == 0);
    // Ann did nothing.
    const auto records = t.first.records(t.game);
    CHECK(t.ann.client->last<started>()->visits.at(0) == records.at(records.size() - 2).at);
  }
  t.rest();
  CHECK(t.asleep() == 1);
  CHECK(t.changes_of_presence() == 0);
  // The end by the clock comes to those who are here.
  hub.pass(73h), hub.settle();
  hub.advance(1s);
  REQUIRE(end_seen_by(t.ann));
  REQUIRE(end_seen_by(t.bob));
  CHECK(end_seen_by(t.ann)->reason == end_reason::clock);
  CHECK(hub.sessions_open() == 2);
  CHECK(hub.actors_running() == 2);
}

TEST_CASE("sleep: a game that a player follows stays awake, and leaves memory after that") {
  const read_table t;
  auto who = onlooker::of(t.hub().runtime().spectators_for(1), t.game, 0, seat_index{1});
  t.rest(), t.rest();
  CHECK(t.asleep() == 0);
  CHECK(t.hub().actors_running() == 3);
  who->stop(), t.rest();
  CHECK(t.asleep() == 1);
}

TEST_CASE("sleep: a game stays awake for a client that does not ask for its games") {
  const read_table t{false};
  t.rest(), t.rest();
  CHECK(t.asleep() == 0);
  t.bob.client->disconnect(), t.rest();
  CHECK(t.asleep() == 1);
  CHECK(t.hub().sessions_open() == 1);
  t.ann.client->clear_events();
  // Bob comes back and moves: Ann is here.
  const auto bob = t.first.enter({}, t.bob.secret, 1);
  t.first.put(bob, 0, 0, t.game);
  CHECK(seen_by(t.ann) == t.last_record());
  t.first.put(t.ann, 0, 1, t.game);
  CHECK(t.ann.client->pending_replies == 0);
  CHECK(seen_by(bob) == t.last_record());
}

TEST_CASE("sleep: a player who goes while his games are asleep has them when he comes back") {
  const read_table t;
  t.rest();
  t.ann.client->disconnect(), t.bob.client->disconnect(), t.hub().settle();
  CHECK(t.hub().actors_running() == 0);
  CHECK(t.asleep() == 1);
  CHECK_FALSE(t.first.records(t.game).back().what == record::kind::ended);
  // Nor are their names free.
  CHECK(t.first.enter("bob").client->last<signed_in>()->name != "bob");
  // Each wakes it alone; it falls asleep again, and the other one is known still.
  const auto ann = t.first.enter({}, t.ann.secret, 0);
  CHECK(ann.client->last<signed_in>()->games == 1);
  ann.client->disconnect(), t.rest();
  CHECK(t.asleep() == 1);
  const auto bob = t.first.enter({}, t.bob.secret, 1);
  CHECK(bob.client->last<signed_in>()->name == "bob");
  CHECK(bob.client->last<signed_in>()->games == 1);
  t.first.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
}

TEST_CASE("sleep: another client of a player who is here has the games that are asleep") {
  const read_table t;
  t.rest();
  const auto other = t.first.enter({}, t.bob.secret, 0);
  CHECK(other.client->last<signed_in>()->games == 1);
  t.first.put(other, 0, 0, t.game);
  CHECK(other.client->pending_replies == 0);
  CHECK(seen_by(t.ann) == t.last_record());
}

TEST_CASE("sleep: who leaves, is banned or has another name, does so in games that are asleep") {
  ban_list rules;
  const read_table t{true, quiet_evening(&rules)};
  t.rest();
  REQUIRE(t.asleep() == 1);
  SECTION("banned") {
    rules.set({{"bob"}, {}, {}});
    t.hub().runtime().bans_changed(), t.hub().settle();
    REQUIRE(end_seen_by(t.ann));
    CHECK(end_seen_by(t.ann)->reason == end_reason::left);
    CHECK(t.bob.client->closed == close_reason::banned);
  }
  SECTION("renamed") {
    t.bob.client->submit(change_name{"robert"}), t.hub().settle();
    CHECK(t.bob.client->pending_replies == 0);
    CHECK(t.first.records(t.game).back().text == "robert");
  }
  SECTION("left") {
    t.bob.client->submit(leave{t.game}), t.hub().settle();
    CHECK(t.bob.client->pending_replies == 0);
    REQUIRE(end_seen_by(t.ann));
    CHECK(end_seen_by(t.ann)->winner == 0);
  }
}

TEST_CASE("sleep: the games of a player who is here count, asleep or not") {
  const read_table t;
  const auto carl = enter_asking(t.first, "carl", 0);
  for (std::uint32_t n = 1; n < limits::games_kept_max; ++n) {
    seek_beside(t.first, t.bob);
    seek_beside(t.first, carl);
  }
  t.rest();
  CHECK(t.asleep() == limits::games_kept_max);
  seek_beside(t.first, t.bob);
  REQUIRE(t.bob.client->last<refused>() != nullptr);
  CHECK(t.bob.client->last<refused>()->why == refusal::already_in_game);
}

TEST_CASE("sleep: requests at the time when a game falls asleep are answered, in any order") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    const read_table t;
    auto& hub = t.hub();
    t.first.log->files_late = seed % 3 == 0;
    hub.advance(60s);
    base::seeded_entropy random{seed};
    int cell = 0;
    // Sessions release their seats, and the game falls asleep, while they move and look.
    hub.advance(58s);
    const auto after = random.below(12);
    for (std::uint64_t n = 0; n < 14; ++n) {
      if (n >= after && random.below(3) == 0 && cell < 3) {
        const auto& mover = cell % 2 == 0 ? t.bob : t.ann;
        if (mover.client->pending_replies == 0)
          mover.client->submit(play_document(
              R"({"type":"move","row":0,"column":)" + std::to_string(cell++) + "}", t.game));
      }
      if (random.below(5) == 0) t.bob.client->submit(find_seat{t.game});
      if (random.below(4) == 0) hub.pass(2s);
      for (auto steps = random.below(4); steps > 0; --steps) hub.step(random.below(3));
    }
    hub.settle();
    t.first.log->file_all();
    hub.settle();
    for (const auto* each : {&t.ann, &t.bob}) {
      CHECK(each->client->pending_replies == 0);
      CHECK(each->client->unexpected_replies == 0);
      CHECK(each->client->connected());
    }
    // At the end both know how it stands.
    t.rest();
    CHECK(t.asleep() == 1);
    CHECK(t.hub().actors_running() == 2);
    CHECK(seen_by(t.ann) >= t.last_record());
    CHECK(seen_by(t.bob) >= t.last_record());
    t.bob.client->submit(leave{t.game}), hub.settle();
    CHECK(end_seen_by(t.ann).has_value());
    CHECK(end_seen_by(t.bob).has_value());
    CHECK(hub.actors_running() == 2);
  }
}

TEST_CASE("sleep: a player who has gone is known by a game that fell asleep twice since") {
  const read_table t;
  t.first.log->files_late = true;
  t.rest();
  CHECK(t.asleep() == 1);
  t.bob.client->disconnect(), t.hub().settle();
  t.ann.client->submit(find_seat{t.game}), t.hub().settle();
  CHECK(t.asleep() == 0);
  t.rest();
  CHECK(t.asleep() == 1);
  t.first.log->file_all(), t.hub().settle();
  const auto bob = t.first.enter({}, t.bob.secret, 1);
  CHECK(bob.client->last<signed_in>()->name == "bob");
  CHECK(bob.client->last<signed_in>()->games == 1);
}

TEST_CASE("sleep: a player who goes while his game wakes keeps it, in any order of steps") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    const read_table t;
    auto& hub = t.hub();
    t.first.log->files_late = seed % 3 == 0;
    t.rest();
    REQUIRE(t.asleep() == 1);
    base::seeded_entropy random{seed};
    t.ann.client->submit(find_seat{t.game});
    for (auto steps = random.below(14); steps > 0; --steps) hub.step(random.below(3));
    t.bob.client->disconnect();
    hub.settle();
    CHECK(t.ann.client->pending_replies == 0);
    CHECK(t.first.records(t.game).back().what != record::kind::ended);
    std::optional<game_snapshot> seen;
    hub.runtime().spectators_for(0).query_snapshot(
        t.game, std::nullopt, [&](std::optional<game_snapshot> s) { seen = std::move(s); });
    hub.advance(2s);
    REQUIRE(seen);
    CHECK(seen->away.size() <= 1);
    t.rest();
    CHECK(t.asleep() == 1);
    t.first.log->file_all(), hub.settle();
    const auto bob = t.first.enter({}, t.bob.secret, 1);
    CHECK(bob.client->last<signed_in>()->name == "bob");
    t.first.put(bob, 0, 0, t.game);
    CHECK(t.first.records(t.game).back().what == record::kind::moved);
    CHECK(seen_by(t.ann) == t.last_record());
  }
}
