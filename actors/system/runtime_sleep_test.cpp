// Games of days and their players leave memory while nothing is due, and come back as they were.
#include "actors/session/player_registry.hpp"
#include "hub/base/random.hpp"
#include "hub/core/address_ledger.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"
#include "tests/support/onlooker.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using actors::session::player_registry;
using journal::record;
using metrics::wake_cause;

namespace {

constexpr auto sleep_day = std::chrono::hours{24};

std::unique_ptr<late_journal> storing_journal() {
  auto log = empty_journal();
  log->stores_logs = true;
  return log;
}

void seek_days(const evening& at, const evening::guest& who, const std::string& clock = "days:3") {
  auto what = seek_once();
  std::get<seek>(what).clock = clock;
  who.client->submit(std::move(what)), at.hub->settle();
}

void pass_time(test_hub& hub, std::chrono::hours time) {
  hub.settle();
  for (; time > 0h; --time) hub.pass(1h), hub.settle();
}

std::int64_t asleep_in(const test_hub& hub) { return hub.cells(0).loop.games_asleep.value(); }
std::int64_t wakes_of(const test_hub& hub, wake_cause why) {
  return hub.cells(0).loop.wakes[static_cast<std::size_t>(why)].value();
}

// Ann (X) and Bob have a game of three days, in which Ann has taken the centre.
struct sleepy_table {
  explicit sleepy_table(evening at = evening{storing_journal()})
      : first(std::move(at)), ann(first.enter("ann", {}, 0)), bob(first.enter("bob", {}, 1)) {
    seek_days(first, ann), seek_days(first, bob);
    REQUIRE(first.hub->games_started() == 1);
    game = bob.client->events.back().game;
    first.put(ann, 1, 1, game);
  }
  test_hub& hub() const { return *first.hub; }
  // Both go, and two minutes pass.
  void fall_asleep() const {
    ann.client->disconnect(), bob.client->disconnect();
    hub().advance(122s);
  }
  bool ended() const { return first.records(game).back().what == record::kind::ended; }
  evening::guest back(const evening& at, const evening::guest& who) const {
    return at.enter({}, who.secret, 1);
  }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

std::string secret_of_ann(std::size_t n) { return "the secret of ann " + std::to_string(n); }

// Adds a copy of a game of Ann and Bob, in which another Ann plays, to those that are asleep.
void add_asleep(late_journal& log, journal::game_header header, std::vector<record> records,
                std::size_t n, seat_set to_move) {
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  };
  static deaf unheard;
  header.id = game_id{1'000 + n};
  auto& ann = records.at(1);
  REQUIRE(ann.what == record::kind::joined);
  ann.action = static_cast<std::int64_t>(1'000 + n);
  ann.text = "ann " + std::to_string(n);
  ann.secret = journal::digest_of(secret_of_ann(n));
  log.open(header);
  log.append(header.id, records, unheard);
  journal::sleep_entry entry{
      header.id, {}, records.back().at + 72h + std::chrono::minutes{n}, "tictactoe"};
  entry.keys = player_registry::keys_of(records);
  entry.to_move = to_move;
  log.put_to_sleep(std::move(entry), [](game_id) {});
}

// What a client without a player reads when it shows a secret.
std::shared_ptr<test_client> try_to_resume(const evening& at, const std::string& secret) {
  auto client = at.hub->connect(test_hub::documents_wire);
  sign_in who;
  who.resume_secret = secret;
  who.only_resume = true;
  client->submit(std::move(who)), at.hub->settle();
  return client;
}

constexpr std::size_t games_of_bob = 66;
constexpr game_id last_of_bob{1'000 + games_of_bob - 1};

// A hub on a journal in which Bob has more games asleep than he has when he comes back: those from
// 1000 on, the most urgent first, each with another Ann.
struct busy_evening : evening {
  using evening::evening;
  std::string secret_of_bob;
};

// `is_at_turn` tells of which games.
busy_evening with_games_of_bob(const std::function<bool(std::size_t)>& is_at_turn =
                                   [](std::size_t) { return true; }) {
  const sleepy_table t;
  t.fall_asleep();
  const auto left = t.first.log->left_behind();
  auto log = storing_journal();
  log->be_durable();
  for (std::size_t n = 0; n < games_of_bob; ++n)
    add_asleep(*log, left->headers().front(), left->read(t.game, 0), n,
               only(is_at_turn(n) ? 1 : 0));
  busy_evening next{std::move(log)};
  next.secret_of_bob = t.bob.secret;
  auto options = hub_on(*next.log);
  options.settings.clocks.lasting_max = 1'000;
  next.hub = std::make_unique<test_hub>(std::move(options));
  next.report = next.hub->runtime().recover(next.events);
  next.hub->settle();
  REQUIRE(next.report.asleep == games_of_bob);
  return next;
}

// Bob comes back and needs one game.
evening::guest bob_for(const busy_evening& at, game_id game, bool asks_for_games = false) {
  evening::guest bob{at.hub->connect(test_hub::documents_wire), at.secret_of_bob};
  sign_in who;
  who.resume_secret = bob.secret;
  who.game = game;
  who.features.asks_for_games = asks_for_games;
  bob.client->submit(std::move(who)), at.hub->settle();
  return bob;
}

// The number of games that the answer to find_seat says are asleep.
std::size_t listed_to(const evening::guest& who) {
  const auto* found = who.client->last<gamehub::done>();
  REQUIRE(found != nullptr);
  return found->asleep ? found->asleep->size() : 0;
}

// Submits an intent, and returns why it was refused, or nothing.
std::optional<refusal> why_not(const busy_evening& at, const evening::guest& who, intent what) {
  const auto before = who.client->events.size();
  who.client->submit(std::move(what)), at.hub->settle();
  CHECK(who.client->pending_replies == 0);
  CHECK(who.client->unexpected_replies == 0);
  for (auto n = before; n < who.client->events.size(); ++n)
    if (const auto* no = std::get_if<refused>(&who.client->events[n].what)) return no->why;
  return std::nullopt;
}

}  // namespace

TEST_CASE("sleep: a game of days whose players are away leaves memory, and its players do") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.ann.client->disconnect(), hub.advance(122s);
  // Ann sleeps, and the game stays for Bob.
  CHECK(hub.sessions_open() == 1);
  CHECK(hub.actors_running() == 2);
  CHECK(asleep_in(hub) == 0);
  t.bob.client->disconnect(), hub.advance(50s);
  CHECK(hub.actors_running() == 2);
  hub.advance(72s);
  CHECK(hub.actors_running() == 0);
  CHECK(hub.sessions_open() == 0);
  CHECK(asleep_in(hub) == 1);
  CHECK(hub.cells(0).loop.lasting_games.value() == 0);
  CHECK(t.first.log->away() == std::set{t.game});
  // Their names are not free.
  CHECK(t.first.enter("bob").client->last<signed_in>()->name != "bob");
}

TEST_CASE("sleep: a standing seek ends with the session, and is made again by the client") {
  const evening first{storing_journal()};
  auto& hub = *first.hub;
  auto seeks = seek_again({"tictactoe"}, 2);
  std::get<seek>(seeks).clock = "days:3";
  std::vector<evening::guest> both;
  for (const auto* name : {"ann", "bob"}) {
    both.push_back(first.enter(name));
    both.back().client->submit(seeks), hub.settle();
  }
  REQUIRE(hub.games_started() == 1);
  const auto waiting = [&] {
    return hub.cells(0).engines[hub.engine("tictactoe")].players_waiting.value();
  };
  CHECK(waiting() == 2);
  for (const auto& each : both) each.client->disconnect();
  hub.advance(122s);
  CHECK(hub.actors_running() == 0);
  CHECK(asleep_in(hub) == 1);
  CHECK(waiting() == 0);
  const auto bob = first.enter({}, both[1].secret);
  CHECK(bob.client->last<signed_in>()->games == 1);
  bob.client->submit(seeks), hub.settle();
  CHECK(bob.client->pending_replies == 0);
  CHECK(waiting() == 1);
}

TEST_CASE("sleep: a player who comes back finds the game as it was, and plays on") {
  const sleepy_table t;
  auto& hub = t.hub();
  const auto moved_at = hub.now();
  t.fall_asleep();
  pass_time(hub, sleep_day);
  const auto started = hub.games_started();
  const auto bob = t.back(t.first, t.bob);
  CHECK(bob.client->last<signed_in>()->name == "bob");
  CHECK(bob.client->last<signed_in>()->games == 1);
  REQUIRE(bob.client->last<gamehub::started>() != nullptr);
  CHECK(bob.client->last<gamehub::started>()->players == std::vector<std::string>{"ann", "bob"});
  CHECK(bob.client->last_position()->prompted == only(1));
  CHECK(bob.client->last_position()->clock.left_at(1, hub.now()) ==
        3 * sleep_day - (hub.now() - moved_at));
  CHECK(wakes_of(hub, wake_cause::player) == 1);
  CHECK(hub.games_started() == started);
  CHECK(asleep_in(hub) == 0);
  CHECK(hub.sessions_open() == 1);
  t.first.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
  CHECK(t.first.records(t.game).back().what == record::kind::moved);
  bob.client->disconnect(), hub.advance(122s);
  CHECK(hub.actors_running() == 0);
  const auto ann = t.back(t.first, t.ann);
  t.first.put(ann, 0, 1, t.game);
  const auto again = t.back(t.first, t.bob);
  t.first.put(again, 2, 2, t.game);
  t.first.put(ann, 2, 1, t.game);
  REQUIRE(end_seen_by(again));
  CHECK(end_seen_by(again)->winner == 0);
  ann.client->disconnect(), again.client->disconnect(), hub.settle();
  CHECK(hub.actors_running() == 0);
  CHECK(t.first.enter("bob").client->last<signed_in>()->name == "bob");
}

TEST_CASE("sleep: the clock of a game that is asleep ends it, in the moment that it would have") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.fall_asleep();
  pass_time(hub, 3 * sleep_day - 1h);
  CHECK(hub.actors_running() == 0);
  // Less than two minutes and a bit of the hour have passed before.
  hub.advance(57min);
  CHECK_FALSE(t.ended());
  CHECK(asleep_in(hub) == 1);
  hub.advance(1min);
  REQUIRE(t.ended());
  CHECK(t.first.records(t.game).back().why == end_reason::clock);
  CHECK(t.first.records(t.game).back().seat == 0);
  CHECK(wakes_of(hub, wake_cause::clock) == 1);
  CHECK(hub.actors_running() == 0);
  CHECK(hub.games_finished() == 1);
  CHECK(t.first.enter("bob").client->last<signed_in>()->name == "bob");
}

TEST_CASE("sleep: a spectator wakes the game and not its players, and it sleeps when he has gone") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.fall_asleep();
  auto who = onlooker::of(hub.runtime().spectators_for(1), t.game);
  hub.settle();
  CHECK(who->updates.size() == t.first.records(t.game).size());
  REQUIRE(!who->presents.empty());
  CHECK(who->presents.back()->away.size() == 2);
  CHECK(hub.actors_running() == 1);
  hub.advance(5min);
  CHECK(hub.actors_running() == 1);
  // He sees a move of a player who comes back.
  const auto bob = t.back(t.first, t.bob);
  t.first.put(bob, 0, 0, t.game);
  CHECK(who->updates.size() == t.first.records(t.game).size());
  CHECK(who->presents.back()->away.size() == 1);
  bob.client->disconnect(), hub.advance(5min);
  CHECK(hub.actors_running() == 1);
  who->stop(), hub.advance(2min);
  CHECK(hub.actors_running() == 0);
  CHECK(wakes_of(hub, wake_cause::spectator) == 1);
  CHECK_FALSE(who->muddled);
}

