// What a hub finds in its journal after it was away: killed in the midst of games, or drained.
#include "actors/system/runtime.hpp"
#include "actors/table/replay.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using journal::record;

namespace {

struct listener final : actors::system::recovery_listener {
  void on_progress(std::size_t is_done, std::size_t of) override { done = is_done, all = of; }
  void on_quarantined(game_id game, const std::string& why) override { out[game] = why; }

  std::size_t done = 0, all = 0;
  std::map<game_id, std::string> out;
};

test_hub_options on(late_journal& log, std::chrono::seconds turn = 0s,
                    std::function<bool(base::instant)> may_arrive = {}) {
  return {.loops = 2,
          .settings = {turn, 0s, 0s, 100, 100, 60s},
          .log = &log,
          .may_arrive = std::move(may_arrive)};
}

// A hub, the journal it writes, and the one it would leave if it were killed.
struct evening {
  explicit evening(std::unique_ptr<late_journal> from, std::chrono::seconds turn = 0s,
                   std::function<bool(base::instant)> may_arrive = {})
      : log(std::move(from)),
        hub(std::make_unique<test_hub>(on(*log, turn, std::move(may_arrive)))) {
    log->be_durable();
  }
  // After this one was killed.
  evening after_a_kill(std::chrono::seconds turn = 0s) const {
    evening next{log->left_behind(), turn};
    next.report = next.hub->runtime().recover(next.events);
    next.hub->settle();
    return next;
  }

  struct guest {
    std::shared_ptr<test_client> client;
    std::string secret;
  };
  guest enter(const std::string& name, std::string secret = {}, std::size_t loop = 0) const {
    guest g{hub->connect(test_hub::documents_wire, loop), {}};
    g.client->submit(sign_in{name, std::move(secret)}), hub->settle();
    g.secret = g.client->last<signed_in>()->secret;
    return g;
  }
  guest enter_and_wait(const std::string& name, std::size_t loop = 0) const {
    auto g = enter(name, {}, loop);
    g.client->submit(seek_again({"tictactoe"})), hub->settle();
    return g;
  }
  void put(const guest& who, int row, int column, game_id game) const {
    who.client->submit(play_document(R"({"type":"move","row":)" + std::to_string(row) +
                                         R"(,"column":)" + std::to_string(column) + "}",
                                     game));
    hub->settle();
  }
  std::vector<record> records(game_id game) const { return log->read(game, 0); }

  std::unique_ptr<late_journal> log;
  std::unique_ptr<test_hub> hub;
  listener events;
  actors::system::recovery_report report;
};

std::unique_ptr<late_journal> empty_journal() { return std::make_unique<late_journal>(false); }

// Ann and Bob have a game in which Ann has taken the centre.
struct two_at_a_table {
  explicit two_at_a_table(std::chrono::seconds turn = 0s) : first(empty_journal(), turn) {
    ann = first.enter_and_wait("ann", 0);
    bob = first.enter_and_wait("bob", 1);
    game = bob.client->events.back().game;
    first.put(ann, 1, 1, game);
  }

  evening first;
  evening::guest ann, bob;
  game_id game;
};

std::optional<outcome> end_seen_by(const evening::guest& g) {
  const auto* p = g.client->last_position();
  return p == nullptr ? std::nullopt : p->outcome;
}

// A log of the hub's own making, to be spoiled.
struct written {
  journal::game_header header;
  std::vector<record> records;
};
written a_log() {
  two_at_a_table t;
  t.first.put(t.bob, 0, 0, t.game);
  return {t.first.log->headers().front(), t.first.records(t.game)};
}
std::unique_ptr<late_journal> journal_with(const written& w) {
  late_journal made{false};
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } nobody;
  made.open(w.header);
  made.append(w.header.id, w.records, nobody);
  return made.left_behind();
}

}  // namespace

