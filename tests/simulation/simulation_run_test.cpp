// Executes simulation runs for many seeds. A failure reports its seed; GAMEHUB_SEED=<seed> repeats
// that run, GAMEHUB_EVENINGS=<number> sets the number of runs, with GAMEHUB_SEED from that seed on.
#include "tests/simulation/simulation_run.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <cstdlib>

using namespace gamehub::tests;

namespace {

constexpr std::uint64_t runs_default = sanitized ? 150 : 2'500;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("simulation: the invariants hold in every run") {
  const auto seed = from_environment("GAMEHUB_SEED", 0);
  const auto first = seed != 0 ? seed : 1;
  const auto count = from_environment("GAMEHUB_EVENINGS", seed != 0 ? 1 : runs_default);
  std::size_t games = 0, moves = 0;
  for (auto s = first; s < first + count; ++s) {
    simulation_run e{s};
    INFO("GAMEHUB_SEED=" << s);
    const auto wrong = e.play();
    INFO(e.describe());
    // Not REQUIRE, so that the failure is printed before the hub is destroyed.
    CHECK(wrong == "");
    if (!wrong.empty()) return;
    games += e.games();
    moves += e.moves();
  }
  if (count == 1) return;
  // Runs without games and moves check nothing.
  CHECK(games >= 2 * count);
  CHECK(moves >= 4 * count);
}

TEST_CASE("simulation: a seed repeats the same run") {
  const auto play = [](std::uint64_t seed) {
    simulation_run e{seed};
    CHECK(e.play() == "");
    return e.describe() + ", " + std::to_string(e.games()) + " games, " +
           std::to_string(e.moves()) + " moves";
  };
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    CAPTURE(seed);
    CHECK(play(seed) == play(seed));
  }
}
