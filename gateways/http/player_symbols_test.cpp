#include "gateways/http/player_symbols.hpp"

#include "tests/support/catch.hpp"

#include <set>
#include <string>

namespace gamehub::gateways::http {
namespace {

TEST_CASE("player_symbols: each seat of the largest game has another symbol") {
  CHECK(mark_of(0).text() == "X");
  CHECK(mark_of(1).text() == "O");
  CHECK(mark_of(2).text() == "3");
  CHECK(mark_of(8).text() == "9");
  CHECK(mark_of(9).text() == "10");
  CHECK(mark_of(61).text() == "62");
  std::set<std::string> all;
  for (seat_index seat = 0; seat < 62; ++seat) all.emplace(mark_of(seat).text());
  CHECK(all.size() == 62);
}

TEST_CASE("player_symbols: clients ask for a seat by its symbol") {
  for (seat_index seat = 0; seat < seats_max; ++seat) CHECK(seat_of(mark_of(seat).text()) == seat);
  for (const auto* other : {"", "0", "1", "2", "03", "63", "XO", "G", "D"})
    CHECK_FALSE(seat_of(other));
}

TEST_CASE("player_symbols: a set of one seat has that seat, whichever it is") {
  CHECK(only_seat(only(0)) == 0);
  CHECK(only_seat(only(7)) == 7);
  CHECK_FALSE(only_seat(0));
  CHECK_FALSE(only_seat(only(0) | only(7)));
}

}  // namespace
}  // namespace gamehub::gateways::http