TEST_CASE("recovery: a game goes on after a kill as if nothing had been") {
  two_at_a_table t;
  const auto before = t.bob.client->last_position()->document;
  const auto next = t.first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK(next.events.done == 1);
  CHECK(next.events.all == 1);
  CHECK(next.events.out.empty());
  const auto ann = next.enter("ann", t.ann.secret, 1);
  const auto bob = next.enter("bob", t.bob.secret, 0);
  CHECK(ann.client->last<signed_in>()->name == "ann");
  CHECK(ann.secret == t.ann.secret);
  REQUIRE(bob.client->last<started>() != nullptr);
  CHECK(bob.client->last<started>()->seat == 1);
  CHECK(bob.client->last_position()->document == before);
  CHECK(bob.client->last_position()->prompted == only(1));
  CHECK(bob.client->events.back().game == t.game);
  next.put(bob, 0, 0, t.game);
  next.put(ann, 0, 1, t.game);
  next.put(bob, 0, 2, t.game);
  next.put(ann, 2, 1, t.game);
  REQUIRE(end_seen_by(bob));
  CHECK(end_seen_by(bob)->winner == 0);
  const auto log = next.records(t.game);
  CHECK(log.back().why == end_reason::rules);
  for (std::size_t i = 0; i < log.size(); ++i) CHECK(log[i].number == i + 1);
  const auto header = next.log->headers().front();
  const auto& rules = next.hub->directory().engines[next.hub->engine("tictactoe")].rules;
  CHECK(std::holds_alternative<engines::host::match>(actors::table::replay(rules, header, log)));
}

TEST_CASE("recovery: a player who does not reconnect in time ends the game without a result") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  next.hub->advance(59s);
  CHECK_FALSE(end_seen_by(ann));
  next.hub->advance(1s);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == end_reason::interrupted);
  CHECK_FALSE(end_seen_by(ann)->winner);
  CHECK(next.records(t.game).back().why == end_reason::interrupted);
  CHECK(next.hub->sessions_open() == 1);
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK(bob.secret != t.bob.secret);
}

TEST_CASE("recovery: if no player reconnects, only the log of the game remains") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  CHECK(next.hub->actors_running() == 3);
  next.hub->advance(60s);
  CHECK(next.hub->actors_running() == 0);
  CHECK(next.records(t.game).back().why == end_reason::interrupted);
  CHECK(next.log->open_games().empty());
}

TEST_CASE(
    "recovery: leaving before all players have reconnected has no result, afterwards it loses") {
  two_at_a_table t;
  const auto all_back = GENERATE(false, true);
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  if (all_back) next.enter("bob", t.bob.secret);
  ann.client->submit(leave{t.game}), next.hub->settle();
  CHECK(ann.client->pending_replies == 0);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == (all_back ? end_reason::left : end_reason::interrupted));
  CHECK(end_seen_by(ann)->winner == (all_back ? std::optional{1} : std::nullopt));
}

TEST_CASE("recovery: no clock runs until all are back, and then it has what was left") {
  two_at_a_table t{100s};
  t.first.hub->advance(70s);
  // Something else is logged, so that the hub was alive by then.
  t.first.enter_and_wait("carl"), t.first.enter_and_wait("dora");
  const auto next = t.first.after_a_kill(100s);
  const auto ann = next.enter("ann", t.ann.secret);
  next.hub->advance(50s);
  const auto bob = next.enter("bob", t.bob.secret);
  next.hub->advance(29s);
  CHECK_FALSE(end_seen_by(ann));
  next.hub->advance(1s);
  REQUIRE(end_seen_by(ann));
  CHECK(end_seen_by(ann)->reason == end_reason::clock);
  CHECK(end_seen_by(ann)->winner == 0);
}

TEST_CASE("recovery: a game with a player who can't come back ends when all others have") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  const auto game = stranger->events.back().game;
  const auto next = first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK_FALSE(next.records(game).back().what == record::kind::ended);
  const auto back = next.enter("ann", ann.secret);
  REQUIRE(end_seen_by(back));
  CHECK(end_seen_by(back)->reason == end_reason::interrupted);
}

