// Games that arrive while the hub serves, and players who come back to them.
#include "tests/support/catch.hpp"
#include "tests/support/evening.hpp"

#include <atomic>
#include <functional>
#include <thread>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;
using journal::record;

namespace {

// Takes over the games of the journal while the loops run on this thread.
actors::system::recovery_report taken_over(
    evening& e, const std::function<bool()>& goes_on,
    std::optional<std::vector<journal::game_header>> games = {}) {
  std::atomic<bool> done = false;
  actors::system::recovery_report report;
  std::thread adopting{[&] {
    const auto down_since = e.log->last_written();
    report = e.hub->runtime().take_over({{games.value_or(e.log->open_games()), down_since}},
                                        e.events, goes_on);
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

// The bound is one of new games: no player loses a game because two hubs became one.
TEST_CASE("takeover: games above the bound are adopted, and none begins until there is room") {
  two_at_a_table t;
  const auto carl = t.first.enter_and_wait("carl", 0), dora = t.first.enter_and_wait("dora", 1);
  const auto left = t.first.log->left_behind();
  auto options = hub_on(*left);
  options.settings.games_max = 1;
  test_hub next{options};
  recovery_events events;
  const bool at_start = GENERATE(true, false);
  CAPTURE(at_start);
  if (at_start) {
    CHECK(next.runtime().recover(events).restored == 2);
  } else {
    std::atomic<bool> done = false;
    actors::system::recovery_report report;
    std::thread adopting{[&] {
      report =
          next.runtime().take_over({{left->open_games(), left->last_written()}}, events, always);
      done = true;
    }};
    while (!done) next.settle();
    adopting.join();
    CHECK(report.restored == 2);
  }
  next.settle();
  const auto back = [&](const evening::guest& who) {
    auto c = next.connect(test_hub::documents_wire, 0);
    c->submit(sign_in{{}, who.secret}), next.settle();
    REQUIRE(c->last<started>() != nullptr);
    return c;
  };
  const auto ann = back(t.ann), bob = back(t.bob), cid = back(carl), dan = back(dora);
  const auto refused_seek = [&](intent what) {
    const auto c = next.connect(test_hub::cells_wire, 0);
    c->submit(std::move(what)), next.settle();
    return c->last<refused>() != nullptr && c->last<refused>()->why == refusal::hub_full;
  };
  CHECK(refused_seek(seek_once("nim")));
  CHECK(refused_seek(seek_engine()));
  CHECK(refused_seek(seek_again({"tictactoe"})));
  // With the first of them over there are as many as there may be.
  ann->submit(leave{t.game}), next.settle();
  CHECK(refused_seek(seek_engine()));
  CHECK(next.games_started() == 2);
  cid->submit(leave{cid->last_position() == nullptr ? game_id{} : cid->events.back().game});
  next.settle();
  CHECK_FALSE(refused_seek(seek_engine()));
  CHECK(next.games_started() == 3);
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

namespace {

struct shown {
  int starts = 0, positions = 0, prompts = 0;
  bool operator==(const shown&) const = default;
};
// What a client in the first seat of a game was shown.
shown to(const test_client& client, game_id game, seat_index seat = 0) {
  shown out;
  for (const auto& e : client.events) {
    if (e.game != game) continue;
    out.starts += std::holds_alternative<started>(e.what) ? 1 : 0;
    const auto* p = std::get_if<position_ref>(&e.what);
    if (p == nullptr) continue;
    ++out.positions;
    out.prompts += holds((*p)->prompted, seat) ? 1 : 0;
  }
  return out;
}

}  // namespace

TEST_CASE("session: who comes back while the journal is late is shown its game and its turn once") {
  two_at_a_table t;
  const auto come_back = [&](const std::string& secret, std::size_t loop) {
    auto client = t.first.hub->connect(test_hub::documents_wire, loop);
    client->submit(sign_in{{}, secret}), t.first.hub->settle();
    return client;
  };
  t.first.log->be_late(true);
  t.first.put(t.bob, 0, 0, t.game);
  // The journal holds back the move, and what the first of these clients is shown.
  const auto former = come_back(t.ann.secret, 0), present = come_back(t.ann.secret, 1);
  CHECK(former->closed == close_reason::replaced);
  t.first.log->commit_all();
  t.first.hub->settle();
  CHECK(to(*former, t.game) == shown{});
  CHECK(to(*present, t.game) == shown{1, 1, 1});
  // Later positions arrive, and answers, too.
  t.first.log->be_late(false);
  present->submit(play_document(R"({"type":"move","row":2,"column":2})", t.game));
  t.first.hub->settle();
  CHECK(present->pending_replies == 0);
  CHECK(to(*present, t.game) == shown{1, 2, 1});
  t.first.put(t.bob, 0, 1, t.game);
  CHECK(to(*present, t.game) == shown{1, 3, 2});
}

TEST_CASE("session: who comes back while its game begins is shown it once") {
  auto e = evening{empty_journal()};
  const auto ann = e.enter_and_wait("ann", 0);
  e.log->be_late(true);
  const auto bob = e.enter_and_wait("bob", 1);
  const auto back = e.hub->connect(test_hub::documents_wire, 1);
  const auto early = GENERATE(false, true);
  // The client that comes back, and the commit, in either order.
  back->submit(sign_in{{}, ann.secret});
  if (early) e.hub->settle();
  e.log->commit_all();
  e.hub->settle();
  const auto game =
      bob.client->last<started>() != nullptr ? bob.client->events.back().game : game_id{};
  CHECK(to(*back, game) == shown{1, 1, 1});
  e.log->be_late(false);
}

TEST_CASE("session: who comes back as its game ends is shown the end once") {
  two_at_a_table t;
  t.first.put(t.bob, 0, 0, t.game), t.first.put(t.ann, 1, 0, t.game);
  t.first.put(t.bob, 0, 1, t.game);
  t.first.log->be_late(true);
  t.first.put(t.ann, 1, 2, t.game);
  const auto back = t.first.hub->connect(test_hub::documents_wire, 1);
  back->submit(sign_in{{}, t.ann.secret}), t.first.hub->settle();
  t.first.log->commit_all();
  t.first.hub->settle();
  CHECK(to(*back, t.game) == shown{1, 1, 0});
  const auto end = end_seen_by({back, {}});
  REQUIRE(end.has_value());
  CHECK(end->winner == 0);
  t.first.log->be_late(false);
}

TEST_CASE("takeover: a game that arrives after its player is shown to it at once") {
  evening first{empty_journal()};
  auto ann = first.enter("ann");
  ann.client->submit(seek_again({"tictactoe"}, 2)), first.hub->settle();
  const auto bob = first.enter_and_wait("bob", 1), carl = first.enter_and_wait("carl", 1);
  evening next{first.log->left_behind()};
  const auto all = next.log->open_games();
  REQUIRE(all.size() == 2);
  CHECK(taken_over(next, always, std::vector{all[0]}).restored == 1);
  const auto back = next.enter("ann", ann.secret, 1);
  CHECK(to(*back.client, all[0].id) == shown{1, 1, 1});
  CHECK(to(*back.client, all[1].id) == shown{});
  CHECK(taken_over(next, always, std::vector{all[1]}).restored == 1);
  CHECK(to(*back.client, all[1].id) == shown{1, 1, 1});
  CHECK(next.hub->sessions_open() == 3);
  // She is back in both games, and the others follow.
  const auto bob_back = next.enter("bob", bob.secret), carl_back = next.enter("carl", carl.secret);
  next.put(back, 0, 0, all[0].id), next.put(back, 0, 0, all[1].id);
  CHECK(bob_back.client->last_position()->by == 0);
  CHECK(carl_back.client->last_position()->by == 0);
}
