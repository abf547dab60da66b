// Plays games from many seeds over a bad network. A failure reports its seed; GAMEHUB_SEED=<seed>
// repeats that game, GAMEHUB_GAMES=<number> sets the number of games.
#include "gateways/udp/peer_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/udp_world.hpp"

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

using namespace gamehub;
using namespace std::chrono_literals;
using tests::udp_evening;
using tests::udp_world;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Returns the clients and the network of this seed.
udp_evening run_of(std::uint64_t seed) {
  base::seeded_entropy random{seed * 4};
  udp_evening e;
  e.faults.drop = 0.3;
  e.faults.duplicate = 0.1;
  e.faults.reorder = 0.2;
  e.habits.hub_first = seed % 2 == 0;
  e.habits.ignores_repeats = random.below(3) == 0;
  e.habits.strict_opening = random.below(3) == 0;
  e.habits.opens_again = random.below(3) == 0;
  e.habits.leaves_after_draw = random.below(3) == 0;
  e.habits.waits_for_quit = random.below(3) == 0;
  e.habits.tries_bad_moves = random.below(3) == 0 ? 0.3 : 0;
  if (random.below(4) == 0) e.habits.thinks_max = 60s;
  if (random.below(4) == 0) e.opponent.thinks_max = 5s;
  if (random.below(8) == 0) e.opponent.comes_after = 20s;
  e.against_players = random.below(4) == 0;
  // Such a client says nothing but B once its first E is lost, which seeks no opponent.
  if (e.against_players && e.habits.opens_again) e.habits.ignores_repeats = false;
  e.proves_at_once = seed % 4 < 2;
  const auto at = static_cast<int>(random.below(4));
  switch (random.below(10)) {
    case 0: e.habits.resigns_at = at; break;
    case 1: e.opponent.leaves_at = at; break;
    case 2:
      e.habits.falls_silent_at = at;
      e.habits.silent_for = 150s;
      e.opponent.turn_max = 120s;
      break;
    default: break;
  }
  return e;
}

}  // namespace

TEST_CASE("udp peers: every game over a bad network ends, and both sides know how") {
  const auto seed = from_environment("GAMEHUB_SEED", 0);
  const auto first = seed != 0 ? seed : 1;
  const auto count = seed != 0 ? 1 : from_environment("GAMEHUB_GAMES", 10'000);
  std::map<std::string, std::uint64_t> ends;
  tools::udp_lab::relay::tally network;
  for (auto s = first; s < first + count; ++s) {
    const auto run = run_of(s);
    udp_world world{run, s};
    INFO("GAMEHUB_SEED=" << s);
    const auto wrong = world.play();
    CHECK(wrong == "");
    if (!wrong.empty()) return;
    const auto opening = run.habits.hub_first ? "B " : "A ";
    if (world.referee().sought())
      ++ends[opening + std::string(1, world.referee().result()) +
             (world.referee().by_rules() ? " by the rules" : " off the board")];
    network.taken += world.relay().counts().taken;
    network.dropped += world.relay().counts().dropped;
    network.doubled += world.relay().counts().doubled;
    network.reordered += world.relay().counts().reordered;
  }
  if (seed != 0) return;
  // An run on which nothing happens proves nothing.
  for (const std::string opening : {"A ", "B "})
    for (const std::string end : {"C by the rules", "D by the rules", "S by the rules",
                                  "C off the board", "S off the board"}) {
      INFO(opening << end);
      CHECK(ends[opening + end] > count / 200);
    }
  const auto share = [&](std::uint64_t of) {
    return static_cast<double>(of) / static_cast<double>(network.taken);
  };
  CHECK(share(network.dropped) == Approx(0.3).margin(0.01));
  CHECK(share(network.doubled) == Approx(0.07).margin(0.01));
  CHECK(share(network.reordered) == Approx(0.14).margin(0.01));
}

TEST_CASE("udp peers: clients that take any digit for their confirmation get to the end") {
  std::uint64_t by_rules = 0;
  constexpr std::uint64_t count = 1'000;
  for (std::uint64_t s = 1; s <= count; ++s) {
    udp_evening e;
    e.faults.drop = 0.1, e.faults.duplicate = 0.3, e.faults.reorder = 0.3;
    e.habits.any_digit_confirms = true;
    e.habits.hub_first = s % 2 == 0;
    e.against_players = s % 3 == 0;
    e.proves_at_once = s % 4 < 2;
    e.opponent.turn_max = 120s;
    udp_world world{e, s};
    INFO("seed " << s);
    REQUIRE(world.play() == "");
    CHECK(world.took() < 60s + limits::udp_status_kept);
    by_rules += world.referee().by_rules() ? 1u : 0u;
  }
  CHECK(by_rules == count);
}

TEST_CASE("udp peers: a seed plays the same game again") {
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    udp_world once{run_of(seed), seed}, again{run_of(seed), seed};
    CHECK(once.play() == "");
    CHECK(again.play() == "");
    CHECK(once.took() == again.took());
    CHECK(once.peers().counts().sent == again.peers().counts().sent);
  }
}