TEST_CASE("recovery: a game to which no player can come back ends at the start") {
  evening first{empty_journal()};
  const auto x = first.hub->connect(test_hub::cells_wire);
  const auto o = first.hub->connect(test_hub::cells_wire, 1);
  SECTION("of two players") {
    x->submit(seek_once()), first.hub->settle();
    o->submit(seek_once()), first.hub->settle();
  }
  SECTION("against an engine") { o->submit(seek_engine()), first.hub->settle(); }
  const auto game = o->events.back().game;
  const auto next = first.after_a_kill();
  CHECK(next.report.restored == 1);
  CHECK(next.records(game).back().what == record::kind::ended);
  CHECK(next.records(game).back().why == end_reason::interrupted);
  CHECK(next.log->open_games().empty());
  CHECK(next.hub->actors_running() == 0);
}

TEST_CASE("drain: a restored game that not all can come back to ends at once, without a result") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  const auto game = stranger->events.back().game;
  const auto next = first.after_a_kill();
  REQUIRE(next.records(game).back().what != record::kind::ended);
  next.hub->runtime().begin_drain([] {});
  next.hub->settle();
  CHECK(next.records(game).back().why == end_reason::interrupted);
}

TEST_CASE("recovery: players wait for further games again once they are back") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  const auto ann = next.enter("ann", t.ann.secret);
  ann.client->submit(seek_again({"tictactoe"}, 2)), next.hub->settle();
  REQUIRE(ann.client->last<placed>() != nullptr);
  const auto carl = next.enter_and_wait("carl");
  REQUIRE(carl.client->last<started>() != nullptr);
  CHECK(carl.client->last<started>()->players == std::vector<std::string>{"ann", "carl"});
  // Two are as many as Ann wants.
  const auto dora = next.enter_and_wait("dora");
  CHECK(dora.client->last<started>() == nullptr);
}

TEST_CASE("recovery: numbers of games and players are not used again") {
  two_at_a_table t;
  const auto next = t.first.after_a_kill();
  next.enter_and_wait("carl");
  const auto dora = next.enter_and_wait("dora");
  const auto fresh = dora.client->events.back().game;
  CHECK(fresh > t.game);
  for (const auto& r : next.records(fresh))
    if (r.what == record::kind::joined)
      for (const auto& old : next.records(t.game))
        if (old.what == record::kind::joined) CHECK(r.action > old.action);
}

TEST_CASE("recovery: no client has received an uncommitted event") {
  two_at_a_table t;
  t.first.log->be_late(true);
  t.ann.client->clear_events(), t.bob.client->clear_events();
  t.first.put(t.bob, 0, 0, t.game);
  CHECK(t.ann.client->events.empty());
  CHECK(t.bob.client->events.empty());
  const auto next = t.first.after_a_kill();
  const auto bob = next.enter("bob", t.bob.secret);
  CHECK(bob.client->last_position()->prompted == only(1));
  next.put(bob, 2, 2, t.game);
  CHECK(bob.client->pending_replies == 0);
  t.first.log->be_late(false);
}

TEST_CASE("recovery: a log whose engine is not there is kept, and reported") {
  auto w = a_log();
  SECTION("an unknown engine") { w.header.engine = "chess"; }
  SECTION("another version") { w.header.engine_version = "0.0.9"; }
  evening next{journal_with(w)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.engine_missing == 1);
  CHECK(report.restored == 0);
  REQUIRE(next.events.out.contains(w.header.id));
  CHECK(next.events.out[w.header.id].find("its log is kept") != std::string::npos);
  CHECK(next.log->put_aside.empty());
}

TEST_CASE("recovery: a game goes on in its own version beside a newer one") {
  two_at_a_table t;
  const auto left = t.first.log->left_behind();
  auto options = on(*left);
  options.more_engines = {tictactoe_of_version(1, 1), tictactoe_of_version(0, 9)};
  test_hub next{options};
  listener events;
  CHECK(next.runtime().recover(events).restored == 1);
  next.settle();
  CHECK(left->headers().front().engine_version == "1.0.0");
  CHECK(events.out.empty());
}

