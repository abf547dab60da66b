#include "hub/base/token_bucket.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::base;
using namespace std::chrono_literals;

namespace {

constexpr request_rate slow{100ms, 5};
const instant start{1h};

}  // namespace

TEST_CASE("http token bucket: gives its burst at once, then one at a time") {
  token_bucket b;
  for (int i = 0; i < 5; ++i) CHECK(!b.take(slow, start));
  CHECK(b.take(slow, start) == duration{100ms});
  CHECK(b.take(slow, start + 99ms) == duration{1ms});
  CHECK(!b.take(slow, start + 100ms));
  CHECK(b.take(slow, start + 100ms) == duration{100ms});
}

TEST_CASE("token bucket: a refused request takes no token") {
  token_bucket b;
  for (int i = 0; i < 5; ++i) b.take(slow, start);
  for (int i = 0; i < 1'000; ++i) CHECK(b.take(slow, start));
  CHECK(!b.take(slow, start + 100ms));
}

TEST_CASE("http token bucket: is full after a rest, and never fuller") {
  token_bucket b;
  for (int i = 0; i < 5; ++i) b.take(slow, start);
  CHECK(b.full_at() == start + 500ms);
  for (int i = 0; i < 5; ++i) CHECK(!b.take(slow, start + 1h));
  CHECK(b.take(slow, start + 1h));
}

TEST_CASE("http token bucket: over any time no client gets more than burst and rate") {
  seeded_entropy dice{1};
  token_bucket b;
  int taken = 0;
  duration passed{};
  while (passed < 100s) {
    if (!b.take(slow, start + passed)) ++taken;
    passed += std::chrono::milliseconds{dice.below(60)};
  }
  CHECK(taken <= 5 + 1'000);
  CHECK(taken >= 1'000 - 5);
}

TEST_CASE("http token bucket: the wait it tells is the shortest that helps") {
  seeded_entropy dice{2};
  token_bucket b;
  auto now = start;
  for (int i = 0; i < 10'000; ++i) {
    auto early = b;
    if (const auto wait = b.take(slow, now)) {
      REQUIRE(early.take(slow, now + *wait - 1ns));
      REQUIRE(!early.take(slow, now + *wait));
    }
    now += std::chrono::milliseconds{dice.below(150)};
  }
}

TEST_CASE("http bucket table: keys do not share") {
  bucket_table table{slow, 64};
  for (std::uint64_t key = 1; key <= 8; ++key)
    for (int i = 0; i < 5; ++i) CHECK(!table.take(key << 40, start));
  for (std::uint64_t key = 1; key <= 8; ++key) CHECK(table.take(key << 40, start));
}

TEST_CASE("token bucket: says how long it is empty without taking a token") {
  bucket_table table{slow, 64};
  const std::uint64_t key = 7 << 20;
  for (int i = 0; i < 100; ++i) CHECK(!table.wait(key, start));
  for (int i = 0; i < 5; ++i) {
    CHECK(!table.wait(key, start));
    CHECK(!table.take(key, start));
  }
  CHECK(table.wait(key, start) == duration{100ms});
  CHECK(table.wait(key, start + 99ms) == duration{1ms});
  CHECK(!table.wait(key, start + 100ms));
  CHECK(!table.wait(key << 1, start));
}

TEST_CASE("http bucket table: a flood of others gives no client a new bucket") {
  bucket_table table{slow, 1'024};
  seeded_entropy dice{3};
  const auto greedy = dice.next();
  for (int i = 0; i < 5; ++i) table.take(greedy, start);
  for (int i = 0; i < 1'000'000; ++i) {
    table.take(dice.next(), start);
    if (i % 1'000 == 0) REQUIRE(table.take(greedy, start));
  }
  CHECK(!table.take(greedy, start + 100ms));
}

TEST_CASE("http bucket table: newcomers are served while it is full") {
  bucket_table table{slow, 64};
  seeded_entropy dice{4};
  for (int i = 0; i < 10'000; ++i) table.take(dice.next(), start);
  for (int i = 0; i < 1'000; ++i) CHECK(!table.take(dice.next(), start));
}

TEST_CASE("http token bucket: Retry-After is whole seconds, enough and not none") {
  CHECK(retry_after(1ns) == 1s);
  CHECK(retry_after(1s) == 1s);
  CHECK(retry_after(1001ms) == 2s);
  CHECK(retry_after(0s) == 1s);
}
