#include "actors/lobby/game_directory.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::lobby::running_games;
using stage = running_games::entry::stage;

namespace {

running_games::entry asleep_until(base::instant due, bool closed = false) {
  running_games::entry e{.closed = closed, .lasts = true};
  e.sleep().due = due;
  return e;
}

}  // namespace

TEST_CASE("running_games: those that are asleep are counted, listed, and due by their clocks") {
  running_games games;
  const base::instant start{};
  games.add(game_id{1}, asleep_until(start + 3s));
  games.add(game_id{2}, asleep_until(base::instant::max()));
  games.add(game_id{3}, asleep_until(start + 2s, true));
  CHECK(games.size() == 3);
  CHECK(games.lasting() == 3);
  CHECK(games.asleep() == 3);
  CHECK_FALSE(games.find(game_id{1})->awake());
  std::vector<game_id> listed;
  games.listed().for_each_before({}, game_id{9}, 9, [&](game_id id) { listed.push_back(id); });
  CHECK(listed == std::vector{game_id{2}, game_id{1}});
  REQUIRE(games.first_due());
  CHECK(games.first_due()->second == game_id{3});
  games.set_waking(game_id{3});
  CHECK(games.find(game_id{3})->at == stage::waking);
  CHECK(games.asleep() == 2);
  CHECK(games.first_due() == std::pair{start + 3s, game_id{1}});
  games.set_asleep(game_id{3}, start + 5s);
  CHECK(games.asleep() == 3);
  games.remove(game_id{1});
  CHECK(games.first_due() == std::pair{start + 5s, game_id{3}});
  games.remove(game_id{3});
  CHECK_FALSE(games.first_due());
  CHECK(games.size() == 1);
  CHECK(games.lasting() == 1);
  games.clear();
  CHECK(games.asleep() == 0);
}

TEST_CASE("running_games: one that the file has already counts there alone until it is awake") {
  running_games games;
  const base::instant start{};
  auto e = asleep_until(start + 3s);
  e.sleep().on_file = true;
  games.add(game_id{1}, std::move(e));
  CHECK(games.asleep() == 0);
  games.set_waking(game_id{1});
  games.set_asleep(game_id{1}, start + 9s);
  CHECK(games.asleep() == 0);
  CHECK(games.first_due() == std::pair{start + 9s, game_id{1}});
  games.remove(game_id{1});
  CHECK(games.asleep() == 0);
  CHECK_FALSE(games.first_due());
}