TEST_CASE("recovery: a log that its engine does not agree with is put aside") {
  auto w = a_log();
  std::string says;
  SECTION("a cell taken twice") {
    w.records[4].action = w.records[3].action;
    says = "record 5 is refused by the engine: space-not-empty";
  }
  SECTION("another state") {
    w.records[3].state ^= 1;
    says = "record 4 leads to another state";
  }
  SECTION("options that the engine does not take") {
    w.header.options = "[]";
    says = "record 0 the engine refuses its options";
  }
  evening next{journal_with(w)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.quarantined == 1);
  CHECK(report.mismatches == 1);
  CHECK(next.log->put_aside[w.header.id].find(says) == 0);
  CHECK(next.hub->actors_running() == 0);
}

TEST_CASE("recovery: suspects are replayed one by one, and after the second time no more") {
  evening first{empty_journal()};
  for (const auto* name : {"a", "b", "c", "d", "e", "f"}) first.enter_and_wait(name);
  auto left = first.log->left_behind();
  const auto games = left->headers();
  REQUIRE(games.size() == 3);
  left->suspected = {{games[0].id, 2}, {games[1].id, 1}};
  evening next{std::move(left)};
  const auto report = next.hub->runtime().recover(next.events);
  CHECK(report.quarantined == 1);
  CHECK(report.mismatches == 0);
  CHECK(report.restored == 2);
  CHECK(next.log->put_aside.contains(games[0].id));
  CHECK(next.log->lots == std::vector<std::vector<game_id>>{{games[1].id}, {games[2].id}});
  CHECK(next.log->safe == std::vector<game_id>{games[1].id, games[2].id});
}

TEST_CASE("recovery: a hub that is killed again and again loses nothing") {
  two_at_a_table t;
  std::deque<evening> evenings;
  evenings.push_back(t.first.after_a_kill());
  for (const auto& [row, column] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{0, 2}}) {
    const auto& now = evenings.back();
    const auto ann = now.enter("ann", t.ann.secret);
    const auto bob = now.enter("bob", t.bob.secret);
    now.put(row + column == 1 ? ann : bob, row, column, t.game);
    auto next = now.after_a_kill();
    CHECK(next.records(t.game).size() == now.records(t.game).size());
    evenings.push_back(std::move(next));
  }
  CHECK(evenings.back().records(t.game).size() == 7);
}

TEST_CASE("drain: a game that all can come back to is parked, and goes on after the restart") {
  two_at_a_table t;
  int drained = 0;
  t.first.hub->runtime().begin_drain([&] { ++drained; });
  t.first.hub->settle();
  CHECK(t.ann.client->closed == close_reason::draining);
  CHECK(t.bob.client->closed == close_reason::draining);
  CHECK(drained == 1);
  CHECK(t.first.hub->actors_running() == 0);
  CHECK(t.first.records(t.game).back().what == record::kind::moved);
  const auto next = t.first.after_a_kill();
  const auto bob = next.enter("bob", t.bob.secret);
  next.enter("ann", t.ann.secret);
  next.put(bob, 0, 0, t.game);
  CHECK(bob.client->pending_replies == 0);
}

TEST_CASE("drain: a parked game first says what the journal still held back") {
  two_at_a_table t;
  t.first.log->be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  t.first.hub->runtime().begin_drain([] {});
  t.first.hub->settle();
  CHECK_FALSE(t.bob.client->closed);
  CHECK(t.bob.client->pending_replies == 1);
  t.first.log->be_late(false);
  t.first.hub->settle();
  CHECK(t.bob.client->pending_replies == 0);
  CHECK(t.bob.client->closed == close_reason::draining);
}

