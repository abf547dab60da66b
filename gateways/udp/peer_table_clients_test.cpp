// Simulated clients with the habits of real ones finish their games, on a good network and on a bad
// one.
#include "gateways/udp/peer_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/udp_world.hpp"

#include <chrono>
#include <string>

using namespace gamehub;
using namespace std::chrono_literals;
using tests::udp_evening;
using tests::udp_world;

namespace {

constexpr std::uint64_t games = 300;

struct tally {
  std::uint64_t won = 0, drawn = 0, lost = 0;
};

// Plays with these habits, with both openings unless they say which.
tally play_all(udp_evening e, bool both_openings = true) {
  tally out;
  for (const bool bad : {false, true}) {
    if (bad) e.faults.drop = 0.3, e.faults.duplicate = 0.1, e.faults.reorder = 0.2;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
      if (both_openings) e.habits.hub_first = seed % 2 == 0;
      e.proves_at_once = seed % 4 < 2;
      udp_world world{e, seed};
      INFO("seed " << seed << (bad ? " over a bad network" : ""));
      REQUIRE(world.play() == "");
      out.won += world.client().result() == 'C' ? 1u : 0u;
      out.drawn += world.client().result() == 'D' ? 1u : 0u;
      out.lost += world.client().result() == 'S' ? 1u : 0u;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("udp peers: simple clients win, draw and lose") {
  const auto t = play_all({});
  CHECK(t.won > games / 4);
  CHECK(t.drawn > games / 20);
  CHECK(t.lost > games / 4);
}

TEST_CASE("udp peers: a client may ignore a byte equal to the one before") {
  udp_evening e;
  e.habits.ignores_repeats = true;
  play_all(e);
}

TEST_CASE("udp peers: a client may accept only B after B") {
  udp_evening e;
  e.habits.hub_first = e.habits.strict_opening = true;
  play_all(e, false);
}

TEST_CASE("udp peers: a client may repeat B if its E was lost") {
  udp_evening e;
  e.habits.hub_first = e.habits.opens_again = true;
  SECTION("and take the move") {}
  SECTION("and take only B") { e.habits.strict_opening = true; }
  SECTION("and ignore repeats") { e.habits.ignores_repeats = true; }
  play_all(e, false);
}

TEST_CASE("udp peers: a client may answer D with its last byte and leave") {
  udp_evening e;
  e.habits.leaves_after_draw = true;
  CHECK(play_all(e).drawn > 0);
}

TEST_CASE("udp peers: a client may wait for Q, or not") {
  udp_evening e;
  SECTION("it waits") { e.habits.waits_for_quit = true; }
  SECTION("it does not") {}
  play_all(e);
}

TEST_CASE("udp peers: a client that resigns repeats Q each second") {
  udp_evening e;
  e.habits.resigns_at = 0;
  SECTION("at once") {}
  SECTION("after a move") { e.habits.resigns_at = 1; }
  const auto t = play_all(e);
  CHECK(t.lost == 2 * games);
}

TEST_CASE("udp peers: a client may think for a minute") {
  udp_evening e;
  e.habits.thinks_max = 60s;
  e.opponent.turn_max = 120s;
  play_all(e);
}

TEST_CASE("udp peers: a client may change its mind before it commits a move") {
  udp_evening e;
  e.habits.changes_its_mind = 0.5;
  e.faults.drop = 0.3;
  for (std::uint64_t seed = 1; seed <= games; ++seed) {
    e.proves_at_once = seed % 4 < 2;
    udp_world world{e, seed};
    INFO("seed " << seed);
    REQUIRE(world.play() == "");
  }
}

TEST_CASE("udp peers: an opponent may be late, slow, or leave") {
  udp_evening e;
  e.against_players = true;
  SECTION("late") { e.opponent.comes_after = 120s; }
  SECTION("slow") { e.opponent.thinks_max = 60s; }
  SECTION("gone") { e.opponent.leaves_at = 1; }
  play_all(e);
}

TEST_CASE("udp peers: a client that was offline learns of its turn timeout") {
  udp_evening e;
  e.habits.falls_silent_at = 1;
  e.habits.silent_for = 400s;
  e.opponent.turn_max = 120s;
  CHECK(play_all(e).lost > games);
}
