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

TEST_CASE("http guests: who comes and goes all the time is listed once in a second") {
  using namespace std::chrono_literals;
  base::seeded_entropy random{1};
  anonymous_registry guests{limits::http_guests_listed_max, random};
  const game_id game{7};
  base::instant now{1h};
  const auto comes_and_goes = [&](game_id to) {
    const auto name = guests.add(to, random, {}, now);
    if (name) guests.remove(to, *name);
    return name.has_value();
  };
  int listed = 0;
  for (int i = 0; i < 200; ++i) listed += comes_and_goes(game) ? 1 : 0;
  CHECK(listed == static_cast<int>(limits::http_guests_listed_max));
  // Another game has its own guests.
  CHECK(comes_and_goes({8}));
  now += limits::http_guest_listed_each;
  CHECK(comes_and_goes(game));
  CHECK(!comes_and_goes(game));
}

TEST_CASE("http guests: all places of a game can be taken at once") {
  base::seeded_entropy random{1};
  const std::size_t places = 2 * limits::http_guests_listed_max;
  anonymous_registry guests{places, random};
  const base::instant now{std::chrono::hours{1}};
  for (std::size_t i = 0; i < places; ++i) CHECK(guests.add({7}, random, {}, now));
  CHECK(!guests.add({7}, random, {}, now));
}
