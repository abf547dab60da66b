// For players of other hubs: who would be seated with a seek.
#include "actors/lobby/matchmaker.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using namespace gamehub::actors::lobby;

namespace {

constexpr player_id ann{1}, bob{2};
constexpr base::instant now{1h};

open_seek a_seek(player_id who, std::vector<std::uint16_t> engines = {0}) {
  open_seek s;
  s.player = who;
  for (const auto each : engines) s.queues.push_back({each, {}});
  return s;
}

}  // namespace

TEST_CASE("matchmaker: finds the player that waits for such a seek, and changes nothing") {
  matchmaker m{{2, 2}};
  CHECK_FALSE(m.find_opponent(a_seek({})));
  REQUIRE(m.place(a_seek(ann, {1}), now).index() == 0);
  CHECK_FALSE(m.find_opponent(a_seek({}, {0})));
  for (int i = 0; i < 2; ++i) {
    const auto found = m.find_opponent(a_seek({}, {0, 1}));
    REQUIRE(found);
    CHECK((found->who == ann && found->gathered == 0));
  }
  CHECK((m.waits(ann) && !m.waits(bob)));
  CHECK(m.waiting(1) == 1);
  // It is the one that place() seats.
  const auto seated = m.place(a_seek(bob, {1}), now);
  CHECK(std::get<placement>(seated).tables.size() == 1);
  CHECK_FALSE(m.find_opponent(a_seek({}, {1})));
}

TEST_CASE("matchmaker: finds no player whose seat or name does not fit, and none without room") {
  matchmaker m{{2}};
  auto first = a_seek(ann);
  first.seat = 0;
  first.name = "ann";
  REQUIRE(m.place(first, now).index() == 0);
  auto other = a_seek({});
  other.seat = 0;
  CHECK_FALSE(m.find_opponent(other));
  other.seat = 1;
  CHECK(m.find_opponent(other));
  other.opponent = "bob";
  CHECK_FALSE(m.find_opponent(other));
  other.opponent = "ann";
  CHECK(m.find_opponent(other));
  m.set_room(0);
  CHECK_FALSE(m.find_opponent(other));
}

TEST_CASE("matchmaker: finds a player that asks for that name, and one that plays by name") {
  matchmaker m{{2}};
  auto wants = a_seek(ann);
  wants.opponent = "bob";
  REQUIRE(m.place(wants, now).index() == 0);
  auto other = a_seek({});
  CHECK_FALSE(m.find_opponent(other));
  other.name = "bob";
  REQUIRE(m.find_opponent(other));
  CHECK(m.find_opponent(other)->who == ann);
  auto named = a_seek(bob);
  named.again = named.only_by_name = true;
  named.name = "walter";
  REQUIRE(m.place(named, now).index() == 0);
  auto challenger = a_seek({});
  challenger.opponent = "walter";
  REQUIRE(m.find_opponent(challenger));
  CHECK(m.find_opponent(challenger)->who == bob);
}

TEST_CASE("matchmaker: says how many wait for a game of three") {
  matchmaker m{{3}};
  REQUIRE(m.place(a_seek(ann), now).index() == 0);
  CHECK(m.gathered(ann) == 1);
  REQUIRE(m.find_opponent(a_seek({})));
  CHECK(m.find_opponent(a_seek({}))->gathered == 1);
  REQUIRE(m.place(a_seek(bob), now).index() == 0);
  CHECK((m.gathered(bob) == 2 && m.gathered({9}) == 0));
  CHECK(m.find_opponent(a_seek({}))->gathered == 2);
  CHECK(m.find_opponent(a_seek({}))->group == std::vector{ann, bob});
  CHECK((m.group_of(ann) == std::vector{ann, bob} && m.group_of({9}).empty()));
}
