#include "gateways/http/guests.hpp"

#include <algorithm>
#include <set>

#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::http;

TEST_CASE("http guests: are named apart from each other and from the players") {
  // Draws the same number twice, and one that a player has.
  class dice_of_three final : public random_source {
   public:
    std::uint64_t next() override { return drawn_[at_++ % 4]; }

   private:
    std::array<std::uint64_t, 4> drawn_{234, 234, 235, 236};
    std::size_t at_ = 0;
  } dice;
  const std::vector<std::string> players{"Guest1235"};
  guests of_game;
  CHECK(of_game.enter(dice, players) == "Guest1234");
  CHECK(of_game.enter(dice, players) == "Guest1236");
  CHECK(of_game.names() == std::vector<std::string>{"Guest1234", "Guest1236"});
}

TEST_CASE("http guests: as many are listed as may be, and a place is free again") {
  seeded_entropy dice{1};
  guests of_game;
  std::set<std::string> names;
  for (std::size_t i = 0; i < limits::http_guests_listed_max; ++i) {
    const auto name = of_game.enter(dice, {});
    REQUIRE(name);
    CHECK(name->size() == 9);
    names.insert(*name);
  }
  CHECK(names.size() == limits::http_guests_listed_max);
  CHECK(!of_game.enter(dice, {}));
  CHECK(of_game.leave(*names.begin()));
  CHECK(!of_game.leave(*names.begin()));
  CHECK(of_game.enter(dice, {}));
  CHECK(!of_game.leave("stan"));
}

TEST_CASE("http guests: can be switched off") {
  seeded_entropy dice{1};
  guests none{0};
  CHECK(!none.enter(dice, {}));
  CHECK(none.names().empty());
}
