// Scenes of games of days that are asleep in the log that hubs share. The hubs are those of the
// simulated cluster, and nothing fails unless a scene says so.
#include "actors/session/player_registry.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/clock_rule.hpp"
#include "tests/simulation/linked_hubs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/onlooker.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::tests {

using namespace std::chrono_literals;

namespace {

test_hub_options of_days() {
  test_hub_options o{.grace = 60s};
  o.settings.clocks.standard = find_clock("days:1");
  o.settings.clocks.lasting_max = 100;
  o.settings.sleep_after = 2s;
  return o;
}

// Ann and Bob have a game of days at the first hub, in which Ann has taken the centre: record 4.
struct sleepy_hubs : linked_hubs {
  explicit sleepy_hubs(std::size_t count = 2, const test_hub_options& o = of_days())
      : linked_hubs(count, o), ann(enter(0, "ann")), bob(enter(0, "bob")) {
    secret_of_ann = ann->last<signed_in>()->secret;
    secret_of_bob = bob->last<signed_in>()->secret;
    seek(*ann, seek_once()), seek(*bob, seek_once());
    REQUIRE(bob->last<started>() != nullptr);
    game = bob->events.back().game;
    submit(*ann, play_cell(4));
  }
  // Both go.
  void fall_asleep() {
    ann->disconnect(), bob->disconnect();
    pass(8s);
    REQUIRE(asleep() == 1);
    REQUIRE(open_at() == std::vector<std::size_t>{});
  }
  client_ref back(std::size_t at, const std::string& secret, bool asks_for_games = false) {
    auto c = connect(at, test_hub::documents_wire);
    sign_in who{"back", secret};
    who.only_resume = true;
    who.features.asks_for_games = asks_for_games;
    submit(*c, std::move(who));
    return c;
  }
  // What a new player is called, when it is known that no hub frees the name.
  std::string name_of_new(std::size_t at, const std::string& wanted) {
    const auto c = connect(at, test_hub::documents_wire);
    submit(*c, sign_in{wanted, {}});
    pass(2s);
    return c->last<signed_in>() == nullptr ? "" : c->last<signed_in>()->name;
  }
  // The hubs that have the game open.
  std::vector<std::size_t> open_at() {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < size(); ++i)
      for (const auto& h : (*this)[i].log().open_games())
        if (h.id == game) found.push_back(i);
    return found;
  }

  client_ref ann, bob;
  std::string secret_of_ann, secret_of_bob;
  game_id game;
};

std::int64_t wakes(sleepy_hubs& h, std::size_t at, metrics::wake_cause why) {
  return h[at].hub().cells(0).loop.wakes[static_cast<std::size_t>(why)].value();
}

}  // namespace

TEST_CASE("sleep: a game that fell asleep at a hub that has ended goes on at another one") {
  sleepy_hubs h;
  h.fall_asleep();
  // The names are taken as long as a game is asleep under them.
  CHECK(h.name_of_new(1, "ann") == "ann-1");
  h.kill(0);
  h.pass(4s);
  REQUIRE(h.asleep() == 1);
  const auto bob = h.back(0, h.secret_of_bob);
  REQUIRE(bob->last<signed_in>() != nullptr);
  CHECK(bob->last<signed_in>()->name == "bob");
  CHECK(bob->last<signed_in>()->returned);
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last_position()->number == 4);
  CHECK(h.asleep() == 0);
  CHECK(h.open_at() == std::vector<std::size_t>{0});
  CHECK(wakes(h, 0, metrics::wake_cause::player) == 1);
  h.submit(*bob, play_cell(0));
  const auto ann = h.back(0, h.secret_of_ann);
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last_position()->number == 5);
  h.submit(*ann, play_cell(2));
  CHECK(bob->last_position()->number == 6);
  CHECK(h.name_of_new(0, "bob") == "bob-1");
}

TEST_CASE("sleep: the clock of a game that is asleep runs out, whichever hub is there") {
  sleepy_hubs h;
  h.fall_asleep();
  h.kill(0);
  h.cluster().now += 23h;
  h.pass(61s);
  CHECK(h.asleep() == 1);
  h.cluster().now += 1h;
  h.pass(2s);
  CHECK(h.asleep() == 0);
  CHECK(wakes(h, 0, metrics::wake_cause::clock) == 1);
  const auto log = h[0].log().find(h.game);
  REQUIRE(log);
  CHECK(log->records.back().what == journal::record::kind::ended);
  CHECK(log->records.back().why == end_reason::clock);
  // The names are free again.
  h.pass(4s);
  CHECK(h.name_of_new(0, "ann") == "ann");
}