TEST_CASE("sleep: lists have games that are asleep, and only a look at one wakes it for a minute") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.fall_asleep();
  std::optional<game_page> page;
  hub.runtime().spectators_for(0).list({}, [&](game_page p) { page = std::move(p); });
  hub.settle();
  REQUIRE(page);
  REQUIRE(page->games.size() == 1);
  CHECK(page->games.front().progress.game->players == std::vector<std::string>{"ann", "bob"});
  const auto listed = page->games.front().clock;
  CHECK(listed.running == only(1));
  CHECK(listed.left.size() == 2);
  CHECK(asleep_in(hub) == 1);
  std::optional<game_snapshot> seen;
  hub.runtime().spectators_for(0).query_snapshot(
      t.game, std::nullopt, [&](std::optional<game_snapshot> s) { seen = std::move(s); });
  hub.settle();
  REQUIRE(seen);
  CHECK(seen->progress.status == game_status::running);
  CHECK(seen->away.size() == 2);
  CHECK(shows_same(listed, seen->clock));
  CHECK(wakes_of(hub, wake_cause::spectator) == 1);
  hub.advance(122s);
  CHECK(asleep_in(hub) == 1);
}

TEST_CASE("sleep: an operator ends a game that is asleep") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.fall_asleep();
  std::vector<bool> found;
  hub.runtime().end_game(t.game, "cheating", [&](bool is) { found.push_back(is); });
  hub.settle();
  CHECK(found == std::vector{true});
  REQUIRE(t.ended());
  CHECK(t.first.records(t.game).back().text == "cheating");
  CHECK(wakes_of(hub, wake_cause::operator_) == 1);
  CHECK(hub.actors_running() == 0);
}

