#include "hub/league/glicko2.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gamehub::league {
namespace {

// Step 2: from the public scale to the internal one, and back.
constexpr double scale = 173.7178;
constexpr double middle = 1'500;
// The deviation never exceeds that of a new player.
constexpr double deviation_max = 350;
// Step 5.1.
constexpr double tolerance = 0.000001;
// The interval halves in most rounds, so this bound is never reached.
constexpr int rounds_max = 200;

double square(double x) { return x * x; }

double weight(double phi) { return 1 / std::sqrt(1 + 3 * square(phi / std::numbers::pi)); }

double expected(double mu, double mu_other, double phi_other) {
  return 1 / (1 + std::exp(-weight(phi_other) * (mu - mu_other)));
}

// Step 5: the root of f by the Illinois variant of regula falsi.
double new_volatility(double sigma, double phi, double v, double delta) {
  const auto a = std::log(square(sigma));
  const auto f = [&](double x) {
    const auto e = std::exp(x);
    const auto sum = square(phi) + v + e;
    return e * (square(delta) - sum) / (2 * square(sum)) - (x - a) / square(glicko_tau);
  };
  double low = a, high = 0;
  if (square(delta) > square(phi) + v) {
    high = std::log(square(delta) - square(phi) - v);
  } else {
    int k = 1;
    while (f(a - k * glicko_tau) < 0 && k < rounds_max) ++k;
    high = a - k * glicko_tau;
  }
  auto f_low = f(low), f_high = f(high);
  for (int round = 0; std::abs(high - low) > tolerance && round < rounds_max; ++round) {
    const auto next = low + (low - high) * f_low / (f_high - f_low);
    const auto f_next = f(next);
    if (f_next * f_high <= 0) {
      low = high;
      f_low = f_high;
    } else {
      f_low /= 2;
    }
    high = next;
    f_high = f_next;
  }
  return std::exp(low / 2);
}

}  // namespace

glicko rated(const glicko& before, std::span<const glicko_game> games, double periods) {
  const auto mu = (before.rating - middle) / scale;
  const auto phi = before.deviation / scale;
  const auto grown = [&](double sigma) { return std::sqrt(square(phi) + periods * square(sigma)); };
  if (games.empty())
    return {before.rating, std::min(scale * grown(before.volatility), deviation_max),
            before.volatility};
  // Steps 3 and 4.
  double information = 0, surprise = 0;
  for (const auto& each : games) {
    const auto mu_other = (each.opponent.rating - middle) / scale;
    const auto phi_other = each.opponent.deviation / scale;
    const auto g = weight(phi_other);
    const auto e = expected(mu, mu_other, phi_other);
    information += square(g) * e * (1 - e);
    surprise += g * (each.score - e);
  }
  const auto v = 1 / information;
  const auto sigma = new_volatility(before.volatility, phi, v, v * surprise);
  // Steps 6 to 8.
  const auto phi_after = 1 / std::sqrt(1 / square(grown(sigma)) + 1 / v);
  const auto mu_after = mu + square(phi_after) * surprise;
  return {scale * mu_after + middle, std::min(scale * phi_after, deviation_max), sigma};
}

}  // namespace gamehub::league
