#include "hub/core/ranks.hpp"

#include "tests/support/catch.hpp"

namespace gamehub {

TEST_CASE("ranks: equal scores share a place, and forfeited seats the last one") {
  outcome how{end_reason::rules, 1, {0.25, 0.5, -1, 0.25, -1}};
  CHECK(ranks_of(how) == std::vector<int>{2, 1, 4, 2, 4});
  how.forfeits = only(1) | only(4);
  CHECK(ranks_of(how) == std::vector<int>{1, 4, 3, 1, 4});
  how.reason = end_reason::clock;
  CHECK(ranks_of(how).size() == 5);
}

TEST_CASE("ranks: a game without a result has none") {
  for (const auto why :
       {end_reason::drained, end_reason::operator_, end_reason::failed, end_reason::interrupted})
    CHECK(ranks_of({why, {}, {0, 0, 0}}).empty());
  CHECK(ranks_of({end_reason::left, {}, {}}).empty());
}

}  // namespace gamehub
