#include "hub/base/timers.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <map>
#include <random>

using namespace std::chrono_literals;
using gamehub::base::instant;
using gamehub::base::timers;

namespace {

const instant timers_start{1h};

}  // namespace

TEST_CASE("timers: fire at their deadline and not before") {
  timers t{timers_start};
  int fired = 0;
  t.arm(timers_start + 10ms, [&] { ++fired; });
  t.advance(timers_start + 9ms);
  CHECK(fired == 0);
  t.advance(timers_start + 10ms);
  CHECK(fired == 1);
  t.advance(timers_start + 1h);
  CHECK(fired == 1);
  CHECK(t.pending() == 0);
}

TEST_CASE("timers: a fraction of a step is rounded up") {
  timers t{timers_start};
  int fired = 0;
  t.arm(timers_start + 10ms + 1ns, [&] { ++fired; });
  t.advance(timers_start + 10ms);
  CHECK(fired == 0);
  t.advance(timers_start + 11ms);
  CHECK(fired == 1);
}

TEST_CASE("timers: a cancelled one never fires, and its token names nothing afterwards") {
  timers t{timers_start};
  bool fired = false;
  const auto token = t.arm(timers_start + 5ms, [&] { fired = true; });
  CHECK(t.cancel(token));
  CHECK_FALSE(t.cancel(token));
  const auto next = t.arm(timers_start + 5ms, [] {});
  CHECK(next.slot == token.slot);
  CHECK_FALSE(t.cancel(token));
  t.advance(timers_start + 1s);
  CHECK_FALSE(fired);
}

TEST_CASE("timers: one armed for the past fires in the next advance, not at once") {
  timers t{timers_start};
  int fired = 0;
  t.arm(timers_start - 1h, [&] {
    ++fired;
    t.arm(timers_start - 1h, [&] { ++fired; });
  });
  CHECK(fired == 0);
  t.advance(timers_start + 1ms);
  CHECK(fired == 1);
  t.advance(timers_start + 2ms);
  CHECK(fired == 2);
}

TEST_CASE("timers: next() is never later than the first deadline") {
  timers t{timers_start};
  CHECK_FALSE(t.next().has_value());
  t.arm(timers_start + 90s, [] {});
  REQUIRE(t.next().has_value());
  CHECK(*t.next() <= timers_start + 90s);
  CHECK(*t.next() > timers_start);
}

TEST_CASE("timers: deadlines beyond the last level still come true") {
  timers t{timers_start};
  int fired = 0;
  const auto when = timers_start + 24h * 60;
  t.arm(when, [&] { ++fired; });
  t.advance(when - 1ms);
  CHECK(fired == 0);
  t.advance(when);
  CHECK(fired == 1);
}

TEST_CASE("timers: behave like a sorted map over random histories") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  timers t{timers_start};
  auto now = timers_start;
  std::map<int, instant> expected;
  std::map<int, timers::token> tokens;
  std::vector<int> fired;
  for (int i = 0; i < 20'000; ++i) {
    const auto dice = random() % 10;
    if (dice < 5) {
      const auto scale = std::uint64_t{1} << (random() % 26);
      const auto when = now + std::chrono::milliseconds{1 + random() % scale};
      expected[i] = when;
      tokens[i] = t.arm(when, [&fired, i] { fired.push_back(i); });
    } else if (dice < 7 && !tokens.empty()) {
      auto at = tokens.begin();
      std::advance(
          at, static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(tokens.size(), 50)));
      CHECK(t.cancel(at->second));
      expected.erase(at->first);
      tokens.erase(at);
    } else {
      if (const auto next = t.next()) {
        const auto first =
            std::min_element(expected.begin(), expected.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        CHECK(*next <= first->second);
      }
      now += std::chrono::milliseconds{random() % (std::uint64_t{1} << (random() % 22))};
      fired.clear();
      t.advance(now);
      for (std::size_t k = 1; k < fired.size(); ++k)
        CHECK(expected[fired[k - 1]] <= expected[fired[k]]);
      for (const auto f : fired) {
        CHECK(expected.at(f) <= now);
        expected.erase(f);
        tokens.erase(f);
      }
      for (const auto& [which, when] : expected) REQUIRE(when > now);
    }
    REQUIRE(t.pending() == expected.size());
  }
}
