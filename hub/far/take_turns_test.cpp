#include "hub/far/take_turns.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::far;

namespace {

place seat(std::uint64_t game) { return {{game}, 0}; }

}  // namespace

TEST_CASE("take turns: a bounded number of seats asks a hub at once, urgent ones first") {
  take_turns turns;
  std::uint64_t game = 0;
  for (std::size_t i = 0; i < take_turns::at_once_max; ++i) {
    ++game;
    CHECK(turns.ask({1}, seat(game), false) == std::vector{seat(game)});
  }
  CHECK(turns.ask({1}, seat(1'001), false).empty());
  CHECK(turns.ask({1}, seat(1'002), true).empty());
  CHECK(turns.ask({2}, seat(1'003), false) == std::vector{seat(1'003)});
  CHECK(turns.waiting() == 2);
  CHECK(turns.done(seat(7)) == std::vector{seat(1'002)});
  CHECK(turns.done(seat(7)).empty());
  CHECK(turns.done(seat(8)) == std::vector{seat(1'001)});
  CHECK(turns.waiting() == 0);
}

TEST_CASE("take turns: a seat that turns to another hub waits at one only") {
  take_turns turns;
  for (std::size_t i = 1; i <= take_turns::at_once_max; ++i) turns.ask({1}, seat(i), false);
  CHECK(turns.ask({1}, seat(900), true).empty());
  CHECK(turns.ask({2}, seat(900), true) == std::vector{seat(900)});
  CHECK(turns.done(seat(1)).empty());
  CHECK(turns.ask({2}, seat(2), false) == std::vector{seat(2)});
  CHECK(turns.ask({1}, seat(901), false) == std::vector{seat(901)});
}
