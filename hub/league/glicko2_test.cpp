#include "hub/league/glicko2.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <cmath>

namespace gamehub::league {
namespace {

bool is_near(double a, double b, double by) { return std::abs(a - b) <= by; }

TEST_CASE("glicko2: the paper's worked example comes out as in the paper") {
  const std::array games{glicko_game{{1'400, 30}, 1}, glicko_game{{1'550, 100}, 0},
                         glicko_game{{1'700, 300}, 0}};
  const auto after = rated({1'500, 200, 0.06}, games);
  CHECK(is_near(after.rating, 1'464.06, 0.01));
  CHECK(is_near(after.deviation, 151.52, 0.01));
  CHECK(is_near(after.volatility, 0.05999, 0.00001));
}

TEST_CASE("glicko2: without games the deviation grows up to that of a new player") {
  const auto after = rated({1'600, 50, 0.06}, {});
  CHECK(after.rating == 1'600);
  CHECK(is_near(after.deviation, std::sqrt(50 * 50 + std::pow(0.06 * 173.7178, 2)), 0.001));
  CHECK(rated({1'600, 349, 0.06}, {}, 1'000).deviation == 350);
  CHECK(rated({1'600, 50, 0.06}, {}, 0).deviation == Approx(50));
}

TEST_CASE("glicko2: a win raises, a loss lowers, and a draw pulls together") {
  const glicko strong{1'700, 100, 0.06}, weak{1'300, 100, 0.06};
  const auto play = [](const glicko& a, const glicko& b, double score) {
    const std::array game{glicko_game{b, score}};
    return rated(a, game);
  };
  CHECK(play(strong, weak, 1).rating > strong.rating);
  CHECK(play(weak, strong, 0).rating < weak.rating);
  CHECK(play(strong, weak, 0.5).rating < strong.rating);
  CHECK(play(weak, strong, 0.5).rating > weak.rating);
  CHECK(play(weak, strong, 0.5).deviation < weak.deviation);
}

TEST_CASE("glicko2: the most surprising results still give numbers") {
  for (const double far : {0.0, 1'500.0, 4'000.0, 9'000.0})
    for (const double score : {0.0, 1.0}) {
      const std::array game{glicko_game{{far, 30}, score}};
      const auto after = rated({1'500, 30, 0.06}, game);
      CHECK(std::isfinite(after.rating));
      CHECK(std::isfinite(after.deviation));
      CHECK(std::isfinite(after.volatility));
    }
}

}  // namespace
}  // namespace gamehub::league
