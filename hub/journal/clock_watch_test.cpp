#include "hub/journal/clock_watch.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::journal {
namespace {

using namespace std::chrono_literals;

constexpr base::wall_time noon{std::chrono::days{20'000}};

// Both clocks, which a test moves.
struct clocks {
  base::wall_time wall = noon;
  base::instant steady{1h};
  clock_watch watch{noon};

  std::optional<std::chrono::milliseconds> after(std::chrono::milliseconds passed,
                                                 std::chrono::milliseconds jump = {}) {
    wall += passed + jump;
    steady += passed;
    return watch.check(wall, steady);
  }
};

TEST_CASE("clock_watch: trusts a wall clock that goes as the steady clock does") {
  clocks c;
  for (int i = 0; i < 100; ++i) CHECK_FALSE(c.after(1h, i % 2 == 0 ? 500ms : -500ms));
  CHECK(c.watch.trusted());
}

TEST_CASE("clock_watch: reports a jump in either direction once, and trusts again a day later") {
  for (const std::chrono::milliseconds jump : {std::chrono::milliseconds{40 * 24h}, -61'000ms}) {
    clocks c;
    REQUIRE_FALSE(c.after(1s));
    CHECK(c.after(1s, jump) == jump);
    CHECK_FALSE(c.watch.trusted());
    CHECK_FALSE(c.after(23h));
    CHECK_FALSE(c.watch.trusted());
    CHECK_FALSE(c.after(1h));
    CHECK(c.watch.trusted());
  }
}

TEST_CASE("clock_watch: the way back is a jump, too") {
  clocks c;
  REQUIRE_FALSE(c.after(1s));
  REQUIRE(c.after(1s, 40 * 24h));
  CHECK(c.after(3s, -40 * 24h) == -std::chrono::milliseconds{40 * 24h});
  CHECK_FALSE(c.watch.trusted());
}

TEST_CASE("clock_watch: a start long after the latest record is a jump, a short pause is not") {
  clocks late, soon, early;
  CHECK(late.after(0s, 25h) == 25h);
  CHECK_FALSE(late.watch.trusted());
  CHECK_FALSE(soon.after(0s, 23h));
  CHECK(soon.watch.trusted());
  CHECK(early.after(0s, -2min) == -2min);
  // A new journal has no record.
  clock_watch fresh{base::wall_time{}};
  CHECK_FALSE(fresh.check(noon, base::instant{1h}));
}

}  // namespace
}  // namespace gamehub::journal