TEST_CASE("sleep: a log that can't be read ends nothing, and the client is to try again") {
  auto options_log = storing_journal();
  std::vector<game_id> unreadable;
  auto options = hub_on(*options_log);
  options.settings.on_unreadable = [&](game_id game) { unreadable.push_back(game); };
  evening at{std::move(options_log)};
  at.hub = std::make_unique<test_hub>(std::move(options));
  const sleepy_table t{std::move(at)};
  auto& hub = t.hub();
  t.fall_asleep();
  t.first.log->set_readable(t.game, false);
  for (int tries = 0; tries < 2; ++tries) {
    const auto bob = try_to_resume(t.first, t.bob.secret);
    REQUIRE(bob->last<refused>() != nullptr);
    CHECK(bob->last<refused>()->why == refusal::hub_full);
    CHECK(bob->closed == close_reason::hub_full);
  }
  CHECK(unreadable == std::vector{t.game});
  CHECK(hub.cells(0).loop.wakes_failed.value() == 2);
  CHECK(asleep_in(hub) == 1);
  CHECK(hub.actors_running() == 0);
  std::vector<bool> found;
  hub.runtime().end_game(t.game, "", [&](bool is) { found.push_back(is); });
  hub.settle();
  CHECK(found == std::vector{false});
  // Its clock falls meanwhile, and counts once the log can be read.
  pass_time(hub, 3 * sleep_day + 1h);
  CHECK(asleep_in(hub) == 1);
  CHECK(unreadable.size() == 1);
  t.first.log->set_readable(t.game, true);
  hub.advance(11s);
  REQUIRE(t.ended());
  CHECK(t.first.records(t.game).back().why == end_reason::clock);
}

TEST_CASE("sleep: a client whose game can be read again comes back") {
  const sleepy_table t;
  t.fall_asleep();
  t.first.log->set_readable(t.game, false);
  CHECK(try_to_resume(t.first, t.bob.secret)->closed == close_reason::hub_full);
  t.first.log->set_readable(t.game, true);
  const auto bob = t.back(t.first, t.bob);
  t.first.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
  CHECK(t.first.records(t.game).back().what == record::kind::moved);
}

