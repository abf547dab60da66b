#include "hub/core/game_clock.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;

namespace {

const base::instant noon{12h};

}  // namespace

TEST_CASE("game_clock: counts down what runs, and nothing else") {
  const game_clock clock{noon, {44'400ms, 60s}, only(0)};
  CHECK(clock.left_at(0, noon) == 44'400ms);
  CHECK(clock.left_at(0, noon + 4'400ms) == 40s);
  CHECK(clock.left_at(1, noon + 4'400ms) == 60s);
  CHECK(clock.left_at(0, noon + 1h) == 0ms);
  // A reader's moment may be a little earlier.
  CHECK(clock.left_at(0, noon - 1s) == 44'400ms);
  CHECK_FALSE(game_clock{});
}

TEST_CASE("game_clock: two readings of one clock show the same, a stopped one does not") {
  const game_clock first{noon, {60s, 60s}, only(1)}, later{noon + 10s, {60s, 50s}, only(1)};
  CHECK(shows_same(first, later));
  CHECK(shows_same(later, first));
  CHECK_FALSE(shows_same(first, {noon + 10s, {60s, 60s}, only(1)}));
  CHECK_FALSE(shows_same(first, {noon, {60s, 60s}, 0}));
  CHECK_FALSE(shows_same(first, {noon, {60s, 60s}, only(0)}));
  CHECK_FALSE(shows_same(first, {}));
  CHECK(shows_same({}, {}));
}
