// Players that go and come back, as their opponents and lists see it.
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

constexpr auto pause_time = limits::absence_reported_after;

// Ann (X) plays bob; both may come back within a minute.
struct attended_game {
  explicit attended_game(test_hub_options options = {.loops = 2, .grace = 60s},
                         client_features of_bob = {})
      : hub{options} {
    ann = hub.connect(test_hub::documents_wire, 0), bob = hub.connect(test_hub::cells_wire, 1);
    ann->submit(sign_in{"ann", {}}), ann->submit(seek_once()), hub.settle();
    auto seek_of_bob = seek_once();
    std::get<seek>(seek_of_bob).features = of_bob;
    bob->submit(sign_in{"bob", {}}), bob->submit(seek_of_bob), hub.settle();
    game = bob->events.back().game;
    secret = ann->last<signed_in>()->secret;
    who = onlooker::of(hub.runtime().spectators_for(1), game);
    hub.settle();
  }
  const std::vector<absence>& away() const { return who->presents.back()->away; }
  std::size_t reports() const { return who->presents.size() - 1; }
  std::int64_t counted(bool back) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < hub.loop_count(); ++i) {
      const auto& loop = hub.cells(i).loop;
      sum += (back ? loop.players_back : loop.players_gone).value();
    }
    return sum;
  }

  test_hub hub;
  std::shared_ptr<test_client> ann, bob;
  std::string secret;
  game_id game;
  std::shared_ptr<onlooker> who;
};

std::vector<position_ref> positions_of(const test_client& who) {
  std::vector<position_ref> out;
  for (const auto& each : who.events)
    if (const auto* p = std::get_if<position_ref>(&each.what)) out.push_back(*p);
  return out;
}

struct quiet_listener final : actors::system::recovery_listener {
  void on_progress(std::size_t, std::size_t) override {}
  void on_quarantined(game_id, const std::string&) override {}
};

std::vector<game_id> waiting_games(test_hub& hub) {
  std::vector<game_id> out;
  hub.runtime().spectators_for(0).list({"", game_status::waiting, {}, 10}, [&](game_page page) {
    for (const auto& each : page.games) out.push_back(each.progress.game->id);
  });
  hub.settle();
  return out;
}

}  // namespace

TEST_CASE("presence: a lost connection is reported after a second, and its return at once") {
  attended_game g;
  const auto kept_until = g.hub.now() + 60s;
  g.ann->disconnect(), g.hub.settle();
  CHECK(g.reports() == 0);
  g.hub.advance(pause_time);
  CHECK(g.reports() == 1);
  CHECK(g.away() == std::vector<absence>{{0, kept_until}});
  // Who comes to look is told, too.
  const auto late = onlooker::of(g.hub.runtime().spectators_for(0), g.game, 3);
  g.hub.settle();
  CHECK(late->presents.at(0)->away == g.away());
  const auto back = g.hub.connect(test_hub::documents_wire, 1);
  back->submit(sign_in{{}, g.secret}), g.hub.settle();
  CHECK(back->last<started>() != nullptr);
  CHECK(g.reports() == 2);
  CHECK(g.away().empty());
  CHECK(g.counted(false) == 1);
  CHECK(g.counted(true) == 1);
  // The clock ran on.
  CHECK(g.who->presents.back()->clock.left_at(0, g.hub.now()) == 119s);
}

TEST_CASE("presence: a player whose client wants it gets its position again, with who is away") {
  attended_game g{{.loops = 2, .grace = 60s}, {.wants_presence = true}};
  const auto states = [&] { return positions_of(*g.bob); };
  const auto before = states().size();
  CHECK(states().back()->away == 0);
  g.ann->disconnect(), g.hub.settle();
  g.hub.advance(pause_time);
  REQUIRE(states().size() == before + 1);
  CHECK(states().back()->away == only(0));
  CHECK(states().back()->prompted == 0);
  const auto back = g.hub.connect(test_hub::documents_wire, 1);
  back->submit(sign_in{{}, g.secret}), g.hub.settle();
  REQUIRE(states().size() == before + 2);
  CHECK(states().back()->away == 0);
  // Of a rename, too.
  back->submit(change_name{"anna"}), g.hub.settle();
  CHECK(states().size() == before + 3);
  // Other clients get neither.
  CHECK(positions_of(*back).size() == 1);
}

TEST_CASE("presence: without a grace time no player is away: the game ends") {
  attended_game g{{.loops = 2}};
  g.ann->disconnect(), g.hub.settle();
  CHECK(g.who->ends == 1);
  CHECK(g.counted(false) == 0);
}