TEST_CASE("sleep: what was asleep is asleep after a restart, without a replay") {
  const sleepy_table t;
  const auto moved_at = t.hub().now();
  t.fall_asleep();
  pass_time(t.hub(), sleep_day);
  const auto next = t.first.restarted_after(2h);
  auto& hub = *next.hub;
  CHECK(next.report.restored == 0);
  CHECK(next.report.asleep == 1);
  CHECK(next.log->lots.empty());
  CHECK(hub.actors_running() == 0);
  CHECK(asleep_in(hub) == 1);
  CHECK(hub.games_started() == 0);
  const auto guest = next.enter("bob").client;
  CHECK(guest->last<signed_in>()->name != "bob");
  guest->disconnect(), hub.settle();
  SECTION("a player comes back") {
    next.log->announces_moves = true;
    const auto client = hub.connect(test_hub::documents_wire);
    client->submit(sign_in{{}, t.bob.secret}), hub.settle();
    // The engine has not played it in this process.
    CHECK(next.log->moves_announced == std::vector{t.game});
    CHECK(client->last<signed_in>() == nullptr);
    next.log->commit_note(t.game), hub.settle();
    REQUIRE(client->last<signed_in>() != nullptr);
    CHECK(client->last<signed_in>()->games == 1);
    CHECK(next.log->moves_survived == std::vector{t.game});
    const auto left = client->last_position()->clock.left_at(1, hub.now());
    CHECK(left <= 3 * sleep_day - (hub.now() - moved_at));
    CHECK(left > 3 * sleep_day - (hub.now() - moved_at) - 1s);
    // Nor made a move in it.
    next.put({client, {}}, 0, 0, t.game);
    CHECK(next.log->moves_announced.size() == 2);
    next.log->commit_note(t.game), hub.settle();
    CHECK(client->pending_replies == 0);
    client->disconnect(), hub.advance(122s);
    CHECK(hub.actors_running() == 0);
  }
  SECTION("its clock falls") {
    pass_time(hub, 2 * sleep_day);
    REQUIRE(next.records(t.game).back().what == record::kind::ended);
    CHECK(next.records(t.game).back().why == end_reason::clock);
    CHECK(hub.actors_running() == 0);
    CHECK(next.enter("bob").client->last<signed_in>()->name == "bob");
  }
  SECTION("its clock falls later, because no hub ran") {
    // Of the two days that the turn has left at the stop, one passes before the start.
    const auto stopped = next.records(t.game).back().at + sleep_day;
    next.log->pauses = {{stopped, stopped + 40h}};
    pass_time(hub, 2 * sleep_day);
    CHECK(next.records(t.game).back().what != record::kind::ended);
    CHECK(asleep_in(hub) == 1);
  }
  SECTION("it is restarted once more") {
    const auto third = next.restarted_after(1h);
    CHECK(third.report.asleep == 1);
    CHECK(third.enter({}, t.ann.secret).client->last<signed_in>()->name == "ann");
  }
}

TEST_CASE(
    "sleep: a game that was awake is replayed at a restart, and its players need no session") {
  const sleepy_table t;
  const auto next = t.first.restarted_after(1h);
  CHECK(next.report.restored == 1);
  CHECK(next.report.asleep == 0);
  CHECK(next.hub->actors_running() == 1);
  next.hub->advance(62s);
  CHECK(next.hub->actors_running() == 0);
  const auto bob = next.enter({}, t.bob.secret);
  CHECK(bob.client->last<signed_in>()->games == 1);
  next.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
}

TEST_CASE("sleep: a player with several games has them all, also if only some are asleep") {
  const sleepy_table t;
  auto& hub = t.hub();
  const auto carl = t.first.enter("carl");
  auto beside = seek_once("nim");
  std::get<seek>(beside).clock = "days:2";
  std::get<seek>(beside).keeps = true;
  t.bob.client->submit(beside), hub.settle();
  auto other = seek_once("nim");
  std::get<seek>(other).clock = "days:2";
  carl.client->submit(std::move(other)), hub.settle();
  REQUIRE(hub.games_started() == 2);
  t.fall_asleep();
  // Carl is there, so that one game is awake.
  CHECK(asleep_in(hub) == 1);
  CHECK(hub.sessions_open() == 1);
  const auto bob = t.back(t.first, t.bob);
  CHECK(bob.client->last<signed_in>()->games == 2);
  const auto shown = std::count_if(
      bob.client->events.begin(), bob.client->events.end(),
      [](const event& e) { return std::holds_alternative<gamehub::started>(e.what); });
  CHECK(shown == 2);
  t.first.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
  // After a restart one of them is replayed, and the other is as it was.
  bob.client->disconnect(), hub.advance(122s);
  CHECK(asleep_in(hub) == 1);
  const auto next = t.first.restarted_after(1h);
  CHECK(next.report.asleep == 1);
  const auto again = t.back(next, t.bob);
  CHECK(again.client->last<signed_in>()->games == 2);
}

