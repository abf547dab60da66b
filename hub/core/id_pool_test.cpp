#include "hub/core/id_pool.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace gamehub {
namespace {

TEST_CASE("id_pool: counts from a number on") {
  id_pool all{7};
  CHECK(all.next() == 7);
  CHECK(all.next() == 8);
  CHECK_FALSE(all.is_short());
}

TEST_CASE("id_pool: claims the next block once, before the ids are used up") {
  int claims = 0;
  id_pool ids{100, [&] { ++claims; }};
  CHECK(ids.is_short());
  CHECK(ids.next() == 0);
  CHECK(claims == 1);
  ids.add({1, 100});
  for (std::uint64_t id = 1; id <= 37; ++id) REQUIRE(ids.next() == id);
  CHECK(claims == 2);
  CHECK(ids.is_short());
  ids.claim_failed();
  CHECK(ids.next() == 38);
  CHECK(claims == 3);
  ids.add({901, 100});
  CHECK_FALSE(ids.is_short());
  CHECK(claims == 3);
  for (std::uint64_t id = 39; id <= 100; ++id) REQUIRE(ids.next() == id);
  CHECK(ids.next() == 901);
}

TEST_CASE("id_pool: a claim that yields nothing is repeated") {
  int claims = 0;
  id_pool ids{100, [&] { ++claims; }};
  CHECK(ids.next() == 0);
  ids.add({});
  CHECK(ids.next() == 0);
  CHECK(claims == 2);
}

TEST_CASE("id_pool: threads get different ids") {
  id_pool ids{1};
  std::vector<std::vector<std::uint64_t>> got(4);
  std::vector<std::thread> threads;
  for (auto& each : got)
    threads.emplace_back([&ids, &each] {
      for (int i = 0; i < 1'000; ++i) each.push_back(ids.next());
    });
  for (auto& t : threads) t.join();
  std::vector<std::uint64_t> all;
  for (const auto& each : got) all.insert(all.end(), each.begin(), each.end());
  std::sort(all.begin(), all.end());
  for (std::uint64_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == i + 1);
}

}  // namespace
}  // namespace gamehub