TEST_CASE("presence: a stream that comes and goes 1,000 times a second is not reported") {
  attended_game g;
  for (int i = 0; i < 3'000; ++i) {
    g.ann->set_away(g.hub.now() + 60s), g.hub.settle();
    g.hub.advance(1ms);
    g.ann->set_away(std::nullopt), g.hub.settle();
  }
  CHECK(g.reports() == 0);
  // The slowest that is reported: once in the pause.
  for (int i = 0; i < 10; ++i) {
    g.ann->set_away(g.hub.now() + 60s), g.hub.settle(), g.hub.advance(pause_time);
    g.ann->set_away(std::nullopt), g.hub.settle();
  }
  CHECK(g.reports() == 20);
  CHECK(g.counted(false) == 10);
  // A client that is away prolongs its seat with every request.
  g.ann->set_away(g.hub.now() + 60s), g.hub.settle(), g.hub.advance(pause_time);
  for (int i = 0; i < 1'000; ++i)
    g.ann->set_away(g.hub.now() + 60s), g.hub.settle(), g.hub.advance(1ms);
  CHECK(g.counted(false) <= 12);
  g.hub.advance(pause_time);
  CHECK(g.away().at(0).kept_until > g.hub.now() + 57s);
}

TEST_CASE("presence: an open seat is listed while its owner is there, and keeps its place") {
  test_hub hub{{.loops = 2}};
  const auto ann = hub.connect(test_hub::cells_wire, 1), bob = hub.connect(test_hub::cells_wire, 0);
  auto open = seek_once();
  std::get<seek>(open).reserve_game = std::get<seek>(open).seat_at_once = true;
  ann->submit(open), hub.settle();
  const auto game = ann->events.back().game;
  REQUIRE(waiting_games(hub) == std::vector{game});
  ann->set_away(hub.now() + 600s), hub.advance(pause_time);
  CHECK(waiting_games(hub).empty());
  ann->set_away(std::nullopt), hub.settle();
  CHECK(waiting_games(hub) == std::vector{game});
  ann->set_away(hub.now() + 600s), hub.advance(pause_time);
  bob->submit(seek_once()), hub.settle();
  // Its opponent is told that it is not there.
  CHECK(bob->events.back().game == game);
  const auto who = onlooker::of(hub.runtime().spectators_for(0), game);
  hub.settle();
  REQUIRE(who->presents.size() == 1);
  REQUIRE(who->presents[0]->away.size() == 1);
  CHECK(who->presents[0]->away[0].seat == 0);
}

TEST_CASE(
    "presence: after a restart all are away until they are back, and the clock stands still") {
  late_journal journal{false};
  journal.be_durable();
  game_id game;
  std::string ann_secret, bob_secret;
  std::unique_ptr<late_journal> kept;
  {
    attended_game g{{.loops = 2, .grace = 60s, .log = &journal}};
    game = g.game, ann_secret = g.secret, bob_secret = g.bob->last<signed_in>()->secret;
    g.hub.advance(20s);
    kept = journal.left_behind();
  }
  test_hub hub{{.loops = 2, .grace = 60s, .log = kept.get()}};
  quiet_listener events;
  REQUIRE(hub.runtime().recover(events).restored == 1);
  const auto who = onlooker::of(hub.runtime().spectators_for(1), game, 3);
  hub.settle();
  REQUIRE(who->presents.size() == 1);
  const auto stopped = who->presents[0]->clock;
  CHECK(stopped.running == 0);
  CHECK(who->presents[0]->away.size() == 2);
  const auto come_back = [&](const std::string& secret) {
    auto client = hub.connect(test_hub::documents_wire, 0);
    client->submit(sign_in{{}, secret}), hub.settle();
    return client;
  };
  hub.advance(5s);
  const auto bob = come_back(bob_secret);
  REQUIRE(who->presents.size() == 2);
  CHECK(who->presents[1]->away == std::vector<absence>{who->presents[0]->away[0]});
  CHECK(shows_same(who->presents[1]->clock, stopped));
  CHECK(who->presents[1]->clock.left_at(0, hub.now() + 1h) == stopped.left[0]);
  const auto ann = come_back(ann_secret);
  REQUIRE(who->presents.size() == 3);
  CHECK(who->presents[2]->away.empty());
  CHECK(who->presents[2]->clock.running == only(0));
  CHECK(who->presents[2]->clock.left_at(0, hub.now()) == stopped.left[0]);
  CHECK(hub.cells(0).loop.faults.value() == 0);
}

TEST_CASE("presence: the list of games has the clock of each running one") {
  attended_game g;
  g.hub.advance(15s);
  std::vector<game_summary> games;
  g.hub.runtime().spectators_for(0).list({"", {}, {}, 10},
                                         [&](game_page page) { games = page.games; });
  g.hub.settle();
  REQUIRE(games.size() == 1);
  CHECK(games[0].clock.left_at(0, g.hub.now()) == 105s);
  CHECK(games[0].clock.running == only(0));
  g.ann->submit(leave{g.game}), g.hub.settle();
  g.hub.runtime().spectators_for(0).list({"", {}, {}, 10},
                                         [&](game_page page) { games = page.games; });
  g.hub.settle();
  CHECK_FALSE(games.at(0).clock);
}