TEST_CASE("sleep: a storm of wakes is read in the order of the requests, some at once") {
  auto log = storing_journal();
  auto options = hub_on(*log);
  options.settings.clocks.lasting_max = 100;
  evening first{std::move(log)};
  first.hub = std::make_unique<test_hub>(std::move(options));
  std::vector<evening::guest> players;
  std::vector<game_id> games;
  for (int i = 0; i < 80; ++i) {
    players.push_back(first.enter("player " + std::to_string(i)));
    seek_days(first, players.back());
    if (i % 2 == 1) games.push_back(players.back().client->events.back().game);
  }
  REQUIRE(first.hub->games_started() == 40);
  for (const auto& each : players) each.client->disconnect();
  first.hub->advance(122s);
  CHECK(asleep_in(*first.hub) == 40);
  const auto next = first.restarted_after(1h);
  CHECK(next.report.asleep == 40);
  next.log->announces_moves = true;
  // Those of one loop, the last one first.
  std::vector<std::size_t> order;
  for (std::size_t i = games.size(); i-- > 0;)
    if (games[i].value % 2 == 1) order.push_back(i);
  REQUIRE(order.size() == 20);
  std::vector<game_id> asked;
  std::vector<std::shared_ptr<onlooker>> who;
  for (const auto i : order) {
    asked.push_back(games[i]);
    who.push_back(onlooker::of(next.hub->runtime().spectators_for(0), games[i]));
  }
  next.hub->settle();
  REQUIRE(next.log->moves_announced.size() == limits::wakes_at_once);
  CHECK(std::equal(next.log->moves_announced.begin(), next.log->moves_announced.end(),
                   asked.begin()));
  for (std::size_t n = 0; n < asked.size(); ++n)
    next.log->commit_note(asked[n]), next.hub->settle();
  CHECK(next.log->moves_announced == asked);
  CHECK(next.log->moves_survived == asked);
  for (const auto& each : who) CHECK(each->updates.size() == 3);
}

TEST_CASE("sleep: a game that does not replay goes into quarantine, and its players are told") {
  const sleepy_table t;
  t.fall_asleep();
  auto left = t.first.log->left_behind();
  const auto header = left->headers().front();
  auto records = left->read(t.game, 0);
  records.back().state ^= 1;
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } unheard;
  auto log = storing_journal();
  log->be_durable();
  log->open(header);
  log->append(header.id, records, unheard);
  journal::sleep_entry entry{header.id, {}, base::wall_time::max(), "tictactoe"};
  entry.keys = player_registry::keys_of(records);
  log->put_to_sleep(std::move(entry), [](game_id) {});
  std::vector<std::string> told;
  auto options = hub_on(*log);
  options.settings.on_quarantined = [&](game_id, const std::string& why) { told.push_back(why); };
  evening next{std::move(log)};
  next.hub = std::make_unique<test_hub>(std::move(options));
  next.report = next.hub->runtime().recover(next.events);
  next.hub->settle();
  CHECK(next.report.asleep == 1);
  const auto bob = try_to_resume(next, t.bob.secret);
  REQUIRE(bob->last<refused>() != nullptr);
  CHECK(bob->last<refused>()->why == refusal::cannot_resume);
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("leads to another state") != std::string::npos);
  CHECK(next.log->put_aside.contains(t.game));
  CHECK(asleep_in(*next.hub) == 0);
  CHECK(next.enter("ann").client->last<signed_in>()->name == "ann");
}

TEST_CASE("sleep: a player who is banned while it is asleep loses its games") {
  ban_list rules;
  auto log = storing_journal();
  auto options = hub_on(*log);
  options.settings.rules = &rules;
  evening at{std::move(log)};
  at.hub = std::make_unique<test_hub>(std::move(options));
  const sleepy_table t{std::move(at)};
  t.fall_asleep();
  rules.set({{"bob"}, {}, {}});
  t.hub().runtime().bans_changed(), t.hub().settle();
  REQUIRE(t.ended());
  CHECK(t.first.records(t.game).back().why == end_reason::left);
  CHECK(t.first.records(t.game).back().seat == 0);
  CHECK(t.hub().actors_running() == 0);
}

TEST_CASE("sleep: an address has as many games asleep as it may have seats, and no more") {
  address_ledger ledger{{.seats = 4}, {3, 4}};
  const auto account = ledger.account_of(*base::read_address("203.0.113.9"));
  evening at{storing_journal()};
  const auto enter = [&](const std::string& name) {
    evening::guest g;
    g.client = at.hub->connect(test_hub::documents_wire, 0, account);
    g.client->submit(sign_in{name, {}}), at.hub->settle();
    g.secret = g.client->last<signed_in>()->secret;
    seek_days(at, g);
    return g;
  };
  std::vector<evening::guest> first;
  for (int n = 0; n < 4; ++n) {
    std::vector<evening::guest> both;
    for (const auto* name : {"ann", "bob"}) both.push_back(enter(name + std::to_string(n)));
    CHECK(account->held(address_limit::seats) == 2);
    for (const auto& each : both) each.client->disconnect();
    at.hub->advance(122s);
    CHECK(asleep_in(*at.hub) == n + 1);
    CHECK(account->held(address_limit::seats) == 0);
    CHECK(account->held(address_limit::sessions) == 0);
    if (n == 0) first = both;
  }
  const auto fifth = enter("carl");
  REQUIRE(fifth.client->last<refused>() != nullptr);
  CHECK(fifth.client->last<refused>()->why == refusal::address_limit);
  // Games by the move are another matter.
  fifth.client->submit(seek_once()), at.hub->settle();
  CHECK(fifth.client->pending_replies == 0);
  CHECK(account->held(address_limit::seats) == 1);
  fifth.client->disconnect(), at.hub->settle();
  const auto ann = at.hub->connect(test_hub::documents_wire, 0, account);
  ann->submit(sign_in{{}, first[0].secret}), at.hub->settle();
  CHECK(account->held(address_limit::seats) == 1);
  ann->submit(leave{ann->events.back().game}), at.hub->settle();
  CHECK(account->held(address_limit::seats) == 0);
}

