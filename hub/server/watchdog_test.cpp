#include "hub/server/watchdog.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::server {
namespace {

using namespace std::chrono_literals;

struct kennel {
  watchdog dog{1s};
  watchdog::instant now{1h};

  std::vector<watchdog::stall> after(watchdog::duration time, std::vector<watchdog::sample> loops) {
    now += time;
    return dog.check(loops, now);
  }
};

TEST_CASE("watchdog: reports no loop that makes progress") {
  kennel k;
  for (std::int64_t call = 0; call < 10; ++call) CHECK(k.after(2s, {{call, 1}, {call, 0}}).empty());
  // One that is in no engine may be so for ever.
  CHECK(k.after(1h, {{10, 0}, {9, 0}}).empty());
  CHECK(k.after(1h, {{10, 0}, {9, 0}}).empty());
  CHECK(k.dog.longest() == 0s);
}

TEST_CASE("watchdog: reports a long call once, and once more at its end") {
  kennel k;
  CHECK(k.after(0s, {{5, 0}, {7, 3}}).empty());
  CHECK(k.after(999ms, {{6, 0}, {7, 3}}).empty());
  CHECK(k.dog.longest() == 999ms);
  auto found = k.after(1ms, {{6, 0}, {7, 3}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].loop == 1);
  CHECK(found[0].engine == 2);
  CHECK(found[0].lasted == 1s);
  CHECK_FALSE(found[0].over);
  CHECK(k.after(5s, {{6, 0}, {7, 3}}).empty());
  CHECK(k.dog.longest() == 6s);
  found = k.after(1s, {{6, 0}, {8, 1}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].engine == 2);
  CHECK(found[0].lasted == 7s);
  CHECK(found[0].over);
  CHECK(k.dog.longest() == 0s);
}

TEST_CASE("watchdog: the next call of the same engine is another one") {
  kennel k;
  CHECK(k.after(0s, {{7, 3}}).empty());
  CHECK(k.after(900ms, {{8, 3}}).empty());
  CHECK(k.after(900ms, {{8, 3}}).empty());
  CHECK(k.after(100ms, {{8, 3}}).size() == 1);
}

}  // namespace
}  // namespace gamehub::server