TEST_CASE("sleep: two hubs that want the same game get it once, and its players meet there") {
  sleepy_hubs h{3};
  h.fall_asleep();
  std::vector<client_ref> all;
  for (const auto& [at, secret] :
       {std::pair{std::size_t{1}, h.secret_of_ann}, std::pair{std::size_t{2}, h.secret_of_bob}}) {
    all.push_back(h.connect(at, test_hub::documents_wire));
    sign_in who{"back", secret};
    who.only_resume = true;
    all.back()->submit(std::move(who));
  }
  h.settle();
  h.pass(2s);
  CHECK(h.open_at().size() == 1);
  for (const auto& each : all) {
    REQUIRE(each->last<started>() != nullptr);
    CHECK(each->last_position()->number == 4);
  }
  h.submit(*all[1], play_cell(0));
  CHECK(all[0]->last_position()->number == 5);
}

TEST_CASE("sleep: a player who comes to two hubs at the same moment is at one of them") {
  sleepy_hubs h{3};
  h.fall_asleep();
  std::vector<client_ref> all;
  for (const std::size_t at : {1u, 2u}) {
    all.push_back(h.connect(at, test_hub::documents_wire));
    sign_in who{"back", h.secret_of_bob};
    who.only_resume = true;
    all.back()->submit(std::move(who));
  }
  h.settle();
  h.pass(2s);
  CHECK(h.open_at().size() == 1);
  // The one that came first is replaced by the other.
  std::size_t seated = 0;
  for (const auto& each : all)
    if (!each->closed && each->last<started>() != nullptr) ++seated;
  CHECK(seated == 1);
}

TEST_CASE("sleep: lists of all hubs have games that are asleep in the log, once, and wake none") {
  sleepy_hubs h;
  h.fall_asleep();
  for (const bool open : {false, true}) {
    std::optional<game_page> page;
    list_query query;
    query.open = open;
    h[1].hub().runtime().spectators_for(0).list(query, [&](game_page p) { page = std::move(p); });
    h.settle();
    REQUIRE(page);
    // The hub that asks others lists them itself.
    REQUIRE(page->games.size() == (open ? 0 : 1));
    if (open) continue;
    CHECK(page->games.front().progress.game->players == std::vector<std::string>{"ann", "bob"});
    CHECK(page->games.front().progress.status == game_status::running);
    CHECK(page->games.front().clock.running == seat_set{2});
  }
  CHECK(h.asleep() == 1);
  std::optional<game_snapshot> seen;
  h[1].hub().runtime().spectators_for(0).query_snapshot(
      h.game, std::nullopt, [&](std::optional<game_snapshot> s) { seen = std::move(s); });
  h.settle();
  REQUIRE(seen);
  CHECK(seen->progress.status == game_status::running);
  CHECK(seen->position.cells == "----X----");
  CHECK(wakes(h, 1, metrics::wake_cause::spectator) == 1);
  h.pass(8s);
  CHECK(h.asleep() == 1);
  bool found = false;
  h[0].hub().runtime().end_game(h.game, "enough", [&](bool runs) { found = runs; });
  h.settle();
  CHECK(found);
  h.pass(1s);
  CHECK(h[1].log().find(h.game)->records.back().why == end_reason::operator_);
  CHECK(h.asleep() == 0);
}

TEST_CASE("sleep: who comes while the log can't be read is told to try again, and loses nothing") {
  sleepy_hubs h;
  h.fall_asleep();
  h.cluster().fault = [](std::string_view step) {
    return step == "take_asleep" ? log_fault::late : log_fault::none;
  };
  const auto early = h.back(1, h.secret_of_bob);
  CHECK(early->last<started>() == nullptr);
  REQUIRE(early->last<refused>() != nullptr);
  CHECK(early->last<refused>()->why == refusal::hub_full);
  h.cluster().fault = [](std::string_view) { return log_fault::none; };
  // The hub has it now, and does not know.
  h.cluster().database.deliver();
  CHECK(h.asleep() == 0);
  const auto bob = h.back(1, h.secret_of_bob);
  REQUIRE(bob->last<started>() != nullptr);
  CHECK(bob->last_position()->number == 4);
  CHECK(h.open_at() == std::vector<std::size_t>{1});
}

