// Plays evenings from many seeds. A failure names its seed; GAMEHUB_SEED=<seed> plays that evening
// again, GAMEHUB_EVENINGS=<number> plays so many.
#include "tests/simulation/evening.hpp"

#include <cstdlib>

#include "tests/support/catch.hpp"

using namespace gamehub::tests;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t runs_default = 150;
#else
constexpr std::uint64_t runs_default = 2'500;
#endif

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("simulation: every evening ends well, whatever its guests do") {
  const auto seed = from_environment("GAMEHUB_SEED", 0);
  const auto first = seed != 0 ? seed : 1;
  const auto count = seed != 0 ? 1 : from_environment("GAMEHUB_EVENINGS", runs_default);
  std::size_t games = 0, moves = 0;
  for (auto s = first; s < first + count; ++s) {
    evening e{s};
    INFO("GAMEHUB_SEED=" << s);
    const auto wrong = e.play();
    INFO(e.describe());
    // Not REQUIRE: what went wrong is to be printed before the hub is taken down.
    CHECK(wrong == "");
    if (!wrong.empty()) return;
    games += e.games();
    moves += e.moves();
  }
  // An evening on which nothing happens proves nothing.
  CHECK(games >= 2 * count);
  CHECK(moves >= 4 * count);
}

TEST_CASE("simulation: a seed plays the same evening again") {
  const auto play = [](std::uint64_t seed) {
    evening e{seed};
    CHECK(e.play() == "");
    return e.describe() + ", " + std::to_string(e.games()) + " games, " +
           std::to_string(e.moves()) + " moves";
  };
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    CAPTURE(seed);
    CHECK(play(seed) == play(seed));
  }
}
