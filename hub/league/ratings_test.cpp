#include "hub/league/ratings.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;

constexpr std::array ann_and_bob{bot_id{1}, bot_id{2}};

TEST_CASE("ratings: a game counts for both, of its engine alone") {
  rating_book book;
  book.add("nim", ann_and_bob, 0, base::wall_time{1h});
  book.add("nim", ann_and_bob, {}, base::wall_time{2h});
  book.add("nim", ann_and_bob, 1, base::wall_time{3h});
  book.add("nim", ann_and_bob, 0, base::wall_time{4h});
  const auto best = book.best("nim");
  REQUIRE(best.size() == 2);
  CHECK(best[0].who == bot_id{1});
  CHECK(best[0].games == 4);
  CHECK(best[0].wins == 2);
  CHECK(best[0].draws == 1);
  CHECK(best[0].losses == 1);
  CHECK(best[0].now.rating > 1'500);
  CHECK(best[1].now.rating < 1'500);
  CHECK(best[1].wins == 1);
  CHECK(book.best("chess").empty());
}

TEST_CASE("ratings: both are rated by what the other was before the game") {
  rating_book book;
  const auto after = book.add("nim", ann_and_bob, 0, base::wall_time{1h});
  CHECK(after[0].now.rating - 1'500 == Approx(1'500 - after[1].now.rating));
  CHECK(after[0].now.deviation == Approx(after[1].now.deviation));
}

TEST_CASE("ratings: games make a rating sure, and time takes that away") {
  rating_book book;
  for (int n = 0; n < 100; ++n) book.add("nim", ann_and_bob, n % 2, base::wall_time{1h});
  const auto sure = book.best("nim")[0].now.deviation;
  CHECK(sure < 60);
  const auto soon = book.add("nim", ann_and_bob, {}, base::wall_time{1h})[0].now.deviation;
  CHECK(soon < sure);
  CHECK(book.add("nim", ann_and_bob, {}, base::wall_time{24h * 365})[0].now.deviation > soon + 10);
}

TEST_CASE("ratings: stored ratings continue after a restart") {
  rating_book book, later;
  book.add("nim", ann_and_bob, 0, base::wall_time{1h});
  later.load(book.all());
  const auto one = book.add("nim", ann_and_bob, 1, base::wall_time{9h});
  const auto other = later.add("nim", ann_and_bob, 1, base::wall_time{9h});
  CHECK(one[0].now.rating == other[0].now.rating);
  CHECK(one[1].now.deviation == other[1].now.deviation);
  CHECK(one[1].games == other[1].games);
}

}  // namespace
}  // namespace gamehub::league
