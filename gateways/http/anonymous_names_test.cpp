#include "gateways/http/anonymous_names.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <set>

using namespace gamehub;
using namespace gamehub::gateways::http;

TEST_CASE("http guests: have unique names") {
  // Draws the same number twice, and one that a player has.
  class three_numbers final : public base::random_source {
   public:
    std::uint64_t next() override { return drawn_[at_++ % 4]; }

   private:
    std::array<std::uint64_t, 4> drawn_{234, 234, 235, 236};
    std::size_t at_ = 0;
  } random;
  const std::vector<std::string> players{"Guest1235"};
  anonymous_names of_game;
  CHECK(of_game.add(random, players) == "Guest1234");
  CHECK(of_game.add(random, players) == "Guest1236");
  CHECK(of_game.names() == std::vector<std::string>{"Guest1234", "Guest1236"});
}

TEST_CASE("http guests: the list has a limit, and a removed name makes room") {
  base::seeded_entropy random{1};
  anonymous_names of_game;
  std::set<std::string> names;
  for (std::size_t i = 0; i < limits::http_guests_listed_max; ++i) {
    const auto name = of_game.add(random, {});
    REQUIRE(name);
    CHECK(name->size() == 9);
    names.insert(*name);
  }
  CHECK(names.size() == limits::http_guests_listed_max);
  CHECK(!of_game.add(random, {}));
  CHECK(of_game.remove(*names.begin()));
  CHECK(!of_game.remove(*names.begin()));
  CHECK(of_game.add(random, {}));
  CHECK(!of_game.remove("stan"));
}

TEST_CASE("http guests: can be switched off") {
  base::seeded_entropy random{1};
  anonymous_names none{0};
  CHECK(!none.add(random, {}));
  CHECK(none.names().empty());
}