TEST_CASE("sleep: what a hub took and did not hear of, it has with its next look, which is soon") {
  sleepy_hubs h;
  h.fall_asleep();
  h.kill(0);
  h.cluster().fault = [](std::string_view step) {
    return step == "take_asleep" ? log_fault::answer_lost : log_fault::none;
  };
  h.back(0, h.secret_of_bob);
  CHECK(h.asleep() == 0);
  CHECK(h.open_at().empty());
  h.cluster().fault = [](std::string_view) { return log_fault::none; };
  h.pass(20s);
  // It was awake, and slept again.
  CHECK(wakes(h, 0, metrics::wake_cause::clock) == 1);
  CHECK(h.asleep() == 1);
}

TEST_CASE("sleep: no new player gets a name of a game that its hub took and did not hear of") {
  sleepy_hubs h;
  h.fall_asleep();
  h.cluster().fault = [](std::string_view step) {
    return step == "take_asleep" ? log_fault::answer_lost : log_fault::none;
  };
  h.back(1, h.secret_of_bob);
  REQUIRE(h.asleep() == 0);
  REQUIRE(h.open_at().empty());
  h.cluster().fault = [](std::string_view) { return log_fault::none; };
  CHECK(h.name_of_new(1, "ann") == "ann-1");
  const auto ann = h.back(1, h.secret_of_ann);
  REQUIRE(ann->last<signed_in>() != nullptr);
  CHECK(ann->last<signed_in>()->name == "ann");
  // The names are freed with the game.
  h.submit(*ann, leave{h.game});
  ann->disconnect();
  h.pass(70s);
  CHECK(h.name_of_new(1, "ann") == "ann");
}

TEST_CASE("sleep: a hub gives the name of a player who fell asleep there to no new player") {
  sleepy_hubs h;
  // The hub still has the key when the game has left it.
  h.cluster().fault = [](std::string_view step) {
    return step == "change_keys" ? log_fault::refused : log_fault::none;
  };
  h.fall_asleep();
  const auto other = h.connect(0, test_hub::documents_wire);
  h.submit(*other, sign_in{"ann", {}});
  h.cluster().fault = [](std::string_view) { return log_fault::none; };
  h.pass(2s);
  REQUIRE(other->last<signed_in>() != nullptr);
  CHECK(other->last<signed_in>()->name == "ann-1");
  const auto ann = h.back(1, h.secret_of_ann);
  REQUIRE(ann->last<signed_in>() != nullptr);
  CHECK(ann->last<signed_in>()->name == "ann");
}

TEST_CASE("sleep: who leaves while its games are asleep leaves its name to no new player") {
  sleepy_hubs h;
  h.fall_asleep();
  const auto ann = h.back(1, h.secret_of_ann, true);
  h.pass(1s);
  REQUIRE(ann->last<signed_in>() != nullptr);
  REQUIRE(h.asleep() == 1);
  ann->disconnect();
  h.settle();
  CHECK(h.name_of_new(1, "ann") == "ann-1");
  h.pass(2s);
  CHECK(h.name_of_new(1, "ann") == "ann-2");
}

TEST_CASE("sleep: a hub that dies when it has taken a game leaves it to its adopter") {
  sleepy_hubs h{3};
  h.fall_asleep();
  const auto bob = h.back(1, h.secret_of_bob);
  REQUIRE(bob->last<started>() != nullptr);
  h.kill(1);
  h.pass(4s);
  REQUIRE(h.open_at().size() + h.asleep() == 1);
  const auto again = h.back(0, h.secret_of_bob);
  REQUIRE(again->last<started>() != nullptr);
  CHECK(again->last_position()->number == 4);
}

TEST_CASE("sleep: a player who is asleep keeps its name when its hub ends, and leaves its game") {
  sleepy_hubs h{1};
  h.ann->disconnect();
  h.pass(8s);
  REQUIRE(h.asleep() == 0);  // Bob is there
  auto& hub = h[0].hub().runtime();
  hub.begin_drain([] {});
  hub.end_games(end_reason::drained);
  h.pass(4s);
  using actors::session::player_registry;
  const auto digest = player_registry::key_of_digest(journal::digest_of(h.secret_of_ann));
  h.cluster().database.look([&](const fake_database::state& s) {
    CHECK(s.keys.contains(player_registry::keys_of("ann").front()));
    CHECK(s.keys.contains(digest));
  });
}