TEST_CASE("sleep: a drain leaves games that are asleep where they are") {
  const sleepy_table t;
  t.fall_asleep();
  int drained = 0;
  t.hub().runtime().begin_drain([&] { ++drained; }), t.hub().settle();
  t.hub().runtime().end_games(end_reason::drained), t.hub().settle();
  CHECK(drained == 1);
  CHECK_FALSE(t.ended());
  const auto next = t.first.restarted_after(1h);
  CHECK(t.back(next, t.bob).client->last<signed_in>()->games == 1);
}

TEST_CASE("sleep: what only the file has is not in memory, and its names and secrets are taken") {
  const sleepy_table t;
  auto& hub = t.hub();
  t.fall_asleep();
  std::optional<player_page> players;
  hub.runtime().list_players({}, [&](player_page p) { players = std::move(p); });
  hub.settle();
  REQUIRE(players);
  CHECK(players->players.empty());
  const auto rival = t.first.enter("bob");
  CHECK(rival.client->last<signed_in>()->name == "bob-1");
  // Nor may a player take such a name later.
  rival.client->submit(change_name{"ann"}), hub.settle();
  REQUIRE(rival.client->last<refused>() != nullptr);
  CHECK(rival.client->last<refused>()->why == refusal::name_taken);
  CHECK(asleep_in(hub) == 1);
  CHECK(wakes_of(hub, wake_cause::player) == 0);
}

TEST_CASE("sleep: a player of very many games has the most urgent ones, and others as they wake") {
  const auto next = with_games_of_bob();
  auto& hub = *next.hub;
  const auto bob = next.enter({}, next.secret_of_bob);
  CHECK(bob.client->last<signed_in>()->games == 64);
  CHECK(asleep_in(hub) == games_of_bob - 64);
  // The last one wakes because of its other player.
  const auto ann = next.enter({}, secret_of_ann(games_of_bob - 1));
  CHECK(ann.client->last<signed_in>()->games == 1);
  CHECK(asleep_in(hub) == games_of_bob - 65);
  const auto last = ann.client->events.back().game;
  REQUIRE(bob.client->last<gamehub::started>() != nullptr);
  CHECK(bob.client->events.back().game == last);
  next.put(bob, 0, 0, last);
  CHECK(bob.client->pending_replies == 0);
  CHECK(next.records(last).back().what == record::kind::moved);
  // And the one before, because its clock falls.
  pass_time(hub, 4 * sleep_day);
  CHECK(asleep_in(hub) == 0);
  CHECK(next.log->pending().empty());
  CHECK(hub.games_finished() == games_of_bob);
}

TEST_CASE("sleep: a game of very many that is named wakes, and answers as if it had never slept") {
  const auto next = with_games_of_bob();
  const auto bob = next.enter({}, next.secret_of_bob);
  REQUIRE(asleep_in(*next.hub) == games_of_bob - 64);
  CHECK_FALSE(
      why_not(next, bob, play_document(R"({"type":"move","row":0,"column":0})", last_of_bob)));
  CHECK(asleep_in(*next.hub) == games_of_bob - 65);
  CHECK(next.records(last_of_bob).back().what == record::kind::moved);
  CHECK(bob.client->events.back().game == last_of_bob);
  CHECK(bob.client->last_position()->number == 5);
  const game_id other{last_of_bob.value - 1};
  CHECK_FALSE(why_not(next, bob, leave{other}));
  CHECK(next.records(other).back().what == record::kind::ended);
  CHECK(asleep_in(*next.hub) == 0);
  // It sleeps again when he has gone.
  bob.client->disconnect(), next.hub->advance(122s);
  CHECK(asleep_in(*next.hub) == games_of_bob - 1);
}

TEST_CASE("sleep: a stranger who names a game that is asleep wakes nothing") {
  const auto next = with_games_of_bob();
  const auto carl = next.enter("carl");
  const auto looked = next.log->looks();
  CHECK(why_not(next, carl, play_document("{}", last_of_bob)) == refusal::not_in_game);
  CHECK(next.log->looks() == looked + 1);
  CHECK(why_not(next, carl, chat{last_of_bob, "hello"}) == refusal::not_in_game);
  CHECK(why_not(next, carl, find_seat{last_of_bob}) == refusal::not_in_game);
  CHECK(why_not(next, carl, leave{game_id{77}}) == refusal::not_in_game);
  CHECK_FALSE(why_not(next, carl, find_seat{}));
  CHECK(next.log->looks() == looked + 4);
  CHECK(asleep_in(*next.hub) == games_of_bob);
  CHECK(wakes_of(*next.hub, wake_cause::player) == 0);
  CHECK(next.hub->cells(0).loop.lasting_games.value() == 0);
}

