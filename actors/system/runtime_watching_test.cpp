// Hubs of a cluster watch games of each other: each game once, however many of their clients watch.
#include "actors/relay/game_watchers.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hub_world.hpp"
#include "tests/support/watched_game.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

namespace messages = gamehub::relay;

// Ann (X) plays bob at the first hub; the others watch.
struct far_watched_game {
  explicit far_watched_game(std::size_t hubs = 2) : w(hubs, {.loops = 2}) {
    ann->submit(seek_once()), w.settle();
    bob->submit(seek_once()), w.settle();
    REQUIRE(bob->last<started>() != nullptr);
    game = bob->events.back().game;
  }
  void say(const std::string& text) { ann->submit(chat{game, text}), w.settle(); }
  void put(test_client& who, std::int64_t cell) { who.submit(play_cell(cell, game)), w.settle(); }
  void play_to_the_end() {
    for (const auto cell : {0, 3, 1, 4, 2}) put(cell < 3 ? *ann : *bob, cell);
  }
  spectator_service& service(std::size_t hub, std::size_t loop = 0) {
    return w.hub(hub).runtime().spectators_for(loop);
  }
  std::shared_ptr<onlooker> watch(std::size_t hub, std::uint64_t after = 0, std::size_t loop = 0) {
    auto who = onlooker::of_elsewhere(service(hub, loop), 1, game, after);
    w.settle();
    return who;
  }

  hub_world w;
  std::shared_ptr<test_client> ann = w.sign_in_at(0, "ann", test_hub::cells_wire);
  std::shared_ptr<test_client> bob = w.sign_in_at(0, "bob", test_hub::cells_wire);
  game_id game;
};

}  // namespace

TEST_CASE("watching: a hub watches a game of another one once, for all its clients") {
  far_watched_game g;
  const auto here = onlooker::of(g.service(0), g.game);
  g.w.settle();
  std::vector<std::shared_ptr<onlooker>> all;
  for (std::size_t i = 0; i < 10; ++i) all.push_back(g.watch(1, i % 3, i % 2));
  CHECK(g.w.exchange(1).count().watched_there == 1);
  CHECK(g.w.exchange(0).count().watched_here == 1);
  g.put(*g.ann, 0), g.put(*g.bob, 3);
  // One that comes later reads what was before.
  all.push_back(g.watch(1, 0, 1));
  const auto sent = g.w.exchange(0).count().sent;
  g.put(*g.ann, 1);
  CHECK(g.w.exchange(0).count().sent == sent + 1);
  g.put(*g.bob, 4), g.put(*g.ann, 2);
  REQUIRE(here->ends == 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    const auto& each = *all[i];
    CHECK(each.lines() == lines_after(*here, i < 10 ? i % 3 : 0));
    CHECK(each.ends == 1);
    CHECK_FALSE(each.muddled);
    CHECK_FALSE(each.presents.empty());
    CHECK(each.updates.front()->game->players == std::vector<std::string>{"ann", "bob"});
  }
  all.clear();
  g.w.advance(limits::unwatched_kept + 2s);
  CHECK(g.w.exchange(1).count().watched_there == 0);
  CHECK(g.w.exchange(0).count().watched_here == 0);
}

TEST_CASE("watching: a hub that watches no more tells the other one") {
  far_watched_game g;
  auto who = g.watch(1);
  who->stop();
  g.w.settle();
  g.w.advance(limits::unwatched_kept - 2s);
  CHECK(g.w.exchange(0).count().watched_here == 1);
  g.w.advance(4s);
  CHECK(g.w.exchange(1).count().watched_there == 0);
  CHECK(g.w.exchange(0).count().watched_here == 0);
  g.put(*g.ann, 0);
  // And again, from the first update on.
  who = g.watch(1);
  CHECK(who->numbers().back() == who->numbers().size());
}

TEST_CASE("watching: what waits of a game is bounded, and one that is slow holds up no other") {
  far_watched_game g;
  const auto quick = g.watch(1), slow = g.watch(1);
  slow->pause(true);
  const auto before = slow->numbers().size();
  // The link takes nothing.
  g.w.cut[{0, 1}] = true;
  const auto sent = g.w.exchange(0).count().sent;
  for (int i = 0; i < 150; ++i) g.say(std::to_string(i));
  CHECK(g.w.exchange(0).count().sent - sent <= 2 * messages::watch_updates_max + 2);
  g.w.cut.clear();
  g.w.settle();
  CHECK(quick->numbers().size() >= 150);
  CHECK(slow->numbers().size() == before);
  g.play_to_the_end();
  CHECK(quick->ends == 1);
  CHECK(slow->ends == 0);
  slow->pause(false);
  g.w.settle();
  CHECK(slow->lines() == quick->lines());
  CHECK(slow->ends == 1);
  CHECK_FALSE(slow->muddled);
}