TEST_CASE("sleep: a hub that ends keeps no session whose name the database has not confirmed") {
  linked_hubs h{1, of_days()};
  const auto ann = h.enter(0, "ann");
  h.cluster().fault = [](std::string_view step) {
    return step == "change_keys" ? log_fault::refused : log_fault::none;
  };
  h.submit(*ann, change_name{"eve"});
  const auto bob = h.connect(0, test_hub::documents_wire);
  h.submit(*bob, sign_in{"bob", {}});
  REQUIRE(ann->pending_replies + bob->pending_replies == 2);
  auto& hub = h[0].hub();
  hub.runtime().stop_actors(), hub.settle();
  const auto running = hub.actors_running();
  // As clients of other hubs do, which this hub disconnects last.
  ann->disconnect(), bob->disconnect(), hub.settle();
  CHECK(hub.actors_running() + 2 == running);
}

TEST_CASE("sleep: nothing falls asleep in a cluster before its operator says that all know it") {
  sleepy_hubs h;
  h.cluster().record_format = journal::record_format_with_secrets;
  h.pass(1s);
  h.ann->disconnect(), h.bob->disconnect();
  h.pass(8s);
  CHECK(h.asleep() == 0);
  CHECK(h.open_at() == std::vector<std::size_t>{0});
  h.cluster().record_format = journal::record_format_with_sleepers;
  h.pass(8s);
  CHECK(h.asleep() == 1);
}

TEST_CASE("sleep: a player who is at one hub has its games there that fell asleep at another one") {
  sleepy_hubs h;
  h.fall_asleep();
  const auto bob = h.back(1, h.secret_of_bob);
  REQUIRE(bob->last<started>() != nullptr);
  // Another client of the same player, at the other hub.
  const auto again = h.back(0, h.secret_of_bob);
  h.pass(1s);
  REQUIRE(again->last<started>() != nullptr);
  h.submit(*again, play_cell(0));
  CHECK(again->last_position()->number == 5);
  CHECK(h.open_at() == std::vector<std::size_t>{1});
}

TEST_CASE("sleep: a player with games at two hubs is shown those of the hub that it asks") {
  linked_hubs h{2, of_days()};
  const auto ann = h.enter(0, "ann"), bob = h.enter(0, "bob"), cid = h.enter(0, "cid");
  h.seek(*bob, seek_again({"tictactoe"}, 2)), h.seek(*ann, seek_once()), h.seek(*cid, seek_once());
  REQUIRE(ann->last<started>() != nullptr);
  REQUIRE(cid->last<started>() != nullptr);
  const auto with_ann = ann->events.back().game, with_cid = cid->events.back().game;
  const auto secret_of_ann = ann->last<signed_in>()->secret;
  const auto secret_of_bob = bob->last<signed_in>()->secret;
  ann->disconnect(), bob->disconnect();
  h.pass(8s);
  REQUIRE(h.asleep() == 1);

  const auto ask = [&](const std::string& secret) {
    auto c = h.connect(1, test_hub::documents_wire);
    sign_in who{"back", secret};
    who.only_resume = true;
    c->submit(std::move(who));
    return c;
  };
  const auto shows = [](const test_client& c, game_id game) {
    return std::any_of(c.events.begin(), c.events.end(), [game](const event& e) {
      return e.game == game && std::holds_alternative<started>(e.what);
    });
  };
  // Both at the same moment: the second hub sends Bob to the first one, and wakes the game for Ann.
  const auto early = ask(secret_of_bob), other = ask(secret_of_ann);
  h.pass(1s);
  CHECK(shows(*early, with_cid));
  CHECK_FALSE(shows(*early, with_ann));
  CHECK(shows(*other, with_ann));
  const auto late = ask(secret_of_bob);
  h.pass(1s);
  CHECK(shows(*late, with_ann));
}

TEST_CASE("sleep: a client that asks for its games has them listed, and wakes the one it names") {
  sleepy_hubs h;
  h.fall_asleep();
  h.kill(0);
  const auto bob = h.back(0, h.secret_of_bob, true);
  REQUIRE(bob->last<signed_in>() != nullptr);
  CHECK(bob->last<signed_in>()->name == "bob");
  CHECK(bob->last<signed_in>()->games == 0);
  CHECK(h.asleep() == 1);
  h.submit(*bob, find_seat{});
  REQUIRE(bob->last<done>() != nullptr);
  REQUIRE(bob->last<done>()->asleep);
  REQUIRE(bob->last<done>()->asleep->size() == 1);
  CHECK(bob->last<done>()->asleep->front().game == h.game);
  CHECK(bob->last<done>()->asleep->front().latest->to_move == seat_set{2});
  CHECK(h.asleep() == 1);
  // A game of other players stays asleep.
  h.submit(*bob, play_cell(0, game_id{h.game.value + 1}));
  CHECK(bob->last<refused>() != nullptr);
  h.submit(*bob, play_cell(0, h.game));
  CHECK(h.asleep() == 0);
  CHECK(bob->last_position()->number == 5);
  // It has its name still while it is here without its game.
  h.pass(8s);
  CHECK(h.asleep() == 1);
  CHECK(h.name_of_new(0, "bob") == "bob-1");
}

