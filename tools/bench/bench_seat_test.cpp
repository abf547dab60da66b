#include "tools/bench/bench_seat.hpp"

#include "tests/support/catch.hpp"

#include <set>
#include <vector>

namespace gamehub::tools::bench {
namespace {

TEST_CASE("openings: each cell but the common one belongs to one seat at a time") {
  openings all;
  std::vector<bench_seat> seats(10);
  std::set<int> cells;
  for (std::size_t i = 0; i < 8; ++i) cells.insert(all.choose(seats[i]));
  CHECK(cells.size() == 8);
  CHECK_FALSE(cells.contains(move_script::common_opening));
  CHECK(all.choose(seats[8]) == move_script::common_opening);
  CHECK_FALSE(seats[8].opening);
  const auto cell = *seats[3].opening;
  all.release(seats[3]);
  CHECK(all.choose(seats[9]) == cell);
}

TEST_CASE("openings: the maker of a first move is found until it is released") {
  openings all;
  bench_seat s;
  const auto first = board{}.with(all.choose(s));
  CHECK(all.find_owner(first) == nullptr);
  s.awaited = first;
  CHECK(all.find_owner(first) == &s);
  CHECK(all.find_owner(board{}.with(move_script::common_opening)) == nullptr);
  all.release(s);
  CHECK(all.find_owner(first) == nullptr);
}

TEST_CASE("seats: a seat that leaves its opponent leaves what that one awaits") {
  bench_seat one, other;
  join(one, other);
  other.awaited = board{}.with(4);
  part(one);
  CHECK(one.opponent == nullptr);
  CHECK(other.opponent == nullptr);
  CHECK(other.awaited == board{}.with(4));
  part(other);
}

}  // namespace
}  // namespace gamehub::tools::bench
