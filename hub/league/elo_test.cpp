#include "hub/league/elo.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <cmath>

namespace gamehub::league {
namespace {

TEST_CASE("elo: three points of four, over many games, are 191 Elo") {
  // 400 log10(3): the half point that everybody has is lost among so many.
  const std::array scores{pair_score{0, 1, 10'000, 7'500}};
  const auto e = estimate(2, scores);
  CHECK(e[0].value - e[1].value == Approx(190.85).margin(0.5));
  CHECK(e[0].value == Approx(-e[1].value));
}

TEST_CASE("elo: more games make it surer, by their square root") {
  const auto error_after = [](double games) {
    const std::array scores{pair_score{0, 1, games, games / 2}, pair_score{1, 2, games, games / 2},
                            pair_score{0, 2, games, games / 2}};
    return estimate(3, scores)[0].error;
  };
  CHECK(error_after(100) < error_after(10));
  CHECK(error_after(1'000'000) / error_after(4'000'000) == Approx(2).epsilon(0.25));
}

TEST_CASE("elo: a player that wins all games has a finite value, and one without games has none") {
  const std::array scores{pair_score{0, 1, 1'000, 1'000}};
  const auto e = estimate(3, scores);
  for (const auto& each : e) {
    CHECK(std::isfinite(each.value));
    CHECK(std::isfinite(each.error));
  }
  CHECK(e[0].value > 500);
  CHECK(e[2].value == Approx(0).margin(0.001));
  CHECK(e[2].error > 300);
}

TEST_CASE("elo: strengths agree with one another, though not all have met") {
  // A gauntlet: 0 met each, and they never met.
  const std::array scores{pair_score{0, 1, 40'000, 30'000}, pair_score{0, 2, 40'000, 10'000}};
  const auto e = estimate(3, scores);
  CHECK(e[0].value - e[1].value == Approx(190.85).margin(1));
  CHECK(e[2].value - e[0].value == Approx(190.85).margin(1));
}

TEST_CASE("elo: no players give no estimates") { CHECK(estimate(0, {}).empty()); }

}  // namespace
}  // namespace gamehub::league