TEST_CASE("watching: a game that waits at another hub is seen to begin, or to be withdrawn") {
  const bool begins = GENERATE(true, false);
  hub_world w{2};
  const auto ann = w.sign_in_at(0, "ann", test_hub::cells_wire);
  ann->submit(seek_reserving()), w.settle();
  const auto game = ann->events.back().game;
  const auto who = onlooker::of_elsewhere(w.hub(1).runtime().spectators_for(0), 1, game);
  w.settle();
  REQUIRE(who->progress);
  CHECK(who->progress->status == game_status::waiting);
  CHECK(who->progress->game->players.front() == "ann");
  if (begins) {
    const auto bob = w.sign_in_at(0, "bob", test_hub::cells_wire);
    bob->submit(seek_once()), w.settle();
    CHECK(who->numbers() == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(who->unknowns == 0);
  } else {
    ann->submit(leave{game}), w.settle();
    CHECK(who->unknowns == 1);
    CHECK(who->updates.empty());
  }
  CHECK_FALSE(who->muddled);
}

TEST_CASE("watching: a game whose hub dies is looked for, and given up after ten seconds") {
  far_watched_game g{3};
  const auto who = g.watch(1);
  const auto seen = who->numbers();
  g.w.kill(0);
  g.w.settle();
  g.w.advance(9s);
  CHECK(who->unknowns == 0);
  g.w.advance(2s);
  CHECK(who->unknowns == 1);
  CHECK(who->numbers() == seen);
  CHECK(g.w.exchange(1).count().watched_there == 0);
}

TEST_CASE("watching: when a hub dies that watches, the others lose nothing") {
  far_watched_game g{3};
  const auto there = g.watch(1), who = g.watch(2);
  CHECK(g.w.exchange(0).count().watched_here == 2);
  g.w.kill(1);
  g.w.settle();
  CHECK(g.w.exchange(0).count().watched_here == 1);
  g.play_to_the_end();
  CHECK(who->ends == 1);
  CHECK_FALSE(who->muddled);
}

TEST_CASE("watching: updates with a gap are not shown, and are asked for again") {
  far_watched_game g;
  const auto who = g.watch(1);
  const auto seen = who->numbers().size();
  const auto wrong = g.w.exchange(1).count().wrong;
  messages::watch_update gap;
  gap.what.number = seen + 2;
  // The numbers of the requests are not known here.
  for (std::uint64_t number = 1; number < 8; ++number) {
    gap.number = number;
    const auto now = g.w.hub(1).now();
    g.w.exchange(1).on_message({1}, *messages::encode(gap, now), now);
  }
  g.w.settle();
  CHECK(g.w.exchange(1).count().wrong == wrong + 1);
  g.w.advance(1s);
  g.play_to_the_end();
  CHECK(who->numbers().back() == who->numbers().size());
  CHECK(who->ends == 1);
  CHECK_FALSE(who->muddled);
}

TEST_CASE("watching: a hub that floods another one with requests is bounded, and harms no one") {
  far_watched_game g;
  auto& attacked = g.w.exchange(0);
  auto& hub = g.w.hub(0);
  const auto bytes_of = [&](const messages::message& m) { return *messages::encode(m, hub.now()); };
  constexpr std::uint64_t many = 10'000;
  for (std::uint64_t i = 1; i <= many; ++i) {
    attacked.on_message({2}, bytes_of(messages::watch{i, {77'000'000 + i}, 0}), hub.now());
    attacked.on_message({2}, bytes_of(messages::find_game{i, {78'000'000 + i}, {}}), hub.now());
    attacked.on_message({2}, bytes_of(messages::find_player{i, "a digest of no player"}),
                        hub.now());
    attacked.on_message({2}, bytes_of(messages::watch_taken{i, 1'000'000}), hub.now());
    attacked.on_message({2}, bytes_of(messages::watch_update{i, {}, {}, {}}), hub.now());
    attacked.on_message({2}, "\x11 no message", hub.now());
  }
  CHECK(attacked.count().wrong == many);
  const auto refused = [&](messages::demand what) {
    return attacked.count().refused[static_cast<std::size_t>(what)];
  };
  // The lobby has not run: what waits for it is bounded, and the rest has an answer.
  CHECK(refused(messages::demand::question) ==
        2 * many - actors::relay::exchange::lobby_messages_max);
  while (hub.step(0) || hub.step(1))
    REQUIRE(attacked.count().watched_here <= 2 * actors::relay::game_watchers::watchers_max);
  CHECK(attacked.count().watches_refused > 0);
  CHECK(attacked.count().watched_here == 0);
  // Each question has an answer, and the game goes on.
  g.w.settle();
  CHECK(g.w.exchange(1).count().received >= 2 * many);
  g.play_to_the_end();
  CHECK(g.bob->last_position()->outcome);
  const auto cid = g.w.sign_in_at(0, "cid"), dan = g.w.sign_in_at(1, "dan");
  cid->submit(seek_once()), g.w.settle();
  dan->submit(seek_once()), g.w.settle();
  CHECK(dan->last<started>() != nullptr);
}