TEST_CASE("sleep: a client that needs one game wakes that alone, and others when it asks") {
  const auto next = with_games_of_bob();
  const auto bob = bob_for(next, last_of_bob);
  CHECK(bob.client->last<signed_in>()->games == 1);
  CHECK(bob.client->events.back().game == last_of_bob);
  CHECK(wakes_of(*next.hub, wake_cause::player) == 1);
  CHECK_FALSE(why_not(next, bob, find_seat{last_of_bob}));
  CHECK_FALSE(why_not(next, bob, find_seat{game_id{1'000}}));
  CHECK(std::holds_alternative<gamehub::done>(bob.client->events.back().what));
  CHECK(bob.client->events[bob.client->events.size() - 2].game == game_id{1'000});
  CHECK(wakes_of(*next.hub, wake_cause::player) == 2);
  CHECK_FALSE(why_not(next, bob, find_seat{}));
  CHECK(listed_to(bob) == games_of_bob - 2);
  CHECK(wakes_of(*next.hub, wake_cause::player) == 2);
  CHECK(asleep_in(*next.hub) == games_of_bob - 2);
}

TEST_CASE("sleep: another client of a player who woke for one game has those at its turn") {
  const auto next = with_games_of_bob([](std::size_t n) { return n == 3 || n == 5; });
  const auto bob = bob_for(next, last_of_bob);
  const auto other = next.enter({}, next.secret_of_bob);
  CHECK(other.client->last<signed_in>()->games == 3);
  CHECK_FALSE(bob.client->connected());
  CHECK(asleep_in(*next.hub) == games_of_bob - 3);
}

TEST_CASE(
    "sleep: a client that comes back has the games at its turn, or else the most urgent one") {
  for (const auto& at_turn : std::vector<std::vector<std::size_t>>{{}, {0}, {7}, {7, 9, 30}}) {
    const auto next = with_games_of_bob([&](std::size_t n) {
      return std::find(at_turn.begin(), at_turn.end(), n) != at_turn.end();
    });
    const auto bob = next.enter({}, next.secret_of_bob);
    const auto expected = at_turn.empty() ? std::vector<std::size_t>{0} : at_turn;
    CHECK(bob.client->last<signed_in>()->games == expected.size());
    std::vector<std::size_t> shown;
    for (const auto& e : bob.client->events)
      if (std::holds_alternative<gamehub::started>(e.what)) shown.push_back(e.game.value - 1'000);
    std::sort(shown.begin(), shown.end());
    CHECK(shown == expected);
    CHECK(wakes_of(*next.hub, wake_cause::player) == static_cast<std::int64_t>(expected.size()));
    CHECK(asleep_in(*next.hub) == static_cast<std::int64_t>(games_of_bob - expected.size()));
    // Another one wakes because of its other player.
    const auto ann = next.enter({}, secret_of_ann(40));
    CHECK(bob.client->events.back().game == game_id{1'040});
  }
}

TEST_CASE("sleep: a client that asks for its games wakes none by coming back, nor by their list") {
  const auto next = with_games_of_bob([](std::size_t n) { return n % 2 == 0; });
  auto& hub = *next.hub;
  const auto bob = bob_for(next, {}, true);
  CHECK(bob.client->last<signed_in>()->name == "bob");
  CHECK(bob.client->last<signed_in>()->games == 0);
  CHECK_FALSE(why_not(next, bob, find_seat{}));
  REQUIRE(listed_to(bob) == 64);
  const auto& listed = *bob.client->last<gamehub::done>()->asleep;
  for (std::size_t n = 0; n < listed.size(); ++n) {
    CHECK(listed[n].game == game_id{1'000 + n});
    CHECK(listed[n].begun.engine == "tictactoe");
    CHECK(listed[n].begun.players == std::vector{"ann " + std::to_string(n), std::string{"bob"}});
    CHECK(listed[n].begun.seat == 1);
    CHECK(listed[n].begun.terms->clock == find_clock("days:3"));
    CHECK(listed[n].latest->to_move == only(n % 2 == 0 ? 1 : 0));
    CHECK(listed[n].latest->clock.running == listed[n].latest->to_move);
  }
  CHECK(listed[4].latest->clock.left_at(1, hub.now()) == 72h);
  CHECK(wakes_of(hub, wake_cause::player) == 0);
  CHECK(asleep_in(hub) == games_of_bob);
  CHECK(hub.actors_running() == 1);
  // What the list has is what is to be seen when the game is awake.
  CHECK_FALSE(why_not(next, bob, find_seat{game_id{1'003}}));
  const auto* shown = bob.client->last<gamehub::started>();
  REQUIRE(shown != nullptr);
  CHECK(shown->players == listed[3].begun.players);
  CHECK(shown->marks == listed[3].begun.marks);
  CHECK(shown->visits.at(0) == listed[3].begun.visits.at(0));
  CHECK(asleep_in(hub) == games_of_bob - 1);
  bob.client->disconnect(), hub.advance(122s);
  CHECK(hub.actors_running() == 0);
  CHECK(asleep_in(hub) == games_of_bob);
}

TEST_CASE("sleep: a player who has another name has it in the games that are asleep, too") {
  const auto next = with_games_of_bob();
  const auto bob = bob_for(next, {}, true);
  CHECK_FALSE(why_not(next, bob, change_name{"robert"}));
  CHECK(asleep_in(*next.hub) == games_of_bob - 64);
  CHECK(next.records(game_id{1'020}).back().what == record::kind::joined);
  CHECK(next.records(game_id{1'020}).back().text == "robert");
}

TEST_CASE("sleep: a client that needs the game of others has its most urgent one") {
  const auto next = with_games_of_bob([](std::size_t) { return false; });
  const auto bob = bob_for(next, game_id{77});
  CHECK(bob.client->last<signed_in>()->games == 1);
  CHECK(bob.client->events.back().game == game_id{1'000});
  CHECK(wakes_of(*next.hub, wake_cause::player) == 1);
}

TEST_CASE(
    "sleep: two clients of one player that come back at once find it, in any order of steps") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const sleepy_table t;
    auto& hub = t.hub();
    t.ann.client->disconnect(), t.bob.client->disconnect();
    hub.advance(58s);
    base::seeded_entropy random{seed};
    std::vector<std::shared_ptr<test_client>> clients;
    // The session asks to sleep, and the game does, while clients come.
    for (int n = 0; n < 60; ++n) {
      if (random.below(6) == 0 && clients.size() < 3) {
        clients.push_back(hub.connect(test_hub::documents_wire, random.below(2)));
        clients.back()->submit(sign_in{{}, t.bob.secret});
        if (random.below(2) == 0) clients.back()->submit(play_document("{}", t.game));
      }
      if (random.below(3) == 0) hub.pass(std::chrono::milliseconds{random.below(4'000)});
      for (auto steps = random.below(4); steps > 0; --steps) hub.step(random.below(2));
    }
    hub.settle();
    REQUIRE(!clients.empty());
    std::size_t here = 0;
    for (const auto& each : clients) {
      if (!each->connected()) continue;
      ++here;
      CHECK(each->pending_replies == 0);
      CHECK(each->unexpected_replies == 0);
      REQUIRE(each->last<signed_in>() != nullptr);
      CHECK(each->last<signed_in>()->games == 1);
      REQUIRE(each->last_position() != nullptr);
    }
    CHECK(here == 1);
    for (const auto& each : clients)
      if (each->connected()) t.first.put({each, {}}, 0, 0, t.game);
    CHECK(t.first.records(t.game).back().what == record::kind::moved);
    CHECK(t.first.records(t.game).size() == 5);
  }
}

TEST_CASE(
    "sleep: games that are looked at once each by a player who is here all fall asleep again") {
  const auto next = with_games_of_bob();
  auto& hub = *next.hub;
  const auto bob = bob_for(next, {}, true);
  for (std::size_t n = 0; n < games_of_bob; ++n)
    CHECK_FALSE(why_not(next, bob, find_seat{game_id{1'000 + n}}));
  CHECK(asleep_in(hub) == 0);
  CHECK(hub.actors_running() == games_of_bob + 1);
  hub.advance(182s);
  CHECK(hub.actors_running() == 1);
  CHECK(asleep_in(hub) == games_of_bob);
  CHECK(bob.client->connected());
  // Each is there by its name.
  CHECK_FALSE(
      why_not(next, bob, play_document(R"({"type":"move","row":0,"column":0})", last_of_bob)));
  CHECK(next.records(last_of_bob).back().what == record::kind::moved);
  CHECK(asleep_in(hub) == games_of_bob - 1);
}

TEST_CASE("sleep: a game that just fell asleep is counted once, and wakes alone") {
  const sleepy_table t;
  auto& hub = t.hub();
  // Bob has another game, with Carl.
  auto beside = seek_once("nim");
  std::get<seek>(beside).clock = "days:2";
  std::get<seek>(beside).keeps = true;
  t.bob.client->submit(beside), hub.settle();
  const auto carl = t.first.enter("carl");
  carl.client->submit(beside), hub.settle();
  REQUIRE(hub.games_started() == 2);
  t.first.log->files_late = true;
  carl.client->disconnect();
  t.fall_asleep();
  CHECK(hub.actors_running() == 0);
  CHECK(t.first.log->away().empty());
  CHECK(asleep_in(hub) == 2);
  // A list wakes none.
  std::optional<game_page> page;
  hub.runtime().spectators_for(0).list({}, [&](game_page p) { page = std::move(p); });
  hub.settle();
  REQUIRE(page);
  CHECK(page->games.size() == 2);
  CHECK(page->games.back().clock.running == only(1));
  CHECK(asleep_in(hub) == 2);
  evening::guest bob{hub.connect(test_hub::documents_wire), t.bob.secret};
  sign_in who;
  who.resume_secret = bob.secret;
  who.game = t.game;
  who.features.asks_for_games = true;
  bob.client->submit(std::move(who)), hub.settle();
  CHECK(bob.client->last<signed_in>()->games == 1);
  CHECK(wakes_of(hub, wake_cause::player) == 1);
  CHECK(asleep_in(hub) == 1);
  bob.client->submit(find_seat{}), hub.settle();
  CHECK(listed_to(bob) == 1);
  t.first.log->file_all(), hub.settle();
  CHECK(asleep_in(hub) == 1);
  bob.client->submit(find_seat{}), hub.settle();
  CHECK(listed_to(bob) == 1);
  bob.client->disconnect(), hub.advance(122s);
  CHECK(asleep_in(hub) == 2);
  CHECK(t.first.enter({}, t.bob.secret).client->last<signed_in>()->name == "bob");
}