TEST_CASE("drain: a game that someone could not come back to is played on") {
  evening first{empty_journal()};
  const auto ann = first.enter_and_wait("ann");
  const auto stranger = first.hub->connect(test_hub::cells_wire);
  stranger->submit(seek_once()), first.hub->settle();
  first.hub->runtime().begin_drain([] {});
  first.hub->settle();
  CHECK_FALSE(ann.client->closed);
  CHECK_FALSE(stranger->closed);
}

TEST_CASE("runtime: an operator ends a game, in words that its log keeps") {
  two_at_a_table t;
  std::vector<bool> found;
  const auto tell = [&](bool is) { found.push_back(is); };
  t.first.hub->runtime().end_game(game_id{t.game.value + 1}, "a typo", tell);
  t.first.hub->settle();
  t.first.hub->runtime().end_game(t.game, "cheating", tell);
  t.first.hub->settle();
  CHECK(found == std::vector<bool>{false, true});
  REQUIRE(end_seen_by(t.bob));
  CHECK(end_seen_by(t.bob)->reason == end_reason::operator_);
  CHECK(t.first.records(t.game).back().text == "cheating");
}

TEST_CASE("runtime: no new games while the journal can't write") {
  two_at_a_table t;
  t.first.log->be_in_trouble("the disk is full");
  const auto carl = t.first.enter_and_wait("carl");
  REQUIRE(carl.client->last<refused>() != nullptr);
  CHECK(carl.client->last<refused>()->why == refusal::hub_full);
  t.first.log->be_in_trouble(std::nullopt);
  carl.client->submit(seek_again({"tictactoe"})), t.first.hub->settle();
  CHECK(carl.client->last<placed>() != nullptr);
}

TEST_CASE("game: a turn whose prompt waits for the journal does not expire") {
  two_at_a_table t{10s};
  t.first.log->be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  t.first.hub->advance(25s);
  CHECK_FALSE(end_seen_by(t.ann));
  t.first.log->commit_all();
  t.first.hub->settle();
  t.first.hub->advance(9s);
  CHECK_FALSE(end_seen_by(t.ann));
  t.first.hub->advance(1s);
  t.first.log->be_late(false);
  t.first.hub->settle();
  REQUIRE(end_seen_by(t.ann));
  CHECK(end_seen_by(t.ann)->reason == end_reason::clock);
  CHECK(end_seen_by(t.ann)->winner == 1);
}

namespace {

// Takes over the games of the journal while the loops run on this thread.
actors::system::recovery_report taken_over(evening& e, const std::function<bool()>& goes_on) {
  std::atomic<bool> done = false;
  actors::system::recovery_report report;
  std::thread adopting{[&] {
    const auto down_since = e.log->last_written();
    report = e.hub->runtime().take_over({{e.log->open_games(), down_since}}, e.events, goes_on);
    done = true;
  }};
  while (!done) e.hub->settle();
  adopting.join();
  e.hub->settle();
  return report;
}
bool always() { return true; }

}  // namespace

TEST_CASE("takeover: a hub that serves continues the games of another one, with their players") {
  two_at_a_table t{100s};
  t.first.hub->advance(70s);
  evening next{t.first.log->left_behind(), 100s};
  const auto local = next.enter_and_wait("carl", 1);
  const auto report = taken_over(next, always);
  CHECK(report.restored == 1);
  CHECK(next.events.done == 1);
  CHECK(next.events.out.empty());
  // Names and secrets are those of the other hub; the clock stands until both are back.
  const auto ann = next.enter("ann", t.ann.secret, 1);
  next.hub->advance(40s);
  const auto bob = next.enter("bob", t.bob.secret, 0);
  CHECK(ann.secret == t.ann.secret);
  CHECK(ann.client->last<signed_in>()->name == "ann");
  REQUIRE(bob.client->last<started>() != nullptr);
  CHECK(bob.client->last_position()->prompted == only(1));
  next.put(bob, 0, 0, t.game);
  next.put(ann, 0, 1, t.game);
  CHECK(next.records(t.game).size() == t.first.records(t.game).size() + 2);
  CHECK_FALSE(end_seen_by(ann));
  // The hub's own players are served as before.
  const auto dora = next.enter_and_wait("dora");
  CHECK(dora.client->last<started>() != nullptr);
  CHECK(local.client->last<started>() != nullptr);
}

