// What the tests of feeds and of the spectator service share: a running game with players on two
// loops, and requests of a loop's spectator service, each of which is answered once.
#pragma once

#include "actors/system/runtime.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/onlooker.hpp"
#include "tests/support/test_hub.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

inline intent seek_reserving(std::string engine = "tictactoe") {
  auto what = seek_once(std::move(engine));
  std::get<seek>(what).reserve_game = true;
  return what;
}

inline std::vector<std::string> lines_after(const onlooker& who, std::uint64_t number) {
  auto lines = who.lines();
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(number));
  return lines;
}

// Ann (X) plays bob, on two loops.
struct watched_game {
  watched_game() {
    ann->submit(sign_in{"ann", {}}), ann->submit(seek_once()), hub.settle();
    bob->submit(sign_in{"bob", {}}), bob->submit(seek_once()), hub.settle();
    REQUIRE(bob->last<started>() != nullptr);
    game = bob->events.back().game;
  }
  void put(test_client& who, std::int64_t cell) { who.submit(play_cell(cell, game)), hub.settle(); }
  void play_to_the_end() {
    for (const auto cell : {0, 3, 1, 4, 2}) put(cell < 3 ? *ann : *bob, cell);
  }
  std::shared_ptr<onlooker> watch(std::uint64_t after = 0, std::size_t loop = 0) {
    auto who = onlooker::of(hub.runtime().spectators_for(loop), game, after);
    hub.settle();
    CHECK_FALSE(who->muddled);
    return who;
  }

  late_journal journal{false};
  test_hub hub{{.loops = 2, .log = &journal}};
  std::shared_ptr<test_client> ann = hub.connect(test_hub::documents_wire, 0);
  std::shared_ptr<test_client> bob = hub.connect(test_hub::cells_wire, 1);
  game_id game;
};

inline std::optional<game_snapshot> look_at(test_hub& hub, game_id game,
                                            std::optional<seat_index> as = {},
                                            std::size_t loop = 0) {
  std::optional<std::optional<game_snapshot>> got;
  hub.runtime().spectators_for(loop).query_snapshot(game, as, [&](auto found) {
    CHECK_FALSE(got.has_value());
    got = std::move(found);
  });
  CHECK_FALSE(got.has_value());
  hub.settle();
  REQUIRE(got.has_value());
  return *got;
}

inline std::optional<game_replay> replay_of(test_hub& hub, game_id game, std::size_t loop = 0) {
  std::optional<std::optional<game_replay>> got;
  hub.runtime().spectators_for(loop).replay(game, {}, [&](auto found) { got = std::move(found); });
  CHECK_FALSE(got.has_value());
  hub.settle();
  REQUIRE(got.has_value());
  return *got;
}

}  // namespace gamehub::tests