TEST_CASE("sleep: a game is woken at the hub of its player, whichever hub a spectator asks") {
  sleepy_hubs h;
  h.fall_asleep();
  const auto bob = h.back(1, h.secret_of_bob, true);
  h.pass(1s);
  REQUIRE(h.asleep() == 1);
  std::optional<std::optional<journal::member_id>> at;
  h[0].exchange().find_game(h.game, {}, [&](auto found) { at = found; });
  h.pass(1s);
  REQUIRE(at);
  CHECK(*at == h[1].id());
  const auto seen =
      onlooker::of_elsewhere(h[0].hub().runtime().spectators_for(0), h[1].id().value, h.game);
  h.pass(1s);
  CHECK(h.open_at() == std::vector<std::size_t>{1});
  CHECK(seen->progress.has_value());
  h.submit(*bob, play_cell(0, h.game));
  h.pass(1s);
  CHECK(bob->last_position()->number == 5);
}

TEST_CASE(
    "sleep: who would join a game that is asleep is told that it has begun, and wakes nothing") {
  sleepy_hubs h;
  auto closed = std::get<seek>(seek_once());
  closed.closed = true;
  const auto dan = h.enter(0, "dan"), eve = h.enter(0, "eve");
  h.seek(*dan, closed);
  REQUIRE(dan->last<placed>() != nullptr);
  auto invited = std::get<seek>(seek_once());
  invited.invitation = dan->last<placed>()->invitation;
  h.seek(*eve, invited);
  REQUIRE(eve->last<started>() != nullptr);
  const auto other = eve->events.back().game;
  for (const auto& each : {h.ann, h.bob, dan, eve}) each->disconnect();
  h.pass(8s);
  REQUIRE(h.asleep() == 2);

  const auto cid = h.enter(1, "cid");
  const auto why_not = [&](game_id game) {
    auto join = std::get<seek>(seek_once());
    join.engines.clear();
    join.join = game;
    cid->clear_events();
    h.seek(*cid, join);
    REQUIRE(cid->last<refused>() != nullptr);
    return cid->last<refused>()->why;
  };
  CHECK(why_not(h.game) == refusal::seat_taken);
  // As if there were no such game.
  CHECK(why_not(other) == refusal::not_in_game);
  CHECK(why_not({other.value + 1'000}) == refusal::not_in_game);
  CHECK(h.asleep() == 2);
  // A seek that was withdrawn meanwhile has one answer, and the next one is as any.
  auto join = std::get<seek>(seek_once());
  join.join = h.game;
  cid->clear_events();
  cid->submit(join), cid->submit(leave{});
  h.pass(1s);
  CHECK(cid->pending_replies == 0);
  CHECK(h.asleep() == 2);
  h.seek(*cid, seek_once());
  h.seek(*h.enter(1, "fay"), seek_once());
  CHECK(cid->last<started>() != nullptr);
}

TEST_CASE("sleep: an address has as many games asleep as it may have seats, at all hubs together") {
  address_ledger ledger{{.seats = 2}, {3, 4}};
  const auto account = ledger.account_of(*base::read_address("203.0.113.9"));
  linked_hubs h{2, of_days()};
  const auto enter = [&](std::size_t at, const std::string& name) {
    const auto c = h.connect(at, test_hub::documents_wire, account);
    h.submit(*c, sign_in{name, {}});
    h.seek(*c, seek_once());
    return c;
  };
  for (std::size_t n = 0; n < 2; ++n) {
    const auto ann = enter(n, "ann" + std::to_string(n)), bob = enter(n, "bob" + std::to_string(n));
    REQUIRE(bob->last<started>() != nullptr);
    ann->disconnect(), bob->disconnect();
    h.pass(8s);
    REQUIRE(h.asleep() == n + 1);
  }
  const auto cid = enter(0, "cid");
  REQUIRE(cid->last<refused>() != nullptr);
  CHECK(cid->last<refused>()->why == refusal::address_limit);
}

}  // namespace gamehub::tests
