#include "actors/spectate/game_listing.hpp"

#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

using namespace gamehub;
using namespace gamehub::tests;

TEST_CASE("game_listing: lists find the games of a name among a thousand others") {
  late_journal journal{false};
  test_hub hub{{.loops = 1, .log = &journal}};
  const auto named = [&](const char* name) {
    const auto c = hub.connect(test_hub::cells_wire);
    c->submit(sign_in{name, {}}), hub.settle();
    return c;
  };
  const auto play = [&](const auto& who, int count) {
    std::vector<game_id> games;
    for (int i = 0; i < count; ++i) {
      who->submit(seek_engine("tictactoe")), hub.settle();
      games.insert(games.begin(), who->events.back().game);
      who->submit(leave{games.front()}), hub.settle();
    }
    return games;
  };
  const auto ann = named("ann");
  const auto of_ann = play(ann, 3);
  play(named("bob"), 1'000);
  const auto waiter = named("cleo");
  auto open = seek_once();
  std::get<seek>(open).reserve_game = true;
  waiter->submit(open), hub.settle();
  const auto waits = waiter->events.back().game;
  ann->submit(seek_engine("connect-four")), hub.settle();
  const auto runs = ann->events.back().game;
  const auto page = [&](list_query what, const char* player) {
    what.player = player;
    std::optional<game_page> got;
    hub.runtime().spectators_for(0).list(what, [&](game_page p) { got = std::move(p); });
    hub.settle();
    REQUIRE(got);
    return *got;
  };
  const auto ids = [](const game_page& p) {
    std::vector<game_id> out;
    for (const auto& g : p.games) out.push_back(g.progress.game->id);
    return out;
  };
  std::vector<game_id> all{runs};
  all.insert(all.end(), of_ann.begin(), of_ann.end());
  const auto first = page({}, "ann");
  CHECK(ids(first) == all);
  CHECK(first.logs_read > 1'000);
  // The names are known now, up to one in 64.
  CHECK(page({}, "ann").logs_read < 200);
  CHECK(ids(page({"connect-four", {}, {}, 50}, "ann")) == std::vector{runs});
  CHECK(ids(page({"", game_status::ended, {}, 2}, "ann")) == std::vector{of_ann[0], of_ann[1]});
  CHECK(ids(page({"", game_status::waiting, {}, 2}, "cleo")) == std::vector{waits});
  CHECK(ids(page({}, "an")).empty());
}

TEST_CASE("game_listing: what is known of new games stays when old ones are looked at") {
  actors::spectate::ended_game_cache cache;
  constexpr std::uint64_t kept = actors::spectate::ended_game_cache::games_max, newest = 4 * kept;
  for (auto id = newest; id > newest - kept; --id) cache.add({id}, {7, true, 0});
  for (auto id = newest - kept; id > newest - 2 * kept; --id) cache.add({id}, {});
  for (auto id = newest; id > newest - kept; --id) REQUIRE(cache.find({id}) != nullptr);
  CHECK(cache.find({newest - kept}) == nullptr);
  // A game that ends now takes the place of the oldest.
  cache.add({newest + 1}, {});
  CHECK(cache.find({newest + 1}) != nullptr);
  CHECK(cache.find({newest - kept + 1}) == nullptr);
}

TEST_CASE("game_listing: a page reads a bounded number of logs, and the next one goes on") {
  constexpr auto most = actors::spectate::game_listing::logs_max;
  late_journal journal{false};
  test_hub hub{{.loops = 1, .log = &journal}};
  const auto bob = hub.connect(test_hub::cells_wire);
  bob->submit(sign_in{"bob", {}}), hub.settle();
  std::optional<game_id> first;
  for (std::size_t i = 0; i < most + 100; ++i) {
    bob->submit(seek_engine("tictactoe")), hub.settle();
    const auto game = bob->events.back().game;
    if (!first) first = game;
    bob->submit(leave{game}), hub.settle(), bob->clear_events();
  }
  const auto page = [&](game_id before) {
    list_query what;
    what.player = "absent";
    what.before = before;
    std::optional<game_page> got;
    hub.runtime().spectators_for(0).list(what, [&](game_page p) { got = std::move(p); });
    hub.settle();
    REQUIRE(got);
    return *got;
  };
  const auto newest = page({});
  CHECK(newest.logs_read == most);
  REQUIRE(newest.next);
  CHECK(newest.next.value > first->value);
  CHECK(page(newest.next).logs_read == 100);
  // They are known now.
  CHECK(page({}).logs_read < most / 10);
}