TEST_CASE("takeover: a game that can't be replayed is put into quarantine, the others continue") {
  two_at_a_table t;
  auto carl = t.first.enter_and_wait("carl", 0);
  const auto dora = t.first.enter_and_wait("dora", 1);
  const auto other = dora.client->events.back().game;
  REQUIRE(other != t.game);
  auto bad = t.first.records(t.game);
  bad.back().state ^= 1;
  late_journal made{false};
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  } nobody;
  for (const auto& h : t.first.log->headers()) {
    made.open(h);
    made.append(h.id, h.id == t.game ? bad : t.first.records(h.id), nobody);
  }
  evening next{made.left_behind()};
  const auto report = taken_over(next, always);
  CHECK(report.restored == 1);
  CHECK(report.mismatches == 1);
  CHECK(next.events.out.contains(t.game));
  CHECK_FALSE(next.events.out.contains(other));
  const auto back = next.enter("carl", carl.secret);
  REQUIRE(back.client->last<started>() != nullptr);
}

TEST_CASE("takeover: a hub that drains takes over no further games") {
  two_at_a_table t;
  evening next{t.first.log->left_behind()};
  const auto report = taken_over(next, [] { return false; });
  CHECK(report.restored == 0);
  CHECK(next.log->open_games().size() == 1);
}

TEST_CASE("takeover: a game that arrives while the hub drains is suspended at once") {
  two_at_a_table t;
  evening next{t.first.log->left_behind()};
  bool drained = false;
  next.hub->runtime().begin_drain([&] { drained = true; });
  const auto report = taken_over(next, always);
  CHECK(report.restored == 1);
  next.hub->settle();
  CHECK(next.hub->actors_running() == 0);
  CHECK(next.log->open_games().size() == 1);
}

TEST_CASE("takeover: a player who returns before its game is here waits for it") {
  two_at_a_table t;
  std::atomic<bool> expected = true;
  evening next{t.first.log->left_behind(), 0s, [&](base::instant) { return expected.load(); }};
  const auto early = [&](std::string secret) {
    auto client = next.hub->connect(test_hub::documents_wire, 0);
    client->submit(sign_in{"ann", std::move(secret)});
    next.hub->settle();
    return client;
  };
  const auto ann = early(t.ann.secret), stranger = early("no such secret at all");
  CHECK(ann->last<signed_in>() == nullptr);
  CHECK(ann->last<refused>() == nullptr);
  next.hub->advance(300ms);
  CHECK(ann->last<signed_in>() == nullptr);
  CHECK(taken_over(next, always).restored == 1);
  next.hub->advance(100ms);
  REQUIRE(ann->last<started>() != nullptr);
  CHECK(ann->last<signed_in>()->secret == t.ann.secret);
  // Whose player is not among them is answered when none can arrive any more.
  CHECK(stranger->last<signed_in>() == nullptr);
  expected = false;
  next.hub->advance(100ms);
  CHECK((stranger->last<signed_in>() != nullptr || stranger->closed.has_value() ||
         stranger->last<refused>() != nullptr));
}

TEST_CASE(
    "takeover: a request with an unknown secret does not wait for ever, nor if its client goes") {
  two_at_a_table t;
  evening next{empty_journal(), 0s, [](base::instant) { return true; }};
  auto gone = next.hub->connect(test_hub::documents_wire, 0);
  gone->submit(sign_in{"ann", t.ann.secret}), next.hub->settle();
  gone->disconnect();
  const auto bob = next.hub->connect(test_hub::documents_wire, 0);
  bob->submit(sign_in{"bob", t.bob.secret}), next.hub->settle();
  next.hub->advance(4s);
  CHECK(bob->pending_replies == 1);
  next.hub->advance(2s);
  CHECK(bob->pending_replies == 0);
}
